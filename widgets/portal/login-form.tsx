import { lazy, Suspense, useState } from 'react'
import { useRead } from '../../core/client/providers.tsx'
import { useDemo } from '../../core/client/use-demo.ts'
import type { CodeChannel, NextStep } from '../../core/contract/user/sign-in.ts'
import { user } from '../../core/contract/user/user.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import { version } from '../../core/element/version.ts'
import { eatDateTime } from '../../core/rules/time.ts'
import { Button, Callout, Flex, Text } from '../../core/ui/basics.ts'
import { Credentials } from './credentials.tsx'
import sheet from './login.css?sheet'

/** For the portal's ears alone: it does not bubble, so that no other listener gets a token. */
const tell = (
  element: HTMLElement,
  name: 'mkopo-signed-in' | 'mkopo-language' | 'mkopo-continue' | 'mkopo-sign-out',
  detail: unknown,
) => element.dispatchEvent(new CustomEvent(name, { detail }))

const Languages = () => {
  const host = useHost()
  const t = useText()
  const { data } = useRead(user.languages, {}, { background: true })
  return (
    <nav className="mk-login-languages" aria-label={t('shell.language')}>
      {(data?.list ?? []).map(({ code, name }) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-current={code === host.props.language || undefined}
          onClick={() => tell(host.element, 'mkopo-language', { language: code })}
        >
          {name}
        </button>
      ))}
    </nav>
  )
}

const Demo = ({ fill }: { fill: (loginId: string, password: string) => void }) => {
  const t = useText()
  const data = useDemo()
  if (!data?.list.length) return null
  return (
    <aside className="mk-login-demo" aria-label={t('login.demo')}>
      <Text as="p" size="2" weight="medium">
        {t('login.demo')}
      </Text>
      <Text as="p" size="1" color="gray">
        {t('login.demoHint')}
      </Text>
      <ul>
        {data.list.map(one => (
          <li key={one.loginId}>
            <button type="button" onClick={() => fill(one.loginId, one.password)}>
              <span className="mk-key">{one.loginId}</span>
              <span>{one.realName}</span>
              <span className="mk-muted">{one.post}</span>
            </button>
          </li>
        ))}
      </ul>
      {data.mfa && (
        <>
          <Text as="p" size="2">
            {t('login.demoCode')} <span className="mk-key">{data.mfa.code}</span>
          </Text>
          <Text as="p" size="1" color="gray">
            {t('login.demoCodeHint', { secret: data.mfa.secret })}
          </Text>
        </>
      )}
      {data.messages && (
        <Text as="p" size="1">
          <a className="mk-link" href={data.messages} target="_blank" rel="noreferrer">
            {t('login.demoMessages')}
          </a>
        </Text>
      )}
    </aside>
  )
}

/** Says, until the next sign-in, that another sign-in of the same person ended the session here. */
const WhySignedOut = () => {
  const t = useText()
  const { displacedTime: time, displacedFrom: from } = useHost().props as Record<string, string | undefined>
  if (!time) return null
  return (
    <Callout.Root color="amber" size="1" role="status" mt="4">
      <Callout.Text>{t('errors.sessionReplaced', { time: eatDateTime(time), from: from ?? '-' })}</Callout.Text>
    </Callout.Root>
  )
}

/** Somebody who came here with a live session may go on with it. */
const Present = () => {
  const t = useText()
  const host = useHost()
  const { present } = host.props as Record<string, string | undefined>
  if (!present) return null
  return (
    <Flex direction="column" gap="2" mt="4">
      <Text as="p" size="2">
        {t('login.present', { name: present })}
      </Text>
      <Flex gap="2">
        <Button variant="soft" onClick={() => tell(host.element, 'mkopo-continue', null)}>
          {t('login.continue')}
        </Button>
        <Button variant="soft" color="gray" onClick={() => tell(host.element, 'mkopo-sign-out', null)}>
          {t('login.signOut')}
        </Button>
      </Flex>
    </Flex>
  )
}

const steps = () => import('./sign-in-steps.tsx')
const CodeStep = lazy(async () => ({ default: (await import('./code-step.tsx')).CodeStep }))
const BindStep = lazy(async () => ({ default: (await steps()).BindStep }))
const MfaStep = lazy(async () => ({ default: (await steps()).MfaStep }))
const ChangeStep = lazy(async () => ({ default: (await steps()).ChangeStep }))
const LinkStep = lazy(async () => ({ default: (await steps()).LinkStep }))

const bodies = { code: CodeStep, mfa: MfaStep, bind: BindStep, change: ChangeStep }
/** A step after the password, of a sign-in; that of a code with where it can be sent. */
type At = { is: keyof typeof bodies; challengeId: string; channels?: { channel: CodeChannel; maskedTarget: string }[] }

/** The way into the console: name and password, or a one-time link, and what the server asks for after it. */
export const Login = () => {
  useSheet(sheet)
  const t = useText()
  const host = useHost()
  const [values, setValues] = useState({ username: '', password: '' })
  const [at, setAt] = useState<At | null>(null)
  const [left, setLeft] = useState(false)
  const link = left ? '' : String((host.props as Record<string, unknown>).link ?? '')
  const next = (answer: NextStep, challengeId: string) => {
    setLeft(true)
    if (answer.nextStep === 'code') return setAt({ is: 'code', challengeId, channels: answer.channels })
    if (answer.nextStep !== 'done') return setAt({ is: answer.nextStep, challengeId })
    const { nextStep: _, ...session } = answer
    tell(host.element, 'mkopo-signed-in', session)
  }
  const back = (why?: string) => {
    if (why) host.emit('mkopo-toast', { type: 4, message: why, ms: 2000 })
    setAt(null)
    setValues({ ...values, password: '' })
  }
  const step = () => {
    const Body = at && bodies[at.is]
    if (Body)
      return (
        <Body
          key={at.is}
          challengeId={at.challengeId}
          channels={at.channels}
          next={answer => next(answer, at.challengeId)}
          back={back}
        />
      )
    if (link) return <LinkStep link={link} next={next} back={() => setLeft(true)} />
    return <Credentials values={values} setValues={setValues} next={next} />
  }
  return (
    <div className="mk-login">
      <Languages />
      <main className="mk-login-card">
        <h1>Mkopo</h1>
        <Text as="p" size="2" color="gray">
          {t('systems.product')}
        </Text>
        {!at && <WhySignedOut />}
        {!at && <Present />}
        <Suspense>{step()}</Suspense>
        <Text as="p" size="1" color="gray">
          {t('login.pauseHint')}
        </Text>
      </main>
      <Demo fill={(username, secret) => setValues({ username, password: secret })} />
      <Flex justify="center">
        <Text size="1" color="gray">
          {version}
        </Text>
      </Flex>
    </div>
  )
}

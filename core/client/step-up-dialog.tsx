import { homePath } from '../contract/pages.ts'
import { useText } from '../element/i18n.ts'
import { Button, Callout, Flex } from '../ui/basics.ts'
import { ModalDialog } from '../ui/overlay/modal-dialog.tsx'
import { CodeForm, kinds, useTyping } from './code-form.tsx'
import { useSelf } from './providers.tsx'

type Props = { bound: boolean; prove: (code: string) => Promise<void>; cancel: () => void }

/** A tab of the console that takes over the session of this page: it knows its opener, and both have the same origin. */
const beside = { target: '_blank', rel: 'opener' }

/** Explains that there is no authenticator yet and links to where one is bound; in the console in a new tab, so that typed values stay. */
const Unbound = () => {
  const t = useText()
  const { data } = useSelf()
  return (
    <Callout.Root color="amber" size="1" role="alert">
      <Callout.Text>{t('common.stepUpUnbound')}</Callout.Text>
      <Callout.Text>
        {data && !data.embedded ? (
          <a className="mk-link" href={`${homePath}?dialog=authenticator`} {...beside}>
            {t('common.stepUpBind')}
          </a>
        ) : (
          t('common.stepUpUnboundAway')
        )}
      </Callout.Text>
    </Callout.Root>
  )
}

/** Asks for the six digits of the authenticator before a protected command; the sixth digit sends them. */
export const StepUpDialog = ({ bound, prove, cancel }: Props) => {
  const t = useText()
  const typing = useTyping(prove, cancel)
  const { kind, busy, change, submit } = typing
  return (
    <ModalDialog
      open
      onClose={cancel}
      title={t('common.stepUp')}
      description={bound ? t(kind === 'totp' ? 'common.stepUpHint' : 'common.stepUpRecoveryHint') : undefined}
      footer={
        <>
          {bound && (
            <Flex align="center" mr="auto">
              <Button variant="ghost" onClick={change}>
                {t(kinds[kind].other)}
              </Button>
            </Flex>
          )}
          <Button variant="soft" color="gray" onClick={cancel}>
            {t('common.cancel')}
          </Button>
          {bound && (
            <Button loading={busy} onClick={() => submit()}>
              {t('common.stepUpSend')}
            </Button>
          )}
        </>
      }
    >
      {bound ? <CodeForm {...typing} /> : <Unbound />}
    </ModalDialog>
  )
}

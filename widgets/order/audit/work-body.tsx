import { type RefObject, useEffect, useRef, useState } from 'react'
import type { AuditTask, Draft } from '../../../core/contract/audit/queue.ts'
import type { OrderBasic } from '../../../core/contract/order/order.ts'
import type { OrderSummary } from '../../../core/contract/order/order-brief.ts'
import { copyValue } from '../../../core/element/copy.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Button, Flex, Text } from '../../../core/ui/basics.ts'
import { Account } from './account/account.tsx'
import { Calls } from './calls.tsx'
import { Confirm } from './decision/confirm.tsx'
import { Decision } from './decision/decision.tsx'
import { useDecisionKeys } from './decision/use-decision-keys.ts'
import { useRefuseCode } from './decision/use-refuse-code.ts'
import { draftText } from './draft-text.ts'
import { Face } from './face.tsx'
import { useNext } from './next.tsx'
import { problemsOf } from './problems.ts'
import { Questions } from './questions.tsx'
import { SeenChecks } from './seen-checks.tsx'
import { type DraftState, useDraft } from './use-draft.ts'
import { answeredBy, bring, useErrors } from './use-errors.ts'
import { useHeartbeat } from './use-heartbeat.ts'
import { submitLabel } from './use-sentence.ts'
import { WorkContext } from './work.ts'

type Props = {
  task: AuditTask
  summary: OrderSummary
  basic: OrderBasic
  held: boolean
  lose: (error: unknown) => boolean
  finish: (words: string) => void
  reload: () => void
  /** Something is done here: the panel has to be in sight. */
  show: () => void
}

type Deciding = Props & {
  body: RefObject<HTMLDivElement | null>
  draft: Draft
  keep: (by: Partial<Draft>) => void
  wrong: ReturnType<typeof useErrors>
  code: ReturnType<typeof useRefuseCode>['code']
}

/** What is decided: what is missing for it is shown at its place, then it is confirmed. */
const useDeciding = ({ task, basic, held, show, body, draft, keep, wrong, code }: Deciding) => {
  const t = useText()
  const { errors, place, clear } = wrong
  const [confirming, setConfirming] = useState(false)
  const chosen = useRef(false)
  const change = (by: Partial<Draft>) => {
    if (Object.keys(errors).length) clear(answeredBy(by, errors))
    if (by.auditResult) chosen.current = true
    keep(by)
  }
  const submit = () => {
    if (!held) return
    show()
    const problems = problemsOf({ draft, task, basic, needRemark: code?.needRemark ?? false })
    place(Object.fromEntries(problems.map(({ field, key, params }) => [field, t(key, params)])))
    setConfirming(problems.length === 0)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a chosen decision asks for has to be in sight
  useEffect(() => {
    if (chosen.current) bring(body.current, '[data-decision]')
    chosen.current = false
  }, [draft.auditResult])
  useDecisionKeys(
    held,
    auditResult => {
      show()
      change({ auditResult })
    },
    submit,
  )
  return { change, submit, confirming, setConfirming }
}

type FootProps = {
  task: AuditTask
  draft: Draft
  state: DraftState
  held: boolean
  /** The reason for which it is refused. */
  code: string | undefined
  skip: () => void
  submit: () => void
}

const Foot = ({ task, draft, state, held, code, skip, submit }: FootProps) => {
  const t = useText()
  return (
    <Flex className="mk-work-foot" align="center" justify="end" gap="2" wrap="wrap">
      <Text size="1" color={state === 'failed' ? 'red' : 'gray'} aria-live="polite" className="mk-draft">
        {held && t(`audit.draft.${state}`)}
      </Text>
      {held ? (
        <>
          <Button variant="soft" color="gray" onClick={skip}>
            {t('audit.skip')}
          </Button>
          <Button
            aria-keyshortcuts="Control+Enter"
            color={draft.auditResult === 'refuse' ? 'red' : undefined}
            disabled={!draft.auditResult}
            onClick={submit}
          >
            {submitLabel(t, draft)}
          </Button>
        </>
      ) : (
        <Button
          variant="soft"
          onClick={event => void copyValue(event.currentTarget, draftText(t, task, draft, code), t.language)}
        >
          {t('audit.copyDraft')}
        </Button>
      )}
    </Flex>
  )
}

/** The work on one order, in its order: checks, calls, questions, face, account, decision. */
export const WorkBody = (props: Props) => {
  const t = useText()
  const { task, summary, basic, held, lose, finish, reload } = props
  const body = useRef<HTMLDivElement>(null)
  const { draft, state, change: keep, save, forget } = useDraft(task, held, lose)
  const wrong = useErrors(body)
  const { errors, place, clear } = wrong
  const next = useNext(task.orderNo)
  const { code } = useRefuseCode(draft)
  const lease = { orderNo: task.orderNo, leaseToken: task.leaseToken }
  useHeartbeat(lease, held, lose)

  const { change, submit, confirming, setConfirming } = useDeciding({ ...props, body, draft, keep, wrong, code })
  return (
    <WorkContext value={{ summary, basic, task, lease, draft, change, errors, place, clear, lose, reload }}>
      <div className="mk-work-body" ref={body} tabIndex={held ? undefined : 0}>
        <fieldset disabled={!held} aria-label={t('audit.panel')}>
          <SeenChecks />
          <Calls />
          <Questions />
          <Face />
          <Account />
          <Decision />
        </fieldset>
      </div>
      <Foot
        task={task}
        draft={draft}
        state={state}
        held={held}
        code={code?.name}
        skip={() => void save().then(next)}
        submit={submit}
      />
      {confirming && (
        <Confirm
          close={() => setConfirming(false)}
          finish={words => {
            forget()
            finish(words)
          }}
        />
      )}
    </WorkContext>
  )
}

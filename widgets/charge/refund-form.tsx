import { type FormEvent, useState } from 'react'
import { fieldErrors } from '../../core/client/errors.ts'
import { refund } from '../../core/contract/charge/refund.ts'
import type { Endpoint, InputOf, OutputOf } from '../../core/contract/endpoint.ts'
import { useText } from '../../core/element/i18n.ts'
import { Field } from '../../core/engine/form/field.tsx'
import { flawsOf } from '../../core/engine/form/flaws.ts'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { dictText } from '../../core/i18n/plain.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Button, Callout } from '../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { FilesField } from '../shared/record/files-field.tsx'

type Answers = Readonly<Record<string, unknown>>
type Errors = Readonly<Record<string, string>>
type Known = Pick<OutputOf<typeof refund.check>, 'refundableAmount' | 'sources' | 'unidentified' | 'hasOpenOrder'>

const shape = refund.submit.input.shape
const payeeNames = ['channel', 'payeeName', 'payeeAccount', 'payeeBank'] as const
const allNames = ['refundSource', 'refundAmount', ...payeeNames, 'refundReason', 'remark'] as const
const optional: readonly string[] = ['remark']

/** Whether the account is one that the money came from, said beside it. */
const SamePayer = ({ answers, known }: { answers: Answers; known: Known }) => {
  const t = useText()
  const account = answers.payeeAccount
  if (!account) return null
  const same = known.sources.some(({ payerAccount }) => payerAccount === account)
  return (
    <Callout.Root size="1" color={same ? 'teal' : 'amber'}>
      <Callout.Text>{t(same ? 'charge.sameAccount' : 'charge.notSameAccount')}</Callout.Text>
    </Callout.Root>
  )
}

type Props<E extends Endpoint> = {
  command: E
  title: string
  description?: string
  /** What the call is given besides the answers. */
  about: Answers
  first: Answers
  known: Known
  /** Whom the money goes to, and nothing else. */
  payeeOnly?: true
  close: (changed?: boolean) => void
}

type Command = typeof refund.submit | typeof refund.resubmit | typeof refund.editPayee

const namesOf = (payeeOnly: boolean, { channel }: Answers) =>
  (payeeOnly ? payeeNames : allNames).filter(name => name !== 'payeeBank' || channel === 'bank_file')

/** The answers of a form, what is wrong with them, and the way to send them. */
const useRefundForm = ({ command, about, first, payeeOnly, close }: Props<Command>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [answers, setAnswers] = useState<Answers>(first)
  const [files, setFiles] = useState<readonly string[]>([])
  const [errors, setErrors] = useState<Errors>({})
  const names = namesOf(payeeOnly === true, answers)
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const typed = Object.fromEntries(
      names.map(name => [name, answers[name]] as const).filter(([, value]) => value !== undefined),
    )
    const input = { ...about, ...typed, ...(files.length > 0 ? { attachNos: [...files] } : {}) }
    const flaws = flawsOf(t, command.input, input)
    setErrors(flaws)
    if (Object.keys(flaws).length > 0) return
    const outcome = await send(command as typeof refund.submit, input as InputOf<typeof refund.submit>, {
      done: ({ refundNo }) => t('charge.sentForReview', { refundNo }),
    })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'refused') setErrors(fieldErrors(outcome.error))
  }
  const put = (name: string, value: unknown) => {
    setErrors({ ...errors, [name]: '' })
    setAnswers({ ...answers, [name]: value })
  }
  return { names, answers, files, setFiles, errors, put, submit, busy }
}

/** Asks for a refund, corrects one that came back, or names another payee. */
export const RefundForm = (props: Props<Command>) => {
  const { title, description, known, payeeOnly, close } = props
  const t = useText()
  const { names, answers, files, setFiles, errors, put, submit, busy } = useRefundForm(props)
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={title}
      description={description}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void submit()}>
            {title}
          </Button>
        </>
      }
    >
      <form className="mk-form" noValidate onSubmit={event => void submit(event)}>
        {known.hasOpenOrder && !payeeOnly && (
          <Callout.Root size="1" color="amber">
            <Callout.Text>{t('charge.openOrderFirst')}</Callout.Text>
          </Callout.Root>
        )}
        {names.map(name => (
          <Field
            key={name}
            name={name}
            schema={shape[name]}
            value={answers[name]}
            optional={optional.includes(name)}
            {...(errors[name] ? { error: errors[name] } : {})}
            onChange={value => put(name, value)}
          />
        ))}
        <SamePayer answers={answers} known={known} />
        <FilesField value={files} error={errors.attachNos} onChange={setFiles} />
        <Sentence answers={answers} known={known} payeeOnly={payeeOnly === true} />
        <button type="submit" hidden />
      </form>
    </ModalDialog>
  )
}

/** What will happen, with its numbers, before it is asked for. */
const Sentence = ({ answers, known, payeeOnly }: { answers: Answers; known: Known; payeeOnly: boolean }) => {
  const t = useText()
  const { refundAmount, payeeName, payeeAccount, channel } = answers as Readonly<Record<string, string | undefined>>
  if (payeeOnly || !refundAmount || !payeeName || !payeeAccount || !channel) return null
  return (
    <p className="mk-muted">
      {t('charge.confirmSubmit', {
        amount: formatMoney(refundAmount),
        refundable: formatMoney(known.refundableAmount),
        payeeName,
        account: payeeAccount,
        channel: dictText(t, 'CHANNEL', channel),
      })}
    </p>
  )
}

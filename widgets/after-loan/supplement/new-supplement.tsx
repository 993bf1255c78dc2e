import { type FormEvent, useState } from 'react'
import { fieldErrors } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import { type SupplementKnown, supplement } from '../../../core/contract/after-loan/supplement.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { ConfirmAnyway } from '../../../core/engine/form/confirm-anyway.tsx'
import { Field } from '../../../core/engine/form/field.tsx'
import { flawsOf } from '../../../core/engine/form/flaws.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { shortTime } from '../../../core/rules/time.ts'
import { Button, Callout } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { FilesField } from '../../shared/record/files-field.tsx'

type Input = InputOf<typeof supplement.submit>
type Answers = Readonly<Record<string, unknown>>
type Errors = Readonly<Record<string, string>>

const { shape } = supplement.submit.input
const names = [
  'fundAccountNo',
  'serialNo',
  'amount',
  'entryTime',
  'paymentCode',
  'payerName',
  'payerAccount',
  'orderNo',
  'remark',
] as const
const optional: readonly string[] = ['payerName', 'payerAccount', 'orderNo', 'remark']

/** What is asked of the server while the form is filled in: nothing before account and number are there. */
const askedOf = ({ fundAccountNo, serialNo, entryTime, amount }: Answers): InputOf<typeof supplement.check> | null => {
  const given = {
    fundAccountNo,
    serialNo,
    ...(entryTime ? { entryTime } : {}),
    ...(shape.amount.safeParse(amount).success ? { amount } : {}),
  }
  const parsed = supplement.check.input.safeParse(given)
  return parsed.success ? (given as InputOf<typeof supplement.check>) : null
}

const Known = ({ known }: { known: SupplementKnown }) => {
  const t = useText()
  const { flowNo, flowStatus, flowAmount, line, channelAnswer, channelAmount } = known
  const bad = flowNo !== null || channelAnswer === 'denied' || channelAnswer === 'other_amount'
  return (
    <Callout.Root size="1" color={bad ? 'amber' : line ? 'green' : 'gray'} role="status">
      <Callout.Text>
        {flowNo && (
          <>
            {t('supplement.known', {
              flowNo,
              amount: formatMoney(flowAmount ?? '0.00'),
              status: t(`dict.FLOW_STATUS.${flowStatus ?? 'draft'}`),
            })}
            <br />
          </>
        )}
        {line
          ? t('supplement.lineFound', { amount: formatMoney(line.amount), time: shortTime(line.entryTime) })
          : t('supplement.noLine')}
        <br />
        {t('supplement.channelSays', { answer: t(`dict.CHANNEL_ANSWER.${channelAnswer}`) })}
        {channelAmount !== null && ` UGX ${formatMoney(channelAmount)}`}
      </Callout.Text>
    </Callout.Root>
  )
}

const useSupplementForm = (close: (changed?: boolean) => void) => {
  const t = useText()
  const { send, busy, question, forget } = useCommand()
  const [answers, setAnswers] = useState<Answers>({})
  const [files, setFiles] = useState<readonly string[]>([])
  const [errors, setErrors] = useState<Errors>({})
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const typed = Object.fromEntries(names.flatMap(name => (answers[name] ? [[name, answers[name]]] : [])))
    const input = { ...typed, attachNos: [...files] }
    const flaws = flawsOf(t, supplement.submit.input, input)
    setErrors(flaws)
    if (Object.keys(flaws).length > 0) return
    const outcome = await send(supplement.submit, input as unknown as Input, {
      done: ({ supplementNo }) => t('supplement.submitted', { supplementNo }),
    })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'refused') setErrors(fieldErrors(outcome.error))
  }
  const put = (name: string, value: unknown) => {
    forget()
    setErrors({ ...errors, [name]: '' })
    setAnswers({ ...answers, [name]: value })
  }
  return { answers, files, setFiles, errors, put, submit, busy, question, forget }
}

/** Enters a receipt from a customer's proof; what is known of its number is looked up when a field is left. */
export const NewSupplementDialog = ({ close }: Pick<DialogProps<never>, 'close'>) => {
  const t = useText()
  const { answers, files, setFiles, errors, put, submit, busy, question, forget } = useSupplementForm(close)
  const [asked, setAsked] = useState<InputOf<typeof supplement.check> | null>(null)
  const { data } = useRead(supplement.check, asked, { keepPreviousData: false })
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('supplement.new')}
      description={t('supplement.newHint')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void submit()}>
            {t('actions.submitSupplement')}
          </Button>
        </>
      }
    >
      <form
        className="mk-form"
        noValidate
        onSubmit={event => void submit(event)}
        onBlur={() => setAsked(askedOf(answers))}
      >
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
        {data && <Known known={data} />}
        <FilesField value={files} required error={errors.attachNos} onChange={setFiles} />
        <button type="submit" hidden />
      </form>
      {question && (
        <ConfirmAnyway
          title={t('actions.submitSupplement')}
          words={question}
          busy={busy}
          go={() => void submit()}
          cancel={forget}
        />
      )}
    </ModalDialog>
  )
}

import { type FormEvent, useState } from 'react'
import { CallError, fieldErrors } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { phoneBill } from '../../../core/contract/operation/phone-bill.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { flawsOf } from '../../../core/engine/form/flaws.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { Button, Callout, Flex } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

type Answers = Readonly<Record<string, unknown>>
type Asked = InputOf<typeof phoneBill.submit>
const { shape } = phoneBill.submit.input
const names = ['userNos', 'amount', 'purposeMonth', 'remark'] as const

/** What it comes to, and who would be left out, before anything is sent. */
const Effect = ({ asked }: { asked: Asked }) => {
  const t = useText()
  const { data, error } = useRead(phoneBill.check, asked, { shouldRetryOnError: false })
  if (error)
    return (
      <Callout.Root size="1" color="amber" role="alert">
        <Callout.Text>{error instanceof CallError ? error.message : t('common.noConnection')}</Callout.Text>
      </Callout.Root>
    )
  if (!data) return null
  const { headcount, totalAmount, leftOut } = data
  return (
    <Callout.Root size="1" color={leftOut.length ? 'amber' : 'gray'} role="status">
      <Callout.Text>
        {t('phoneBill.people', { n: headcount })} · {t('phoneBill.check', { amount: formatMoney(totalAmount) })}
        {leftOut.length > 0 && ` · ${t('phoneBill.leftOutCount', { n: leftOut.length })}`}
      </Callout.Text>
      {leftOut.length > 0 && (
        <ul aria-label={t('phoneBill.leftOut')}>
          {leftOut.map(({ userNo, realName, refusal }) => (
            <li key={userNo}>
              {realName}: {dictText(t, 'PHONE_BILL_REFUSAL', refusal)}
            </li>
          ))}
        </ul>
      )}
    </Callout.Root>
  )
}

const useApply = (month: string, close: DialogProps<never>['close']) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [answers, setAnswers] = useState<Answers>({ purposeMonth: month })
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const { remark, ...rest } = answers
  const input = { ...rest, ...(remark ? { remark } : {}) }
  const parsed = phoneBill.submit.input.safeParse(input)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const flaws = flawsOf(t, phoneBill.submit.input, input)
    setErrors(flaws)
    if (Object.keys(flaws).length > 0) return
    const outcome = await send(phoneBill.submit, input as Asked, {
      done: ({ totalAmount }) => t('phoneBill.submitted', { amount: formatMoney(totalAmount) }),
    })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'refused') setErrors(fieldErrors(outcome.error))
  }
  const put = (values: Answers) => {
    setErrors({})
    setAnswers({ ...answers, ...values })
  }
  return { answers, errors, put, submit, busy, asked: parsed.success ? parsed.data : null }
}

/** Asks for the same airtime for several people; the list of last month is a beginning. */
export const ApplyDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const month = eatDate(new Date()).slice(0, 7)
  const before = addDays(`${month}-01`, -1).slice(0, 7)
  const { answers, errors, put, submit, busy, asked } = useApply(month, close)
  const { data: last } = useRead(phoneBill.lastList, { purposeMonth: before })
  const copy = () => last && put({ userNos: last.userNos, ...(last.amount ? { amount: last.amount } : {}) })
  const isEmpty = last?.userNos.length === 0
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('actions.applyAirtime')}
      description={t('phoneBill.applyHint')}
    >
      <form className="mk-form" noValidate onSubmit={event => void submit(event)}>
        <Button type="button" variant="soft" disabled={!last || isEmpty} onClick={copy}>
          {t(isEmpty ? 'phoneBill.noLastList' : 'phoneBill.lastList')}
        </Button>
        {names.map(name => (
          <Field
            key={name}
            name={name}
            schema={shape[name]}
            value={answers[name]}
            optional={name === 'remark'}
            {...(errors[name] ? { error: errors[name] } : {})}
            onChange={value => put({ [name]: value })}
          />
        ))}
        {asked && <Effect asked={asked} />}
        <Flex justify="end" gap="2">
          <DialogCancel />
          <Button type="submit" loading={busy}>
            {t('actions.applyAirtime')}
          </Button>
        </Flex>
      </form>
    </ModalDialog>
  )
}

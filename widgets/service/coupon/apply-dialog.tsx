import { type FormEvent, useState } from 'react'
import { fieldErrors } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import {
  type ApplyRow,
  type CouponChoice,
  type CouponCustomer,
  serviceCoupon,
} from '../../../core/contract/service/service-coupon.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { Field } from '../../../core/engine/form/field.tsx'
import { flawsOf } from '../../../core/engine/form/flaws.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney, sum } from '../../../core/rules/amount.ts'
import { phoneFormat } from '../../../core/rules/text/formats.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { RadioGroup } from '../../../core/ui/more.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { Finder } from '../../shared/record/finder.tsx'

type Close = (changed?: boolean) => void
type Answers = Readonly<Record<string, unknown>>
const { shape } = serviceCoupon.apply.input
const customerShape = serviceCoupon.check.output

type ChoiceProps = { configs: readonly CouponChoice[]; chosen: string | undefined; choose: (no: string) => void }

/** Settings by which a coupon may be asked for; those that do not apply say why. */
const Choices = ({ configs, chosen, choose }: ChoiceProps) => {
  const t = useText()
  if (configs.length === 0)
    return (
      <Text size="2" color="gray">
        {t('serviceCoupon.noConfigs')}
      </Text>
    )
  return (
    <RadioGroup.Root size="2" value={chosen ?? ''} onValueChange={choose} aria-label={t('fields.configs')}>
      {configs.map(one => (
        <RadioGroup.Item key={one.serviceConfigNo} value={one.serviceConfigNo} disabled={one.refusal !== null}>
          {one.configName}{' '}
          {one.refusal
            ? t(`dict.COUPON_REFUSAL.${one.refusal}`)
            : `UGX ${formatMoney(one.amountMin)}${one.amountFree ? `–${formatMoney(one.amountMax)}` : ''}`}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}

const useApply = (customer: CouponCustomer, first: Answers, close: Close) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [answers, setAnswers] = useState<Answers>({ couponCount: 1, ...first })
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const choice = customer.configs.find(one => one.serviceConfigNo === answers.serviceConfigNo && one.refusal === null)
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const { serviceConfigNo, faceAmount, couponCount, orderNo, reason } = answers
    const input = {
      ...{ customerNo: customer.customerNo, serviceConfigNo, couponCount, reason: reason ?? '' },
      ...(choice?.amountFree && faceAmount ? { faceAmount } : {}),
      ...(orderNo ? { orderNo } : {}),
    }
    const flaws = flawsOf(t, serviceCoupon.apply.input, input)
    setErrors(flaws)
    if (Object.keys(flaws).length > 0) return
    const outcome = await send(serviceCoupon.apply, input as InputOf<typeof serviceCoupon.apply>, {
      done: ({ applyNo }) => t('serviceCoupon.submitted', { applyNo }),
    })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'refused') setErrors(fieldErrors(outcome.error))
  }
  const put = (name: string, value: unknown) => {
    setErrors({ ...errors, [name]: '' })
    setAnswers({ ...answers, [name]: value })
  }
  return { answers, errors, choice, put, submit, busy }
}

const Total = ({ choice, answers, name }: { choice: CouponChoice; answers: Answers; name: string }) => {
  const t = useText()
  const face = choice.amountFree ? String(answers.faceAmount ?? '0.00') : choice.amountMax
  const count = Number(answers.couponCount ?? 0)
  if (!/^\d+(\.\d+)?$/.test(face) || !Number.isInteger(count) || count < 1 || count > 10) return null
  return (
    <Callout.Root size="1" color="gray" role="status">
      <Callout.Text>
        {t('serviceCoupon.sum', {
          count,
          face: formatMoney(face),
          total: formatMoney(sum(Array.from({ length: count }, () => face))),
          name,
          left: choice.applicationsLeft,
        })}
      </Callout.Text>
    </Callout.Root>
  )
}

const Form = ({ customer, first, close }: { customer: CouponCustomer; first: Answers; close: Close }) => {
  const t = useText()
  const { answers, errors, choice, put, submit, busy } = useApply(customer, first, close)
  const names = [...(choice?.amountFree ? (['faceAmount'] as const) : []), 'couponCount' as const, 'reason' as const]
  return (
    <form className="mk-form" noValidate onSubmit={event => void submit(event)}>
      <Facts
        schema={customerShape}
        value={customer}
        names={['customerName', 'phone', 'merchantName', 'openOrderNo', 'amountDue', 'given30Days']}
      />
      <Choices
        configs={customer.configs}
        chosen={answers.serviceConfigNo as string | undefined}
        choose={no => put('serviceConfigNo', no)}
      />
      {choice &&
        names.map(name => (
          <Field
            key={name}
            name={name}
            schema={shape[name]}
            value={answers[name]}
            {...(errors[name] ? { error: errors[name] } : {})}
            onChange={value => put(name, value)}
          />
        ))}
      {choice && <Total choice={choice} answers={answers} name={customer.customerName} />}
      <Flex justify="end" gap="2">
        <DialogCancel />
        <Button type="submit" disabled={!choice} loading={busy}>
          {t('serviceCoupon.apply')}
        </Button>
      </Flex>
    </form>
  )
}

type Sought = InputOf<typeof serviceCoupon.check>
const soughtOf = (text: string): Sought => (phoneFormat.test(text) ? { phone: text } : { customerNo: text })

const Found = ({ sought, first, close }: { sought: Sought; first: Answers; close: Close }) => {
  const t = useText()
  const read = useRead(serviceCoupon.check, sought, { keepPreviousData: false, shouldRetryOnError: false })
  if (read.error)
    return (
      <Callout.Root size="1" color="amber" role="alert">
        <Callout.Text>{t('serviceCoupon.notFound')}</Callout.Text>
      </Callout.Root>
    )
  return (
    <Loaded read={read}>
      {customer => <Form key={customer.customerNo} customer={customer} first={first} close={close} />}
    </Loaded>
  )
}

const Dialog = ({ begin, first, close }: { begin: Sought | null; first: Answers; close: Close }) => {
  const t = useText()
  const [sought, setSought] = useState<Sought | null>(begin)
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('serviceCoupon.apply')}
      description={t('serviceCoupon.applyHint')}
    >
      {!begin && <Finder label={t('serviceCoupon.find')} find={text => setSought(soughtOf(text))} />}
      {sought && <Found key={JSON.stringify(sought)} sought={sought} first={first} close={close} />}
    </ModalDialog>
  )
}

/** Asks for a coupon for the customer on the line: the customer first, then the coupon. */
export const ApplyDialog = ({ close }: Pick<DialogProps<never>, 'close'>) => (
  <Dialog begin={null} first={{}} close={close} />
)

/** Asks once more for what was rejected. */
export const ApplyAgainDialog = ({ rows: [row], close }: DialogProps<ApplyRow>) => {
  const { customerNo, serviceConfigNo, faceAmount, couponCount, reason } = row
  return <Dialog begin={{ customerNo }} first={{ serviceConfigNo, faceAmount, couponCount, reason }} close={close} />
}

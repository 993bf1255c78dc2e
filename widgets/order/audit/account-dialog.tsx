import { type FormEvent, useState } from 'react'
import { fieldErrors } from '../../../core/client/errors.ts'
import { auditReview } from '../../../core/contract/audit-review.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/field.tsx'
import { useCommand } from '../../../core/engine/use-command.ts'
import { wrongWith } from '../../../core/engine/wrong.ts'
import { Button } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/modal-dialog.tsx'
import { SegmentedControl } from '../../../core/ui/more.ts'
import { useWork } from './work.ts'

type Input = InputOf<typeof auditReview.changePayout>
type Account = Partial<Omit<Input, 'orderNo' | 'leaseToken'>> & Pick<Input, 'payoutType'>
type Name = Exclude<keyof Account, 'payoutType'>

const { shape } = auditReview.changePayout.input
const names: Record<Account['payoutType'], readonly Name[]> = {
  wallet: ['payoutSubtype', 'walletAccount', 'cardholderName'],
  bank: ['bankName', 'branch', 'bankCardNo', 'cardholderName'],
}
const optional: readonly Name[] = ['branch']
const network = shape.payoutSubtype.extract(['mtn', 'airtel']).meta({ kind: 'dict', dict: 'PAYOUT_SUBTYPE' })
const schemaOf = (name: Name) => (name === 'payoutSubtype' ? network : shape[name])

const startOf = (payoutType: Account['payoutType'], cardholderName?: string): Account => ({
  payoutType,
  ...(payoutType === 'bank' ? { payoutSubtype: 'bank_transfer' } : {}),
  ...(cardholderName ? { cardholderName } : {}),
})

/** Another account for the payout; whose it is, is asked before it replaces the old one. */
export const AccountDialog = ({ close }: { close: (done?: boolean) => void }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { lease, lose, basic } = useWork()
  const [account, setAccount] = useState<Account>(startOf(basic.payout.payoutType))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})

  const missing = () =>
    names[account.payoutType].flatMap(name => {
      if (!account[name] && optional.includes(name)) return []
      const wrong = wrongWith(t, schemaOf(name), account[name])
      return wrong ? [[name, wrong] as const] : []
    })
  const change = async (event?: FormEvent) => {
    event?.preventDefault()
    const problems = missing()
    setErrors(Object.fromEntries(problems))
    if (problems.length) return
    const outcome = await send(auditReview.changePayout, { ...lease, ...account } as Input, {
      ids: [lease.orderNo],
      done: answer => t('audit.accountChanged', { result: t(`dict.VERIFY_RESULT.${answer.verifyResult}`) }),
    })
    if (outcome.is === 'done') close(true)
    if (outcome.is !== 'refused') return
    if (lose(outcome.error)) close()
    else setErrors(fieldErrors(outcome.error))
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('audit.changePayee')}
      description={t('audit.changePayeeHint')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void change()}>
            {t('audit.checkAndChange')}
          </Button>
        </>
      }
    >
      <form className="mk-form" onSubmit={event => void change(event)}>
        <SegmentedControl.Root
          value={account.payoutType}
          aria-label={t('fields.payoutType')}
          onValueChange={type => {
            setAccount(startOf(type as Account['payoutType'], account.cardholderName))
            setErrors({})
          }}
        >
          {shape.payoutType.options.map(type => (
            <SegmentedControl.Item key={type} value={type}>
              {t(`dict.PAYOUT_TYPE.${type}`)}
            </SegmentedControl.Item>
          ))}
        </SegmentedControl.Root>
        {names[account.payoutType].map(name => (
          <Field
            key={`${account.payoutType}${name}`}
            name={name}
            schema={schemaOf(name)}
            value={account[name]}
            optional={optional.includes(name)}
            error={errors[name]}
            onChange={value => setAccount({ ...account, [name]: value })}
          />
        ))}
        <button type="submit" hidden />
      </form>
    </ModalDialog>
  )
}

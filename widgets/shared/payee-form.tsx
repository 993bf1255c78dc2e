import type { z } from 'zod'
import { payeeFields } from '../../core/contract/payee.ts'
import { type Translate, useText } from '../../core/element/i18n.ts'
import { Field } from '../../core/engine/form/field.tsx'
import { wrongWith } from '../../core/engine/form/wrong.ts'
import { SegmentedControl } from '../../core/ui/more.ts'

type Whole = z.input<z.ZodObject<typeof payeeFields>>
type Kind = Whole['payoutType']
/** An account as far as it is typed. */
export type TypedPayee = Partial<Whole> & { payoutType: Kind }
type Name = Exclude<keyof Whole, 'payoutType'>

const names: Record<Kind, readonly Name[]> = {
  wallet: ['payoutSubtype', 'walletAccount', 'cardholderName'],
  bank: ['bankName', 'branch', 'bankCardNo', 'cardholderName'],
}
const optional: readonly Name[] = ['branch']
const network = payeeFields.payoutSubtype.extract(['mtn', 'airtel']).meta({ kind: 'dict', dict: 'PAYOUT_SUBTYPE' })
const schemaOf = (name: Name) => (name === 'payoutSubtype' ? network : payeeFields[name])

export const emptyPayee = (payoutType: Kind, cardholderName?: string): TypedPayee => ({
  payoutType,
  ...(payoutType === 'bank' ? { payoutSubtype: 'bank_transfer' } : {}),
  ...(cardholderName ? { cardholderName } : {}),
})

/** What is missing or wrong, by field. */
export const payeeErrors = (t: Translate, payee: TypedPayee): Record<string, string> =>
  Object.fromEntries(
    names[payee.payoutType].flatMap(name => {
      if (!payee[name] && optional.includes(name)) return []
      const wrong = wrongWith(t, schemaOf(name), payee[name])
      return wrong ? [[name, wrong]] : []
    }),
  )

/** An account that a loan is to go to: a wallet or a bank account, with the fields of its kind. */
export const PayeeForm = ({
  payee,
  errors,
  onChange,
}: {
  payee: TypedPayee
  errors: Readonly<Record<string, string>>
  /** `changed`: the field that was typed into; without it the kind of account is another one. */
  onChange: (payee: TypedPayee, changed?: string) => void
}) => {
  const t = useText()
  const { payoutType } = payee
  return (
    <>
      <SegmentedControl.Root
        value={payoutType}
        aria-label={t('fields.payoutType')}
        onValueChange={kind => onChange(emptyPayee(kind as Kind, payee.cardholderName))}
      >
        {payeeFields.payoutType.options.map(kind => (
          <SegmentedControl.Item key={kind} value={kind}>
            {t(`dict.PAYOUT_TYPE.${kind}`)}
          </SegmentedControl.Item>
        ))}
      </SegmentedControl.Root>
      {names[payoutType].map(name => (
        <Field
          key={`${payoutType}${name}`}
          name={name}
          schema={schemaOf(name)}
          value={payee[name]}
          optional={optional.includes(name)}
          error={errors[name]}
          onChange={value => onChange({ ...payee, [name]: value }, name)}
        />
      ))}
    </>
  )
}

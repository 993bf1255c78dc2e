import { z } from 'zod'
import { field } from './fields.ts'

/** The account that a loan goes to, as staff type it. */
export const payeeFields = {
  payoutType: field.dict('PAYOUT_TYPE'),
  payoutSubtype: field.dict('PAYOUT_SUBTYPE'),
  walletAccount: field.phone().optional(),
  bankName: field.text().optional(),
  branch: field.text().optional(),
  bankCardNo: z
    .string()
    .regex(/^\d{6,20}$/, 'validation.bankCardFormat')
    .optional(),
  cardholderName: field.text(),
}

type Typed = { payoutType: string; walletAccount?: string; bankCardNo?: string; bankName?: string }

/** Whether everything is there that the kind of account needs: a rule between the fields. */
export const isWholePayee = (typed: Typed): boolean =>
  Boolean(typed.payoutType === 'wallet' ? typed.walletAccount : typed.bankCardNo && typed.bankName)
export const wholePayee = { message: 'validation.infoComplete', path: ['payoutType'] }

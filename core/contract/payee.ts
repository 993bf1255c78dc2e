import { z } from 'zod'
import { verifyResults } from '../rules/payee.ts'
import { dictionary, field } from './fields.ts'

/** Kinds of accounts that a loan is paid to. */
export const payoutTypes = dictionary('PAYOUT_TYPE', ['wallet', 'bank'])
/** The network or transfer of a payee's account. */
export const payoutSubtypes = dictionary('PAYOUT_SUBTYPE', ['mtn', 'airtel', 'bank_transfer'])
/** How the holder's name of a payee compares with the customer's own name. */
export const payeeResults = dictionary('VERIFY_RESULT', verifyResults)

/** The account that a loan goes to, as staff type it. */
export const payeeFields = {
  payoutType: field.dict(payoutTypes),
  payoutSubtype: field.dict(payoutSubtypes),
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
/** The refusal of {@link isWholePayee}: its words, and the field that shows them. */
export const wholePayee = { message: 'validation.infoComplete', path: ['payoutType'] }

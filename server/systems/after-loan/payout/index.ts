export { attemptsOfOrder, loanCodesOfOrder } from './desk/loan-source.ts'
export { brokenCap, checkLegal } from './legal-caps.ts'
export { markOrderChecked } from './mark-checked.ts'
export { type Instrument, isSameName, type Owner, type Verified, verifyHolder } from './payee/holder.ts'
export {
  isSamePayee,
  keepPayee,
  maskedPayee,
  noteOrderPayee,
  ownerOf,
  payeeOf,
  typedPayee,
} from './payee/loan-payee.ts'
export { acceptOrderPayee } from './payee/payee-approval.ts'
export { createLoanCode } from './payout.ts'

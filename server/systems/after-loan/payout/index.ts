export { confirmFirst, disagree, isSame } from './desk/confirm.ts'
export { payeeFailures } from './desk/loan-blocks.ts'
export { takeQuestion, within, wording } from './desk/loan-question.ts'
export {
  type Attempt,
  attemptRows,
  attemptsOfOrder,
  type ConfirmRecord,
  journalRows,
  loanCodesOfOrder,
} from './desk/loan-source.ts'
export { refuseShownPaid } from './desk/shown-paid.ts'
export { brokenCap, checkLegal, legalCaps } from './legal-caps.ts'
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
export { type AskTimes, askTimes, createLoanCode } from './payout.ts'
export { type Channel, installChannels } from './payout-channel.ts'
export { type Outcome, pauseAccount, pauseChannel } from './payout-outcome.ts'
export { askMoneyBack, cancelUnsent, isComingBack, isRepaid } from './payout-return.ts'
export { answerOf, type HeldSend, learned, noteAsk, prepared, type Sender } from './payout-send.ts'

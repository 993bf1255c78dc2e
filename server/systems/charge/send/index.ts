export { confirmAfterMinutes, confirmOutcome, tooEarly } from './confirm.ts'
export { fundAccount as payingAccount, needSending, type PayingAccount, sendOut } from './dispatch.ts'
export type { Payable } from './payable.ts'
export { askNow, senderOf } from './sender.ts'

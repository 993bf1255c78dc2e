export { confirmRefusal, confirmSent, tooEarly } from './confirm.ts'
export { fundAccount as payingAccount, needSending, type PayingAccount, sendOut } from './dispatch.ts'
export { newestAttempt, type Payable } from './payable.ts'
export { askNow, senderOf } from './sender.ts'

export { mayReplay, noteAccepted, noteRefused } from './log.ts'
export {
  type AcquireRule,
  checkCap,
  checkHours,
  checkPerson,
  checkRunning,
  checkShare,
  type LoanKind,
  onePersonAtATime,
  ruleFor,
  takePlace,
} from './rules.ts'
export { acquireSeenBy } from './source.ts'

export {
  giveBack,
  keptByLimit,
  lockLimitsOf,
  noteTaken,
  roomFor,
  type Taken,
  takeAnyway,
  takeLimits,
} from './take-limits.ts'

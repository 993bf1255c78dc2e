export { binderOf } from './mfa-bind.ts'
export { isMoney } from './mfa-reset.ts'
export { type Binding, lockBinding, mfaSealer, tellRecoveryUsed } from './mfa-store.ts'
export { lastLoginOf, selfOf } from './self.ts'

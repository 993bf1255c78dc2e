export { type Codes, codeMinutes, codesOf, type VerifyCode } from './code.ts'
export { limitsOf } from './limits.ts'
export { codeRule } from './source.ts'

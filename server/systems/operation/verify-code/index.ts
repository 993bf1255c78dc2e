export { type Codes, codeMinutes, codesOf } from './code.ts'
export { limitsOf } from './limits.ts'
export { codeRule } from './source.ts'

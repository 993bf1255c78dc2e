export { codeText } from './code-text.ts'
export { amountInText, type Happened, happened } from './happened.ts'

export { costOfPart } from './measure.ts'
export { sendTest } from './send-test.ts'
export { copyTemplates } from './template-store.ts'

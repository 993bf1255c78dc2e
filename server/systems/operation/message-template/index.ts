export { copyTemplates } from './template-store.ts'

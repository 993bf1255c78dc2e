export { flowScope, lockFlow, remainingOf } from './flow-store.ts'

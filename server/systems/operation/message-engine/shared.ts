export { type Composed, compose } from './compose.ts'
export { type NodeRecord, nodeOf, nodesOf } from './node-store.ts'
export { receiverOf, sampleValues, valuesFor } from './receiver.ts'
export type { TemplateRecord } from './template-choice.ts'

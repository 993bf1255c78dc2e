export { noteDecision, replay } from './decisions.ts'
export { ruleFacts } from './facts.ts'
export { setsInForce } from './in-force.ts'

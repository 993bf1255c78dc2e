export { type Plan, planInForce } from './in-force.ts'

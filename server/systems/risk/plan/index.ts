export { type Plan, planInForce } from './in-force.ts'
export { reviewMode } from './mode.ts'
export { planProduct } from './seed.ts'

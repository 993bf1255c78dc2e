export { driftsOf } from './menu-drift.ts'

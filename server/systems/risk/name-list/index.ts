export { listSeen } from './items.ts'
export { type ListHit, listHitsOf, type Named, noteHits } from './order-hits.ts'
export { type ListValues, listValues } from './value.ts'

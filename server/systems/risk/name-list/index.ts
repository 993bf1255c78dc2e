export { type ListHit, listHitsOf, type Named, noteHits } from './order-hits.ts'
export { listSeen } from './seen.ts'
export { type ListValues, listValues } from './value.ts'

export { checkEnd, extendItem, itemTable, removeAgreed, removeItem } from './change.ts'
export { holdings } from './lookup.ts'
export {
  blackAmong,
  isBarred,
  type ListHit,
  listHitsOf,
  type Named,
  namedBy,
  noteHits,
  noteNamed,
} from './order-hits.ts'
export { listSeen } from './seen.ts'
export { lookAt, type NameList, putOn } from './store.ts'
export { type ListValues, listValues } from './value.ts'

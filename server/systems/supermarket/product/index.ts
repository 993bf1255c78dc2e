export { type OfflineCause, takeOffline } from './moves.ts'

export { leaveFrom, leavesWaiting, leaveWaits } from './leave-store.ts'

export { lockHeld, nameOf } from './task-lease.ts'

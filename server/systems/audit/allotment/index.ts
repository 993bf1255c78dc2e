export { releaseTasksOf } from './allot-order.ts'

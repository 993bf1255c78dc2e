export { couponRaise, isCreditOver, restoreCredit, returnCredit, takeCredit, usableLimit, useGrant } from './credit.ts'
export { faceThreshold } from './face-threshold.ts'
export { leaseHeld, orderBlocks } from './order-blocks.ts'
export {
  findOrder,
  isLeaseLive,
  leaseLive,
  lockActiveTask,
  lockOrder,
  minutesSince,
  noteSearch,
  type Order,
  orderApproval,
  orderColumns,
  orderFrom,
  orderJoins,
  orderListFilters,
  orderScope,
  refuseName,
  type Task,
} from './order-source.ts'

import { tabbed } from '../../core/engine/list/tabbed.tsx'
import delayedArrivals from './repayment/delayed-list.tsx'
import flows from './repayment/flow-list.tsx'
import orders from './repayment/repay-order-list.tsx'

/** Repayment officers apply received money to orders, answer what must be paid today, and settle leftovers. */
export default tabbed([
  { name: 'orders', label: 'afterLoan.orders', screen: orders },
  { name: 'flows', label: 'afterLoan.flows', screen: flows },
  { name: 'delayed', label: 'delayed.title', screen: delayedArrivals },
])

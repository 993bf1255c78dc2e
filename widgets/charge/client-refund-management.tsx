import { tabbed } from '../../core/engine/list/tabbed.tsx'
import overflow from './overflow-list.tsx'
import refunds from './refund-list.tsx'

/** Repayment officers give back what customers paid too much, and the cashier pays what was approved. */
export default tabbed([
  { name: 'refunds', label: 'charge.refunds', screen: refunds },
  { name: 'overflow', label: 'charge.overflow', screen: overflow },
])

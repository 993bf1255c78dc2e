import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import {
  noteSearch,
  orderColumns,
  orderFrom,
  orderJoins,
  orderListFilters,
  orderScope,
} from '../../order/order/index.ts'

const { audit } = contract

/** The next day on which something is due; nothing is before the money is out or after it is back. */
const nextDueDate = sql`(select min(b.due_date) from repay_plan b where b.order_no = o.order_no and b.bill_status in ('pending', 'partial'))`

const orders = listed({
  list: audit.shortList,
  source: ({ session }) => ({
    from: orderFrom,
    joins: orderJoins,
    where: orderScope(session, audit.shortList.perm),
    alias: 'o',
    key: sql`o.order_no`,
    columns: {
      ...orderColumns(session.language),
      refuseText: sql`rc.customer_text`,
      nextDueDate,
    },
    filters: orderListFilters(session),
  }),
  check: noteSearch,
})

/** Shows how far an order is to those who decide nothing about it. */
export const orderShortModule = (_deps: Deps): Module => ({ served: [serveListed(orders)], lists: [orders] })

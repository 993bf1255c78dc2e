import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { newNo } from '../../money/numbers.ts'
import { writeAudit } from '../../rights/audit-rows.ts'
import { create, transition } from '../../states/transition.ts'
import { at } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const maker = { no: userNoOf('finance1'), name: 'Paul Ssemakula', requestId: 'demo links', ip: null }

type Owing = { orderNo: string; merchantNo: string; customerNo: string; left: string }

/** How old each link is, and what became of it. */
const links = [
  { hours: 0.5, ends: null },
  { hours: 3, ends: null },
  { hours: 5, ends: 'link.revoke' },
  { hours: 30, ends: 'clock.ttl' },
  { hours: 54, ends: 'clock.ttl' },
] as const

/** Links that customers were given by phone: some live, some over. */
export const writePayLinks = async (tx: Tx): Promise<void> => {
  const orders = await tx.rows(sql<Owing>`
    select o.order_no, o.merchant_no, o.customer_no, b.bill_amount as left
    from loan_order o join lateral (
      select trunc(sum(p.principal_due))::numeric(18,2) as bill_amount from repay_plan p where p.order_no = o.order_no and p.bill_status = 'pending') b on true
    where o.order_status = 'funds_disbursed' and b.bill_amount > 20000 order by o.order_no limit ${links.length - 1}`)
  for (const [index, { hours, ends }] of links.entries()) {
    const order = orders[Math.max(0, index - 1)]
    if (!order) return
    const { left: _, ...of } = order
    const now = at(tx, new Date(tx.now.getTime() - hours * 3_600_000))
    const linkNo = newNo('PL', now.now)
    const made = {
      ...{ linkNo, ...of, amount: `${(index + 1) * 4}000.00`, linkCode: randomBytes(16).toString('hex') },
      ...{ expireTime: new Date(now.now.getTime() + 24 * 3_600_000), timesSent: index % 2 },
      ...{ createdBy: maker.no, createdName: maker.name, createdTime: now.now },
    }
    await create(now, 'repaymentLink', made, { event: 'link.create' }, maker)
    writeAudit(now, { action: 'payLink.create', path: '', actor: maker }, [
      { objectType: 'repaymentLink', objectNo: linkNo, orderNo: order.orderNo },
    ])
    await now.flush()
    if (ends === null) continue
    const set = ends === 'link.revoke' ? { revokeReason: 'Customer pays by code' } : {}
    await transition(now, 'repaymentLink', { ...made, linkStatus: 'active', version: 0 }, { event: ends, set }, maker)
  }
}

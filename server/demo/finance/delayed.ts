import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { newNo } from '../../money/numbers.ts'
import { writeAudit } from '../../rights/audit-rows.ts'
import { create, transition } from '../../states/transition.ts'
import { bookReceipt, enterFlow } from '../../systems/after-loan/flow/flow-store.ts'
import { at } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const person = (login: string, name: string) => ({ no: userNoOf(login), name, requestId: 'demo delays', ip: null })
const maker = person('finance1', 'Paul Ssemakula')
const checker = person('finance2', 'Irene Atuhaire')

type Late = {
  orderNo: string
  merchantNo: string
  customerNo: string
  payCode: string
  phone: string
  customerName: string
  dueDate: string
  fundAccountNo: string
  channel: string
}

/** What became of a request, the newest first. */
const ends = [null, 'withdrawn', 'rejected'] as const

/** Customers who say that they paid in time: the network delivered later, and a second person is to decide. */
export const writeDelays = async (tx: Tx): Promise<void> => {
  const orders = await tx.rows(sql<Late>`
    select distinct on (o.order_no) o.order_no, o.merchant_no, o.customer_no, o.pay_code, c.phone, c.customer_name, b.due_date, f.fund_account_no, f.channel
    from loan_order o join order_customer c on c.customer_no = o.customer_no and c.merchant_no = o.merchant_no
      join repay_plan b on b.order_no = o.order_no and b.bill_status in ('pending', 'partial')
      join fund_account_merchant fm on fm.merchant_no = o.merchant_no
      join fund_account f on f.fund_account_no = fm.fund_account_no and f.enabled = 'enabled' and f.account_role in ('collection', 'both') and f.channel = 'mtn_momo'
    where o.order_status = 'funds_disbursed' and b.due_date between ${tx.today}::date - 6 and ${tx.today}::date - 1
      and not exists (select 1 from repay_record r where r.order_no = o.order_no and r.record_status = 'posted')
      and not exists (select 1 from repay_plan e where e.order_no = o.order_no and e.due_date < b.due_date and e.bill_status in ('pending', 'partial'))
    order by o.order_no, f.fund_account_no limit ${ends.length}`)
  for (const [index, order] of orders.entries()) {
    const now = at(tx, new Date(tx.now.getTime() - (index + 1) * 45 * 60_000))
    const { orderNo, merchantNo, customerNo, payCode, phone, customerName, dueDate, fundAccountNo, channel } = order
    const flow = await enterFlow(
      now,
      'channel.callback',
      {
        channel,
        serialNo: `94000000${String(index + 1).padStart(2, '0')}`,
        amount: `${(index + 2) * 10}000.00`,
        entryTime: new Date(now.now.getTime() - 30 * 60_000).toISOString(),
        source: 'callback',
        paymentCode: payCode,
        fundAccountNo,
        payerName: customerName,
        payerAccount: phone,
        isrecord: true,
        merchantNo,
        customerNo,
        waitReason: 'amount_unclear',
      },
      maker,
    )
    await bookReceipt(now, flow, maker)
    const delayNo = newNo('DA', now.now)
    const made = { makerNo: maker.no, makerName: maker.name, createdTime: now.now }
    const row = { delayNo, flowNo: flow.flowNo, orderNo, amount: flow.amount, dueDate, claimedDate: dueDate, ...made }
    await now.flush()
    await create(now, 'delayedArrival', row, { event: 'delayed.apply' }, maker)
    writeAudit(now, { action: 'delayed.apply', path: '', actor: maker }, [
      { objectType: 'delayedArrival', objectNo: delayNo, orderNo },
    ])
    await now.flush()
    const held = { ...row, delayStatus: 'pending', version: 0 }
    const end = ends[index]
    if (end === 'withdrawn') await transition(now, 'delayedArrival', held, { event: 'delayed.withdraw' }, maker)
    if (end !== 'rejected') continue
    const set = {
      auditorNo: checker.no,
      auditorName: checker.name,
      auditTime: now.now,
      auditReason: 'Sent on the 2nd day',
    }
    await transition(now, 'delayedArrival', held, { event: 'delayed.audit', as: 'reject', set }, checker)
  }
}

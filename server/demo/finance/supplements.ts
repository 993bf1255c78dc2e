import { sql } from 'kysely'
import type { Money } from '../../../core/rules/money.ts'
import type { Tx } from '../../db/database.ts'
import { newNo } from '../../money/numbers.ts'
import { writeAudit } from '../../rights/audit-rows.ts'
import { transition } from '../../states/transition.ts'
import { bookReceipt, enterFlow, readFlows } from '../../systems/after-loan/flow/flow-store.ts'
import { at } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const person = (login: string, name: string) => ({ no: userNoOf(login), name, requestId: 'demo supplements', ip: null })
const maker = person('finance1', 'Paul Ssemakula')
const checker = person('finance2', 'Irene Atuhaire')

type Order = {
  orderNo: string
  merchantNo: string
  customerNo: string
  payCode: string
  fundAccountNo: string
  channel: string
  payer: string
  payerName: string
}
/** How long ago it was sent in hours, and what became of it. */
type Case = { hours: number; amount: Money; end?: 'approved' | 'rejected'; reason?: string }

const story: readonly Case[] = [
  { hours: 3, amount: '85000.00' },
  { hours: 5, amount: '40000.00' },
  { hours: 20, amount: '120000.00' },
  { hours: 26, amount: '64500.00' },
  { hours: 30, amount: '64500.00' },
  ...[2, 3, 4, 6, 8, 9, 12].map(days => ({
    hours: days * 24,
    amount: `${30 + days * 5}000.00`,
    end: 'approved' as const,
  })),
  { hours: 70, amount: '90000.00', end: 'rejected', reason: 'The picture is not readable' },
  { hours: 130, amount: '55000.00', end: 'rejected', reason: 'Paid to another company' },
  { hours: 260, amount: '30000.00', end: 'rejected', reason: 'The customer withdrew it' },
]

const noted = (tx: Tx, action: string, actor: typeof maker, flowNo: string) =>
  writeAudit(tx, { action, path: '', actor }, [{ objectType: 'flow', objectNo: flowNo }])

const send = async (tx: Tx, order: Order, { amount }: Case, serialNo: string) => {
  const entryTime = new Date(tx.now.getTime() - 90 * 60_000).toISOString()
  const { channel, fundAccountNo, payCode, payer, payerName, merchantNo, customerNo, orderNo } = order
  const entered = {
    channel,
    serialNo,
    amount,
    entryTime,
    fundAccountNo,
    paymentCode: payCode,
    payerAccount: payer,
    payerName,
    merchantNo,
    customerNo,
    source: 'supplement',
  }
  const flow = await enterFlow(tx, 'supplement.submit', entered, maker)
  const supplementNo = newNo('SU', tx.now)
  await tx.flush()
  await tx.exec(sql`
    insert into flow_supplement (supplement_no, flow_no, order_no, channel_answer, maker_no, maker_name, created_time)
    values (${supplementNo}, ${flow.flowNo}, ${orderNo}, 'not_closed', ${maker.no}, ${maker.name}, ${tx.now})`)
  noted(tx, 'supplement.submit', maker, flow.flowNo)
  return { supplementNo, flowNo: flow.flowNo }
}

const decide = async (tx: Tx, sent: { supplementNo: string; flowNo: string }, { end, reason }: Case) => {
  const [flow] = await readFlows(tx, [sent.flowNo])
  if (!flow || !end) return
  const approved = end === 'approved'
  const moved = approved
    ? await transition(
        tx,
        'flow',
        flow,
        { event: 'supplement.approve', set: { proof: 'person', waitReason: null } },
        checker,
      )
    : await transition(tx, 'flow', flow, { event: 'supplement.reject', payload: { reason } }, checker)
  if (approved) await bookReceipt(tx, { ...flow, ...moved }, checker)
  await tx.flush()
  await tx.exec(sql`
    update flow_supplement set reviewer_no = ${checker.no}, reviewer_name = ${checker.name}, review_time = ${tx.now}, review_reason = ${reason ?? null}, seen_in_portal = ${approved}
    where supplement_no = ${sent.supplementNo}`)
  noted(tx, `supplement.${approved ? 'approve' : 'reject'}`, checker, sent.flowNo)
}

/** Payments that customers showed proof of: five wait for a second person, ten were decided. */
export const writeSupplements = async (tx: Tx): Promise<void> => {
  const orders = await tx.rows(sql<Order>`
    select o.order_no, o.merchant_no, o.customer_no, o.pay_code, a.fund_account_no, a.channel, c.phone as payer, c.customer_name as payer_name
    from loan_order o join order_customer c on c.customer_no = o.customer_no and c.merchant_no = o.merchant_no
      join fund_account_merchant m on m.merchant_no = o.merchant_no join fund_account a on a.fund_account_no = m.fund_account_no
    where o.order_status in ('funds_disbursed', 'settled') and o.pay_code is not null and a.enabled = 'enabled' and a.account_role in ('collection', 'both') and a.channel <> 'bank_file'
    order by o.payout_time, a.fund_account_no limit ${story.length}`)
  for (const [place, order] of orders.entries()) {
    const one = story[place] as Case
    const sentTime = new Date(tx.now.getTime() - one.hours * 3_600_000)
    const sent = await send(at(tx, sentTime), order, one, `${7_480_000_000 + place * 7919}`)
    if (one.end) await decide(at(tx, new Date(sentTime.getTime() + 2 * 3_600_000)), sent, one)
  }
  await tx.flush()
}

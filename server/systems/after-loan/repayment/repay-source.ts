import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { BillRow, FlowRow, JournalRow, RecordRow } from '../../../../core/contract/after-loan/repayment-rows.ts'
import {
  isOpen as isOpenBill,
  outstandingOf as outstandingOfBills,
  overdueDays,
  remainingTotal,
} from '../../../../core/rules/loan/bill.ts'
import { type Amounts, type Component, components, totalOf, zero } from '../../../../core/rules/loan/components.ts'
import { type Money, sub } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { contestedOf } from '../delayed/contested.ts'
import { billOf, type PlanRow, receivable } from './plan.ts'

type Frag = RawBuilder<unknown>
type Journal = z.output<typeof JournalRow>

const column = (component: Component) => component.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** What is left of some components of a bill, over the alias `b` of repay_plan. */
export const leftOf = (some: readonly Component[] = components): Frag =>
  sql.join(
    some.map(one => sql.raw(`b.${column(one)}_due - b.${column(one)}_paid - b.${column(one)}_waived`)),
    sql` + `,
  )

/** What some components of a bill add up to in one part, over the alias `b` of repay_plan. */
export const partOf = (part: 'due' | 'paid' | 'waived', some: readonly Component[] = components): Frag =>
  sql.join(
    some.map(one => sql.raw(`b.${column(one)}_${part}`)),
    sql` + `,
  )

/** A sum over the bills of an order, as one column; `order` names the order, `where` narrows the bills `b`. */
export const ofBills = (value: Frag, order: Frag = sql`o.order_no`, where: Frag = sql`true`): Frag =>
  sql`coalesce((select sum(${value}) from repay_plan b where b.order_no = ${order} and ${where}), 0.00)`

const isOpen = sql`b.bill_status in ('pending', 'partial')`

/** What is owed on an order, as one column: over the alias `o` of loan_order unless another column is named. */
export const outstandingColumn = (order?: Frag, some?: readonly Component[]): Frag =>
  ofBills(leftOf(some), order, isOpen)

/** What the bills of one order add up to, in one row: left over by kind while they are open, and what was paid and waived. */
export const billSums = (order: Frag): Frag => {
  const left = (...some: Component[]) =>
    sql`coalesce(sum(${leftOf(some.length ? some : components)}) filter (where ${isOpen}), 0.00)`
  const part = (of: 'paid' | 'waived') =>
    sql`coalesce(sum(${partOf(of)}) filter (where b.bill_status <> 'cancelled'), 0.00)`
  return sql`select ${left()} as settle, ${left('principal')} as principal, ${left('interest')} as interest,
    ${left('serviceFee', 'managementFee')} as fee, ${left('lateFee', 'liquidatedDamages')} as penalty, ${part('paid')} as paid, ${part('waived')} as waived,
    count(*) filter (where b.bill_status = 'paid')::int as paid_count, coalesce(max(b.extension_count) filter (where b.bill_status <> 'cancelled'), 0) as extension_count,
    min(b.due_date) filter (where ${isOpen}) as due_date
    from repay_plan b where b.order_no = ${order}`
}

/** The due date of the oldest open bill of every order that has one: the same for many orders at once. */
export const nextDues = sql`select b.order_no, min(b.due_date) as due_date from repay_plan b where ${isOpen} group by b.order_no`

const plansOf = (tx: Tx, orderNo: string) =>
  tx.rows(sql<PlanRow>`select * from repay_plan where order_no = ${orderNo} order by installment_no, extension_count`)

/** What is owed on an order today. */
export const outstandingOf = async (tx: Tx, orderNo: string): Promise<Money> =>
  outstandingOfBills((await plansOf(tx, orderNo)).map(billOf))

/** The bills of an order as a person sees them. */
export const billsOfOrder = async (tx: Tx, orderNo: string): Promise<BillRow[]> => {
  const contested = await contestedOf(tx, orderNo)
  return (await plansOf(tx, orderNo)).map(row => {
    const bill = billOf(row)
    const { billNo, installmentNo, dueDate, due, paid, waived } = bill
    const { billStatus, settledTime, extended, extensionCount } = row
    return {
      billNo,
      installmentNo,
      dueDate,
      billStatus,
      due,
      paid,
      waived,
      billAmount: totalOf(due),
      left: isOpenBill(bill) ? remainingTotal(bill) : '0.00',
      contestedPenalty: contested.get(billNo) ?? '0.00',
      overdueDays: overdueDays(bill, tx.today),
      settledTime,
      extended,
      extensionCount,
    }
  })
}

type Line = { component: Component; applied: Money; waived: Money }
type StoredRecord = Omit<RecordRow, 'applied' | 'waived'> & { lines: Line[] | null }

const linesOf = (lines: readonly Line[] | null, part: 'applied' | 'waived'): Amounts => ({
  ...zero(),
  ...Object.fromEntries((lines ?? []).map(line => [line.component, line[part]])),
})

/** What was written off on an order, the newest first. */
export const recordsOfOrder = async (tx: Tx, orderNo: string): Promise<RecordRow[]> => {
  const rows = await tx.rows(sql<StoredRecord>`
    select r.repayment_no, r.repay_type, r.record_status, r.amount, r.overflow_amount, r.reduction_amount, r.coupon_amount, r.extension_fee, r.value_date, r.repayment_time, r.posted_name, r.remark, r.version,
      (select jsonb_agg(jsonb_build_object('component', s.component, 'applied', s.applied::text, 'waived', s.waived::text))
        from (select component, sum(applied) as applied, sum(waived) as waived from repay_record_line where repayment_no = r.repayment_no group by component) s) as lines,
      coalesce((select jsonb_agg(jsonb_build_object('flowNo', f.flow_no, 'serialNo', f.serial_no, 'channel', f.channel, 'writeOffAmount', rf.write_off_amount::text) order by f.entry_time, f.serial_no)
        from repay_record_flow rf join repay_flow f using (flow_no) where rf.repayment_no = r.repayment_no), '[]') as flows,
      r.record_status = 'posted' and not exists (
        select 1 from repay_record later where later.order_no = r.order_no and later.record_seq > r.record_seq and later.record_status = 'posted') as newest,
      (select a.approval_no from approval a where a.object_type = 'repaymentRecord' and a.object_no = r.repayment_no and a.approval_status = 'pending' limit 1) as pending_approval
    from repay_record r where r.order_no = ${orderNo} order by r.record_seq desc`)
  return rows.map(({ lines, ...row }) => ({
    ...row,
    applied: linesOf(lines, 'applied'),
    waived: linesOf(lines, 'waived'),
  }))
}

/** The journals of an order with their lines, the newest first. */
export const journalsOfOrder = (tx: Tx, orderNo: string): Promise<Journal[]> =>
  tx.rows(sql<Journal>`
    select j.journal_no, j.posting_code, j.business_date, j.value_date, j.posted_time, j.cause, j.actor, j.reverses_journal_no,
      (select jsonb_agg(jsonb_build_object('accountCode', l.account_code, 'component', l.component,
        'debit', greatest(l.amount, 0.00)::numeric(18,2)::text, 'credit', greatest(-l.amount, 0.00)::numeric(18,2)::text) order by l.line_no)
        from journal_line l where l.journal_no = j.journal_no) as lines
    from journal j where j.order_no = ${orderNo} order by j.journal_no desc`)

const kinds: readonly (readonly Component[])[] = [
  ['principal'],
  ['interest'],
  ['serviceFee', 'managementFee'],
  ['lateFee', 'liquidatedDamages'],
]

/** The receivables of an order in the ledger beside what its bills say, and what is held for its customer. */
export const balancesOfOrder = async (tx: Tx, order: { orderNo: string; customerNo: string }) => {
  const bills = (await plansOf(tx, order.orderNo)).map(billOf)
  const overflow = `overpayment:${order.customerNo}`
  const accounts = kinds.map(some => ({
    accountCode: receivable(order.orderNo, some[0] as Component),
    bills: outstandingOfBills(bills, some),
  }))
  const codes = [...accounts.map(({ accountCode }) => accountCode), overflow]
  const stored = await tx.rows(sql<{ accountCode: string; balance: Money }>`
    select account_code, balance from ledger_balance where account_code = any(${codes})`)
  const balanceOf = (code: string): Money => stored.find(({ accountCode }) => accountCode === code)?.balance ?? '0.00'
  return [
    ...accounts.map(account => ({ ...account, balance: balanceOf(account.accountCode) })),
    { accountCode: overflow, balance: sub('0.00', balanceOf(overflow)), bills: null },
  ]
}

/** Columns of a flow `f` with its account `fa`, for lists and drawers. */
export const flowColumns = (tx: Tx): Record<string, Frag> => ({
  paymentChannel: sql`f.channel`,
  accountName: sql`fa.account_name`,
  remaining: sql`f.amount - f.applied - f.refunded`,
  pendingApproval: sql`(select a.approval_no from approval a where a.object_type = 'flow' and a.object_no = f.flow_no and a.approval_status = 'pending' limit 1)`,
  orderNos: sql`array(
    select distinct r.order_no from repay_record_flow rf join repay_record r using (repayment_no) where rf.flow_no = f.flow_no and r.record_status = 'posted' order by 1)`,
  ageDays: sql`greatest(${tx.today}::date - (f.entry_time at time zone 'Africa/Kampala')::date, 0)`,
})

export const flowFrom = sql`repay_flow f left join fund_account fa on fa.fund_account_no = f.fund_account_no`

/** Flows that were written off to an order, and unused ones of its customer or its pay code. */
export const flowsOfOrder = (
  tx: Tx,
  order: { orderNo: string; customerNo: string; payCode: string | null },
  where: Frag,
): Promise<FlowRow[]> => {
  const own = flowColumns(tx)
  return tx.rows(sql<FlowRow>`
    select f.flow_no, f.serial_no, ${own.paymentChannel} as payment_channel, f.payment_code, ${own.accountName} as account_name, f.amount, ${own.remaining} as remaining, f.payer_name, f.payer_account,
      f.entry_time, f.isrecord, f.flow_status, f.source, f.proof, ${own.pendingApproval} as pending_approval, ${own.orderNos} as order_nos, ${own.ageDays} as age_days, f.wait_reason, f.version
    from ${flowFrom}
    where ${where} and (
      exists (select 1 from repay_record_flow rf join repay_record r using (repayment_no) where rf.flow_no = f.flow_no and r.order_no = ${order.orderNo})
      or f.flow_status in ('unproven', 'available', 'partly_used') and (f.customer_no = ${order.customerNo} or f.payment_code = ${order.payCode}))
    order by f.entry_time desc, f.serial_no limit 100`)
}

import { sql } from 'kysely'
import type { ReleasedOrder } from '../../../../core/contract/after-loan/loan.ts'
import type { Tx } from '../../../db/database.ts'
import type { NumberedRows, RowsCall } from '../../../files/imports/store.ts'
import { Fault } from '../../../http/fault.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Session } from '../../../session/session.ts'
import { createMany, transitionMany } from '../../../states/transition.ts'
import { type Order, orderScope } from '../../order/order/index.ts'
import { checkSaid, firstWord, requireDoubt, type Said } from '../payout/desk/confirm.ts'
import { tooEarly } from '../payout/desk/loan-blocks.ts'
import {
  type Attempt,
  type ConfirmRecord,
  type HeldAttempt,
  type LoanCode,
  loanPage,
} from '../payout/desk/loan-source.ts'
import { shownPaid } from '../payout/desk/shown-paid.ts'
import { checkOrder, saidBy } from './released-rules.ts'

type Row = { rowNo: number; row: ReleasedOrder }
type Right = Row & { held: HeldAttempt; said: Said }

/** Rows of which no other names the same payout or the same number. */
const apart = (rows: NumberedRows<ReleasedOrder>): Row[] => {
  const seen = new Map<string, number>()
  const namesOf = ({ loanCode, serialNo }: ReleasedOrder) => [
    `code ${loanCode}`,
    ...(serialNo ? [`no ${serialNo}`] : []),
  ]
  for (const row of rows.values()) for (const name of namesOf(row)) seen.set(name, (seen.get(name) ?? 0) + 1)
  return [...rows].flatMap(([rowNo, row]) => (namesOf(row).every(name => seen.get(name) === 1) ? [{ rowNo, row }] : []))
}

/** The payouts with their orders and last sends, locked in the fixed order: all orders, all codes, all sends. */
const lockHeld = async (tx: Tx, session: Session, loanCodes: string[]): Promise<Map<string, HeldAttempt>> => {
  const orders = await tx.rows(sql<Order>`
    select o.* from loan_order o where o.order_no in (select order_no from loan_code where loan_code = any(${loanCodes}))
      and ${orderScope(session, loanPage)} order by o.order_no for update of o`)
  const codes = await tx.rows(sql<LoanCode>`
    select * from loan_code where loan_code = any(${loanCodes}) order by loan_code for update`)
  const sends = codes.map(({ loanCode, attemptNo }) => `${loanCode}-${attemptNo}`)
  const attempts = await tx.rows(sql<Attempt>`
    select * from gateway_attempt where external_id = any(${sends}) and parent_kind = 'loanCode' order by external_id for update`)
  const orderOf = new Map(orders.map(order => [order.orderNo, order]))
  const attemptOf = new Map(attempts.map(attempt => [attempt.externalId, attempt]))
  return new Map(
    codes.flatMap(code => {
      const [order, attempt] = [orderOf.get(code.orderNo), attemptOf.get(`${code.loanCode}-${code.attemptNo}`)]
      return order && attempt ? [[code.loanCode, { order, code, attempt }]] : []
    }),
  )
}

/** What a row says, where nothing stands against it. */
const rightOf = (tx: Tx, { rowNo, row }: Row, held: HeldAttempt | undefined): Right[] => {
  if (!held) return []
  try {
    checkOrder(held, row)
    requireDoubt(held)
    if (tooEarly(tx, held.attempt)) return []
    const said = saidBy(row, tx.today)
    checkSaid(tx, said, held, 'payoutTime')
    return [{ rowNo, row, held, said }]
  } catch (error) {
    if (error instanceof Fault) return []
    throw error
  }
}

/** Payouts whose number proves another one already. The channels are locked: no number is taken meanwhile. */
const takenNumbers = async (tx: Tx, rows: readonly Right[]): Promise<Set<string>> => {
  const proven = rows.filter(({ said }) => said.serialNo !== undefined)
  const channels = [...new Set(proven.map(({ held }) => held.attempt.channel))]
  await tx.exec(sql`select 1 from channel where channel = any(${channels}) order by channel for no key update`)
  const found = await tx.rows(sql<{ loanCode: string }>`
    with x as (
      select * from unnest(${proven.map(({ held }) => held.code.loanCode)}::text[], ${proven.map(({ held }) => held.attempt.externalId)}::text[],
        ${proven.map(({ held }) => held.attempt.channel)}::text[], ${proven.map(({ said }) => said.serialNo)}::text[]) as given (loan_code, external_id, channel, serial_no))
    select x.loan_code from x join gateway_attempt a on a.channel = x.channel and a.serial_no = x.serial_no and a.external_id <> x.external_id
    union all
    select x.loan_code from x join loan_code_confirm cf on cf.serial_no = x.serial_no and cf.parent_kind = 'loanCode' and cf.confirm_status = 'first_confirmed'
        and cf.parent_no <> x.loan_code join loan_code lc on lc.loan_code = cf.parent_no and lc.channel = x.channel`)
  return new Set(found.map(({ loanCode }) => loanCode))
}

/** Orders whose payee people have changed: who did, and who is the same person, is asked row by row. */
const changedOrders = async (tx: Tx, rows: readonly Right[]): Promise<Set<string>> => {
  const orderNos = rows.map(({ held }) => held.order.orderNo)
  const found = await tx.rows(sql<{ orderNo: string }>`
    select distinct order_no from order_payout_history where order_no = any(${orderNos})`)
  return new Set(found.map(({ orderNo }) => orderNo))
}

/** Confirmations that are open, locked, by the number of their payout. */
const lockOpen = async (tx: Tx, loanCodes: string[]): Promise<Map<string, ConfirmRecord>> => {
  const found = await tx.rows(sql<ConfirmRecord>`
    select * from loan_code_confirm where parent_kind = 'loanCode' and parent_no = any(${loanCodes})
      and confirm_status in ('unconfirmed', 'first_confirmed') order by parent_no for update`)
  return new Map(found.map(record => [record.parentNo, record]))
}

/** The open confirmation of each payout, with a new one where there is none. */
const openedAll = async (
  { tx, actor }: RowsCall,
  rows: readonly Right[],
  open: ReadonlyMap<string, ConfirmRecord>,
): Promise<Map<string, ConfirmRecord>> => {
  const missing = rows.map(({ row }) => row.loanCode).filter(loanCode => !open.has(loanCode))
  const fresh = missing.map(loanCode => ({
    confirmNo: newNo('CF', tx.now),
    parentKind: 'loanCode',
    parentNo: loanCode,
  }))
  createMany(
    tx,
    'confirmRecord',
    fresh.map(values => ({ values })),
    { event: 'confirm.open' },
    actor,
  )
  await tx.flush()
  return new Map([...open, ...(await lockOpen(tx, missing))])
}

/** Those of some rows that are right and depend on no other. */
const allRight = async ({ tx, session }: RowsCall, rows: NumberedRows<ReleasedOrder>): Promise<Right[]> => {
  const alone = apart(rows)
  const held = await lockHeld(
    tx,
    session,
    alone.map(({ row }) => row.loanCode),
  )
  const right = alone.flatMap(one => rightOf(tx, one, held.get(one.row.loanCode)))
  if (right.length === 0) return []
  const [changed, taken] = [await changedOrders(tx, right), await takenNumbers(tx, right)]
  const denied = right.flatMap(({ said, held: { attempt } }) => (said.result === 'success' ? [] : [attempt]))
  const shown = await shownPaid(tx, denied)
  return right.filter(
    ({ held: { order, code, attempt } }) =>
      !changed.has(order.orderNo) && !taken.has(code.loanCode) && !shown.has(attempt.externalId),
  )
}

/** Confirms the outcomes of many payouts first, by the rules of one: what any rule stands against is left to be refused by itself. */
export const takeMany = async (call: RowsCall, rows: NumberedRows<ReleasedOrder>): Promise<Map<number, string>> => {
  const { tx, actor, importNo } = call
  const right = await allRight(call, rows)
  const open = await lockOpen(
    tx,
    right.map(({ row }) => row.loanCode),
  )
  const free = right.filter(({ row }) => (open.get(row.loanCode)?.confirmStatus ?? 'unconfirmed') === 'unconfirmed')
  if (free.length === 0) return new Map()
  const records = await openedAll(call, free, open)
  const recordOf = ({ row }: Right) => records.get(row.loanCode) as ConfirmRecord
  const moved = free.map(one => {
    const from = { importNo, ...(one.row.failReason === undefined ? {} : { failReason: one.row.failReason }) }
    return { row: recordOf(one), set: firstWord(tx, { ...one.said, ...from }, actor) }
  })
  await transitionMany(tx, 'confirmRecord', moved, { event: 'confirm.first' }, actor)
  const loanCodes = free.map(({ row }) => row.loanCode)
  await tx.exec(sql`update loan_code set version = version + 1 where loan_code = any(${loanCodes})`)
  for (const { rowNo, row, held, said } of free)
    call.audit(rowNo, {
      objectType: 'loanCode',
      objectNo: row.loanCode,
      orderNo: row.orderNo,
      before: { loanCodeStatus: held.code.loanCodeStatus },
      after: { confirmStatus: 'first_confirmed', ...said },
    })
  return new Map(free.map(one => [one.rowNo, recordOf(one).confirmNo]))
}

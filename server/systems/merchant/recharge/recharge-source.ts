import { type RawBuilder, sql } from 'kysely'
import { recharge as calls, RechargeRow } from '../../../../core/contract/merchant/recharge.ts'
import { lt, type Money, sub } from '../../../../core/rules/money.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import { waitingMaker } from '../../../configs/checked.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { fromFor, numbersOf, oneOf, selected } from '../../../lists/list.ts'
import { listed, type Reader } from '../../../lists/listed.ts'
import type { Session } from '../../../session/session.ts'
import { merchantScope, walletOf } from '../consumption/index.ts'

type Frag = RawBuilder<unknown>
/** A top-up as it is stored. */
export type Recharge = {
  rechargeNo: string
  rechargeStatus: string
  merchantNo: string
  rechargeAmount: Money
  fundAccountNo: string
  serialNo: string
  makerNo: string
  checkerNo: string | null
  journalNo: number | null
  version: number
}
/** What requests about top-ups are kept under, and their files. */
export const objectType = 'merchantRecharge'
const perm = calls.page.perm as string

/** The line of the bank's own statement that shows a top-up `c`. */
const shown: Frag = sql`
  from statement_line l where l.fund_account_no = c.fund_account_no and l.serial_no = c.serial_no and l.direction = 'in' and l.line_kind = 'payment' and l.amount = c.recharge_amount`

type Known = { row: Recharge; waits: boolean; balance: Money }
const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, Known>> => {
  const rows = await tx.rows(sql<Recharge & { waits: boolean; balance: Money }>`
    select c.*, ${waitingMaker(objectType, sql`c.recharge_no`)} is not null as waits, ${walletOf(sql`c.merchant_no`)} as balance
    from merchant_recharge c where c.recharge_no = any(${[...keys]})`)
  return new Map(rows.map(({ waits, balance, ...row }) => [row.rechargeNo, { row, waits, balance }]))
}

/** Nobody decides about what they booked themselves. */
const byMaker = ({ row }: Known, { session }: Asker) =>
  row.rechargeStatus === 'pending' && session?.userNo === row.makerNo
    ? new Fault('forbidden', 'errors.makerChecker')
    : null

/** What would be left of a wallet without a top-up is never below nothing. */
export const beyondWallet = (balance: Money, amount: Money) =>
  lt(sub(balance, amount), '0.00') ? new Fault('stateConflict', 'errors.walletUsed', { balance }) : null

/** Why a top-up takes no command. */
export const rechargeBlocks = blocks<Known>({
  read,
  states: ({ row }) => ({ merchantRecharge: row.rechargeStatus }),
  waits: ({ waits }) => waits,
  commands: [
    { command: calls.approve, refuses: byMaker },
    { command: calls.reject, refuses: byMaker },
    {
      command: calls.resubmit,
      refuses: ({ row }, { session }) =>
        row.rechargeStatus === 'rejected' && session && session.userNo !== row.makerNo
          ? new Fault('forbidden', 'errors.onlyBooker')
          : null,
    },
    {
      command: calls.reverse,
      refuses: ({ row, balance }) =>
        row.rechargeStatus === 'confirmed' ? beyondWallet(balance, row.rechargeAmount) : null,
    },
  ],
})

const balance = walletOf(sql`c.merchant_no`)
const columns: Record<string, Frag> = {
  merchantName: sql`m.merchant_name`,
  accountName: sql`f.account_name`,
  bankLine: sql`exists (select 1 ${shown})`,
  walletBalance: balance,
  balanceThen: sql`case when c.recharge_status = 'confirmed' then ${balance} - c.recharge_amount else ${balance} + c.recharge_amount end`,
  pendingApproval: waitingMaker(objectType, sql`c.recharge_no`),
}

/** Top-ups of the merchants that a person sees. */
export const recharges = listed({
  list: calls.page,
  source: ({ session }) => ({
    from: sql`merchant_recharge c`,
    alias: 'c',
    key: sql`c.recharge_no`,
    where: merchantScope(session, 'c.merchant_no', perm),
    joins: {
      m: sql`join merchant m on m.merchant_no = c.merchant_no`,
      f: sql`join fund_account f on f.fund_account_no = c.fund_account_no`,
    },
    columns,
    filters: {
      serialNo: (text: string) => oneOf(sql`c.serial_no`, numbersOf(text)),
      mine: (mine: boolean) => sql`(c.maker_no = ${session.userNo}) = ${mine}`,
      noBankLine: (missing: boolean) =>
        sql`(c.recharge_status = 'confirmed' and not exists (select 1 ${shown})) = ${missing}`,
    },
  }),
  blocked: rechargeBlocks,
})

/** The merchant of a payer, by its legal name or brand. */
const payer = sql`left join lateral (
  select m.merchant_no, m.merchant_name from merchant m where m.deleted_time is null and lower(trim(l.payer_name)) in (lower(m.legal_name), lower(m.merchant_name))
  order by m.merchant_no limit 1) p on true`
const untaken = sql`l.direction = 'in' and l.line_kind = 'payment' and l.line_status in ('new', 'suggested')
  and not exists (select 1 from merchant_recharge c where c.fund_account_no = l.fund_account_no and c.serial_no = l.serial_no)
  and not exists (select 1 from repay_flow rf join fund_account ch on ch.channel = rf.channel where ch.fund_account_no = l.fund_account_no and rf.serial_no = l.serial_no)`

/** An own account is within reach of who serves one of its merchants. */
export const accountSeen = (session: Session, no: Frag, code?: string): Frag => sql`exists (
  select 1 from fund_account_merchant fm where fm.fund_account_no = ${no} and ${merchantScope(session, 'fm.merchant_no', code)})`

/** Payments in on statements that nothing is booked for. */
export const bankLines = listed({
  list: calls.bankLines,
  source: ({ session }) => ({
    from: sql`statement_line l`,
    alias: 'l',
    key: sql`l.line_no`,
    where: sql`(${untaken} and ${accountSeen(session, sql`l.fund_account_no`, perm)})`,
    joins: { p: payer },
    columns: {
      likely: sql`(p.merchant_no is not null)`,
      merchantNo: sql`p.merchant_no`,
      merchantName: sql`p.merchant_name`,
    },
  }),
})

/** One top-up as the list shows it. */
export const rowOf = async ({ tx, session }: Reader, rechargeNo: string): Promise<RechargeRow> => {
  const source = recharges.source({ tx, session })
  const picked = selected(source, Object.keys(RechargeRow.shape))
  const where = sql`c.recharge_no = ${rechargeNo} and ${merchantScope(session, 'c.merchant_no')}`
  const row = await tx.maybe(
    sql<RechargeRow>`select ${sql.join(picked)} from ${fromFor(tx, source, [where, ...picked])} where ${where}`,
  )
  if (!row) throw notFound()
  const [blockedBy = {}] = await rechargeBlocks.of({ tx, session }, [rechargeNo])
  return { ...row, blockedBy }
}

/** The bank's line of a top-up; null while there is none. */
export const bankLineOf = (tx: Tx, rechargeNo: string) =>
  tx.maybe(sql<{
    lineNo: string
    fundAccountNo: string
    serialNo: string
    amount: string
    entryTime: string
    payerName: string | null
    likely: boolean
    merchantNo: string | null
    merchantName: string | null
  }>`
    select l.line_no, l.fund_account_no, l.serial_no, l.amount, l.entry_time, l.payer_name, p.merchant_no is not null as likely, p.merchant_no, p.merchant_name
    from merchant_recharge c join statement_line l on l.line_no = (select l.line_no ${shown}) ${payer} where c.recharge_no = ${rechargeNo}`)

/** A top-up within reach, locked. */
export const lockRecharge = async (tx: Tx, session: Session | null, rechargeNo: string): Promise<Recharge> => {
  const row = await tx.maybe(sql<Recharge>`
    select c.* from merchant_recharge c where c.recharge_no = ${rechargeNo} and ${session ? merchantScope(session, 'c.merchant_no') : sql`true`} for update`)
  if (!row) throw notFound()
  return row
}

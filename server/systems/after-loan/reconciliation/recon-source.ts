import { type RawBuilder, sql } from 'kysely'
import { recon } from '../../../../core/contract/after-loan/reconciliation.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { dayRange } from '../../../lists/list.ts'
import { listed } from '../../../lists/listed.ts'
import type { Session } from '../../../session/session.ts'
import { accountScope as ownAccounts } from '../fund-account/fund-account-source.ts'
import type { ReconItem } from './recon-item.ts'
import { type Line, lockRecon } from './statement-store.ts'

type Frag = RawBuilder<unknown>
const perm = recon.itemPage.perm as string

/** The accounts of reconciliation: those of which the caller sees every merchant. */
export const accountScope = (session: Session, fundAccountNo: Frag): Frag => ownAccounts(session, fundAccountNo, perm)

const account = { fa: sql`left join fund_account fa on fa.fund_account_no = x.fund_account_no` }
const accountName = sql`fa.account_name`

/** Days since a difference `x` arose. */
export const ageDays = (tx: Tx): Frag =>
  sql`(${tx.today}::date - coalesce(x.gap_date, (x.created_time at time zone 'Africa/Kampala')::date))`

export const itemList = listed({
  list: recon.itemPage,
  source: ({ tx, session }) => ({
    from: sql`recon_item x`,
    joins: account,
    alias: 'x',
    key: sql`x.recon_item_no`,
    where: accountScope(session, sql`x.fund_account_no`),
    columns: {
      accountName,
      objectNo: sql`coalesce(x.object_no, x.line_no, x.reference)`,
      ageDays: ageDays(tx),
      pendingApproval: sql`(select a.approval_no from approval a where a.object_type = 'reconItem' and a.object_no = x.recon_item_no and a.approval_status = 'pending')`,
    },
  }),
})

export const lineList = listed({
  list: recon.linePage,
  source: ({ session }) => ({
    from: sql`statement_line x`,
    joins: account,
    alias: 'x',
    key: sql`x.line_no`,
    where: accountScope(session, sql`x.fund_account_no`),
    columns: { accountName, lineDirection: sql`x.direction` },
  }),
})

export const runList = listed({
  list: recon.runPage,
  source: ({ session }) => ({
    from: sql`recon_run x`,
    joins: account,
    alias: 'x',
    key: sql`x.recon_no`,
    where: accountScope(session, sql`x.fund_account_no`),
    columns: { accountName, openItems: sql`x.open_count`, channel: sql`fa.channel` },
    filters: { reconDate: range => dayRange(sql`x.recon_date`, range) },
  }),
})

/** A difference of an account that the caller sees, locked after the matching of its account. */
export const lockItem = async (tx: Tx, session: Session | null, reconItemNo: string): Promise<ReconItem> => {
  const within = session ? accountScope(session, sql`x.fund_account_no`) : sql`true`
  const item = sql`select x.* from recon_item x where x.recon_item_no = ${reconItemNo} and ${within}`
  const seen = await tx.maybe(sql<ReconItem>`${item}`)
  if (!seen) throw notFound()
  if (seen.fundAccountNo) await lockRecon(tx, seen.fundAccountNo)
  return tx.one(sql<ReconItem>`${item} for update of x`)
}

/** Lines of one account that the caller sees, locked after the matching of their account, in the order of their numbers. */
export const lockLines = async (tx: Tx, session: Session, lineNos: readonly string[]): Promise<Line[]> => {
  const lines = sql`
    select x.* from statement_line x where x.line_no = any(${lineNos as string[]}) and ${accountScope(session, sql`x.fund_account_no`)} order by x.line_no`
  const seen = await tx.rows(sql<Line>`${lines}`)
  const [first] = seen
  if (!first || seen.length < new Set(lineNos).size || seen.some(one => one.fundAccountNo !== first.fundAccountNo))
    throw notFound()
  await lockRecon(tx, first.fundAccountNo)
  return tx.rows(sql<Line>`${lines} for update of x`)
}

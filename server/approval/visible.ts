import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { type Holder, orderHolder, scope } from '../rights/scope.ts'
import type { Session } from '../session/session.ts'

type Frag = RawBuilder<unknown>

/** Everybody whose work an approval `a` decides about. */
export const makers = sql`(a.maker_no || a.also_made_by)`

/** Holders of an approval: its maker, and the holders of its order. */
const holder: Holder = person =>
  sql`(${person(sql`a.maker_no`)} or exists (select 1 from loan_order o where o.order_no = a.order_no and ${orderHolder('o')(person)}))`

const inScope = (session: Session, perm?: string): Frag =>
  sql`(a.merchant_no is null or ${scope(session, { merchant: 'a.merchant_no', holder, perm })})`

const checkCodes = (session: Session) => [...session.perms].filter(code => code.endsWith(':check'))

/** SQL condition on `approval a`: the caller holds its check code and sees its record. */
export const mayCheck = (session: Session): Frag => {
  const parts = checkCodes(session).map(code => sql`(a.perm || ':check' = ${code} and ${inScope(session, code)})`)
  return parts.length ? sql`(${sql.join(parts, sql` or `)})` : sql`false`
}

/** Until when a second person may still decide what was asked about an object; null where nothing waits. */
export const waitsUntil = async (tx: Tx, of: { objectType: string; objectNo: string }): Promise<Date | null> => {
  const { until } = await tx.one(sql<{ until: string | null }>`
    select max(expire_time) as until from approval
    where object_type = ${of.objectType} and object_no = ${of.objectNo} and approval_status = 'pending'`)
  return until === null ? null : new Date(until)
}

/** Approvals `a` that wait for this person. */
export const waitsFor = (tx: Tx, session: Session): Frag =>
  sql`(a.approval_status = 'pending' and a.expire_time > ${tx.now} and ${session.userNo} <> all(${makers}) and ${mayCheck(session)})`

/** Makers see their own requests; holders of the code or of its check see those within their data rule. */
export const visible = (session: Session): Frag => {
  const codes = [...session.perms].map(code => code.replace(/:check$/, ''))
  return sql`(a.maker_no = ${session.userNo} or (a.perm = any(${codes}) and ${inScope(session)}))`
}

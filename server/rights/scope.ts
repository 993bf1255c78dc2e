import { type RawBuilder, sql } from 'kysely'
import { oneOf } from '../lists/list.ts'
import type { Session } from '../session/session.ts'
import type { Limit } from './held-rights.ts'

type Frag = RawBuilder<unknown>

/** Whose work a row is: an SQL condition that names the holder, given the condition on the person. */
export type Holder = (person: (userNo: Frag) => Frag) => Frag

/** Holder of an order: the auditors of its tasks. `o` is the alias of loan_order. */
export const orderHolder =
  (o: string): Holder =>
  person =>
    sql`exists (select 1 from audit_task held where held.order_no = ${sql.ref(`${o}.order_no`)} and ${person(sql`held.auditor_no`)})`

/** The data rule of a right; without a code, or without that right, the widest rule that the caller has. */
export const limitFor = (session: Session, perm?: string): Limit =>
  (perm && session.limitOf.get(perm)) || session.widest

/**
 * The data rule of the caller as one condition: it stands in every list, count, detail and locked load of business rows.
 * A list uses the rule of its own page (`perm`), a single read by number the widest of the caller.
 */
export const scope = (session: Session, o: { merchant: string; holder: Holder; perm?: string }): Frag => {
  const rule = ruleOf(session, o)
  return session.onlyMerchants ? sql`(${oneOf(sql.ref(o.merchant), session.onlyMerchants)} and ${rule})` : rule
}

/** Merchants whose records a right shows; null for those of all. */
export const merchantsOf = (session: Session, perm?: string): readonly string[] | null => {
  const limit = limitFor(session, perm)
  const own = limit === 'all' ? null : limit === 'org_below' ? session.orgMerchants : session.merchants
  const only = session.onlyMerchants
  return only ? (own ? own.filter(no => only.includes(no)) : only) : own
}

const ruleOf = (session: Session, o: { merchant: string; holder: Holder; perm?: string }): Frag => {
  const limit = limitFor(session, o.perm)
  const merchant = sql.ref(o.merchant)
  const mine = oneOf(merchant, session.merchants)
  const inDepts = (depts: readonly string[]) =>
    o.holder(userNo => sql`${userNo} in (select user_no from app_user where dept_no = any(${depts as string[]}))`)
  switch (limit) {
    case 'all':
      return sql`true`
    case 'org_below':
      return oneOf(merchant, session.orgMerchants)
    case 'own_merchants':
      return mine
    case 'dept_below':
      return sql`(${mine} and ${inDepts(session.deptsBelow)})`
    case 'dept':
      return sql`(${mine} and ${inDepts([session.deptNo])})`
    case 'own':
      return sql`(${mine} and ${o.holder(userNo => sql`${userNo} = ${session.userNo}`)})`
  }
}

import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Data rules of a right, narrowest first: own work, own department, with those below, own merchants, the organization with those below, everything. */
export const limits = ['own', 'dept', 'dept_below', 'own_merchants', 'org_below', 'all'] as const
/** One value of {@link limits}. */
export type Limit = (typeof limits)[number]

type Right = { perms: string; limitType: Limit | null; roleNature: 'headquarters' | 'merchant' | 'outsourced' }
type Role = { sensitivePerms: string[]; roleNature: Right['roleNature'] }
const caps: Record<Right['roleNature'], Limit> = {
  headquarters: 'all',
  merchant: 'org_below',
  outsourced: 'own_merchants',
}
const rank = (limit: Limit) => limits.indexOf(limit)
const widest = (a: Limit, b: Limit) => (rank(a) >= rank(b) ? a : b)
const capped = (right: Right): Limit => {
  const limit = right.limitType ?? 'own'
  return rank(limit) <= rank(caps[right.roleNature]) ? limit : caps[right.roleNature]
}

/** Rights of a user: codes of every menu node of the roles, each with the data rule of its page. */
export const rightsOf = async (tx: Tx, userNo: string) => {
  const reading = tx.rows(sql<Right>`
    select m.perms, coalesce(rm.limit_type, page.limit_type) as limit_type, r.role_nature
    from user_role ur join role r using (role_no) join role_menu rm using (role_no) join live_menu m using (menu_no)
    left join role_menu page on page.role_no = rm.role_no and page.menu_no = m.parent_menu_no
    where ur.user_no = ${userNo} and m.perms is not null`)
  const readingRoles = tx.rows(
    sql<Role>`select r.sensitive_perms, r.role_nature from user_role ur join role r using (role_no) where ur.user_no = ${userNo}`,
  )
  const [rows, roles] = await Promise.all([reading, readingRoles])
  const limitOf = new Map<string, Limit>()
  for (const right of rows) limitOf.set(right.perms, widest(limitOf.get(right.perms) ?? 'own', capped(right)))
  return {
    perms: new Set(limitOf.keys()),
    limitOf,
    widest: [...limitOf.values()].reduce(widest, 'own' as Limit),
    sensitive: new Set(roles.flatMap(role => role.sensitivePerms)),
    headquarters: roles.some(role => role.roleNature === 'headquarters'),
  }
}

/** Merchants and departments of a person's place of work and of everything below it. */
const belowOf = async (tx: Tx, where: { orgNo: string; deptNo: string }) => {
  const below = await tx.one(sql<{ merchants: string[]; depts: string[] }>`
    with recursive orgs as (select org_no from org where org_no = ${where.orgNo} union all select o.org_no from org o join orgs on o.parent_org_no = orgs.org_no),
      depts as (select dept_no from dept where dept_no = ${where.deptNo} union all select d.dept_no from dept d join depts on d.parent_dept_no = depts.dept_no)
    select array(select merchant_no from merchant where org_no in (select org_no from orgs)) as merchants, array(select dept_no from depts) as depts`)
  return { orgMerchants: below.merchants, deptsBelow: below.depts }
}

type Held = Awaited<ReturnType<typeof rightsOf>> & Awaited<ReturnType<typeof belowOf>>

/** Cache of rights per person under one version of all rights, by database. */
const known = new WeakMap<object, { version: string; people: Map<string, Held> }>()

/**
 * Rights of a person who was read together with the version of all rights. They are read once for a version: whatever
 * changes a role, a menu, a place of work or who has which draws another version in the same transaction.
 */
export const rightsUnder = async (
  tx: Tx,
  person: { userNo: string; orgNo: string; deptNo: string; rightsVersion: string },
): Promise<Held> => {
  let kept = known.get(tx.database)
  if (kept?.version !== person.rightsVersion) {
    kept = { version: person.rightsVersion, people: new Map() }
    known.set(tx.database, kept)
  }
  const key = `${person.userNo} ${person.deptNo}`
  const held = kept.people.get(key)
  if (held) return held
  const [rights, below] = await Promise.all([rightsOf(tx, person.userNo), belowOf(tx, person)])
  const fresh = { ...rights, ...below }
  kept.people.set(key, fresh)
  return fresh
}

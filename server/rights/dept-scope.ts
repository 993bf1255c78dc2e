import { type RawBuilder, sql } from 'kysely'
import type { Session } from '../session/session.ts'
import { limitFor } from './scope.ts'

/** Organizations of the caller's department and below. */
export const orgsBelow = (deptNo: string): RawBuilder<unknown> => sql`(
  with recursive below as (
    select org_no from dept where dept_no = ${deptNo}
    union select o.org_no from org o join below on o.parent_org_no = below.org_no)
  select org_no from below)`

/** A department and all below it. */
export const deptsIn = (deptNo: string): RawBuilder<unknown> => sql`(
  with recursive inside as (select dept_no from dept where dept_no = ${deptNo} union select d.dept_no from dept d join inside on d.parent_dept_no = inside.dept_no)
  select dept_no from inside)`

/** The data rule of the caller over departments, as one condition on dept `d`; `perm` is the code it is asked under. */
export const deptScope = (session: Session, perm: string): RawBuilder<unknown> => {
  switch (limitFor(session, perm)) {
    case 'all':
    case 'own_merchants':
      return sql`true`
    case 'org_below':
      return sql`d.org_no in ${orgsBelow(session.deptNo)}`
    case 'dept_below':
      return sql`d.dept_no = any(${[...session.deptsBelow]})`
    default:
      return sql`d.dept_no = ${session.deptNo}`
  }
}

/** Departments that the caller may change: who is limited to merchants or to own work, the own one. */
export const deptsToChange = (session: Session, perm: string): RawBuilder<unknown> =>
  limitFor(session, perm) === 'own_merchants' ? sql`d.dept_no = ${session.deptNo}` : deptScope(session, perm)

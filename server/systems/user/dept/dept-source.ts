import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { DeptNature } from '../../../../core/contract/user/dept.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, notFound } from '../../../http/fault.ts'
import { deptsToChange } from '../../../rights/dept-scope.ts'
import type { Session } from '../../../session/session.ts'

type Frag = RawBuilder<unknown>

/** A department and all below it, by a condition on the first. */
const below = (of: Frag): Frag => sql`
  with recursive below as (
    select dept_no, 1 as level from dept where ${of}
    union all select c.dept_no, b.level + 1 from dept c join below b on c.parent_dept_no = b.dept_no)`

const working = (at: Frag): Frag =>
  sql`(select count(*)::int from app_user u where u.user_status = 'normal' and u.employee_status = 'on_job' and ${at})`

/** Columns of a department `d` that are not plain ones. */
export const deptColumns: Readonly<Record<string, Frag>> = {
  parentNo: sql`d.parent_dept_no`,
  orgName: sql`(select o.org_name from org o where o.org_no = d.org_no)`,
  leaderName: sql`(select l.real_name from app_user l where l.user_no = d.leader_no)`,
  subCount: sql`(select count(*)::int from dept c where c.parent_dept_no = d.dept_no)`,
  subCountBelow: sql`(${below(sql`dept_no = d.dept_no`)} select count(*)::int - 1 from below)`,
  userCount: working(sql`u.dept_no = d.dept_no`),
  userCountBelow: sql`(${below(sql`dept_no = d.dept_no`)} select ${working(sql`u.dept_no in (select dept_no from below)`)})`,
  updatedBy: sql`coalesce((select c.real_name from app_user c where c.user_no = d.updated_by), d.updated_by)`,
}

export type Dept = {
  deptNo: string
  deptName: string
  parentDeptNo: string | null
  orgNo: string
  deptNature: DeptNature
  leaderNo: string | null
  sort: number
  version: number
}

/** Changes of the tree wait for one another: two moves never make a circle together. */
export const oneAtATime = (tx: Tx): Promise<unknown> =>
  tx.exec(sql`select pg_advisory_xact_lock(hashtext('departments'))`)

/** A department within the data rule of the caller, locked. @throws {Fault} 40401 for one out of it as for one that there is not */
export const lockDept = async (
  tx: Tx,
  session: Session,
  of: { deptNo: string; version: number; perm?: string },
): Promise<Dept> => {
  const rule = deptsToChange(session, of.perm ?? (contract.dept.save.perm as string))
  const dept = await tx.maybe(sql<Dept>`select d.* from dept d where d.dept_no = ${of.deptNo} and ${rule} for update`)
  if (!dept) throw notFound()
  checkVersion(dept, of.version)
  return dept
}

/** The numbers of a department and of all below it, with how many levels that is. */
export const branchOf = async (tx: Tx, deptNo: string) => {
  const rows = await tx.rows(
    sql<{ deptNo: string; level: number }>`${below(sql`dept_no = ${deptNo}`)} select dept_no, level from below`,
  )
  return { deptNos: rows.map(row => row.deptNo), levels: Math.max(0, ...rows.map(row => row.level)) }
}

/** The numbers of a department and of all above it, itself first; none where it is the top. */
export const pathOf = async (tx: Tx, deptNo: string | null): Promise<string[]> => {
  if (deptNo === null) return []
  const rows = await tx.rows(sql<{ deptNo: string }>`
    with recursive above as (
      select dept_no, parent_dept_no, 1 as level from dept where dept_no = ${deptNo}
      union all select d.dept_no, d.parent_dept_no, a.level + 1 from dept d join above a on d.dept_no = a.parent_dept_no)
    select dept_no from above order by level`)
  return rows.map(row => row.deptNo)
}

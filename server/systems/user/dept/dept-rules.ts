import { sql } from 'kysely'
import { type DeptNature, maxDeptDepth } from '../../../../core/contract/user/dept.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { invalid } from '../../../http/fault.ts'
import { deptsToChange, orgsBelow } from '../../../rights/dept-scope.ts'
import { limitFor } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { branchOf, pathOf } from './dept-source.ts'

/** Kinds that hold no department of the headquarters. */
const apart: readonly DeptNature[] = ['merchant', 'outsourced']

/** The place that a department is to have: its parent is one that the caller may change; only who sees everything puts one at the top. */
export const checkParent = async (tx: Tx, session: Session, parentNo: string | null, perm: string): Promise<void> => {
  if (parentNo === null) {
    if (limitFor(session, perm) !== 'all') throw invalid('parentNo', 'errors.deptTop')
    return
  }
  const found = await tx.maybe(
    sql`select 1 from dept d where d.dept_no = ${parentNo} and ${deptsToChange(session, perm)} for share`,
  )
  if (!found) throw invalid('parentNo', 'errors.notFound')
}

/** An organization that the caller reaches. */
export const checkOrg = async (tx: Tx, session: Session, orgNo: string, perm: string): Promise<void> => {
  const rule = limitFor(session, perm) === 'all' ? sql`true` : sql`o.org_no in ${orgsBelow(session.deptNo)}`
  if (!(await tx.maybe(sql`select 1 from org o where o.org_no = ${orgNo} and ${rule}`)))
    throw invalid('orgNo', 'errors.notFound')
}

/** Who leads a branch works in it. */
export const checkLeader = async (tx: Tx, leaderNo: string, branch: readonly string[]): Promise<void> => {
  const found = await tx.maybe(sql`
    select 1 from app_user where user_no = ${leaderNo} and dept_no = any(${[...branch]}) and user_status = 'normal' and employee_status = 'on_job'`)
  if (!found) throw invalid('leaderNo', 'errors.deptLeader')
}

/** A branch of some levels fits below a department. */
export const checkDepth = async (tx: Tx, parentNo: string | null, levels: number): Promise<void> => {
  if ((await pathOf(tx, parentNo)).length + levels > maxDeptDepth)
    throw invalid('parentNo', 'errors.deptDepth', { max: maxDeptDepth })
}

const anyOf = (tx: Tx, deptNos: readonly string[], natures: readonly DeptNature[]) =>
  tx.maybe(sql`select 1 from dept where dept_no = any(${[...deptNos]}) and dept_nature = any(${[...natures]}) limit 1`)

/** What belongs to a merchant or an agency holds nothing of the headquarters. */
export const checkNature = async (
  tx: Tx,
  { nature, above, below, at }: { nature: DeptNature; above: readonly string[]; below: readonly string[]; at: string },
): Promise<void> => {
  const holds = nature === 'headquarters' || (await anyOf(tx, below, ['headquarters']))
  if (holds && (await anyOf(tx, above, apart))) throw invalid(at, 'errors.deptNature')
  if (apart.includes(nature) && (await anyOf(tx, below, ['headquarters']))) throw invalid(at, 'errors.deptNature')
}

/** A department never stands below itself. */
export const checkCircle = async (tx: Tx, deptNo: string, parentNo: string | null): Promise<void> => {
  if (parentNo !== null && (await branchOf(tx, deptNo)).deptNos.includes(parentNo))
    throw invalid('parentNo', 'errors.deptCircle')
}

/** Another department of the same level has the name, or one anywhere the number. */
export const once = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    const broken = violatedConstraint(error)
    if (broken === 'dept_name_once') throw invalid('deptName', 'errors.dataExists')
    if (broken === 'dept_pkey') throw invalid('deptNo', 'errors.dataExists')
    throw error
  }
}

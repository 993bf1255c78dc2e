import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { deptsToChange } from '../../../rights/dept-scope.ts'
import { deptBlocks } from './dept-blocks.ts'
import { checkCircle, checkDepth, checkNature, checkParent, once } from './dept-rules.ts'
import { branchOf, type Dept, lockDept, oneAtATime, pathOf } from './dept-source.ts'

const { dept } = contract
const perm = dept.move.perm as string

/** People whose data rule counts departments below theirs, and who gain or lose a branch that goes from one place to another. */
const seeingMore = async (tx: Tx, from: string | null, to: string | null): Promise<string[]> => {
  const [before, after] = [await pathOf(tx, from), await pathOf(tx, to)]
  const differing = [...before.filter(no => !after.includes(no)), ...after.filter(no => !before.includes(no))]
  const rows = await tx.rows(sql<{ userNo: string }>`
    select u.user_no from app_user u
    where u.dept_no = any(${differing}) and u.user_status = 'normal' and u.employee_status = 'on_job'
      and exists (select 1 from user_role ur join role_menu rm using (role_no) where ur.user_no = u.user_no and rm.limit_type = 'dept_below')`)
  return rows.map(row => row.userNo)
}

const effect = serve(dept.moveEffect, async ({ tx, session, input }) => {
  const found = await tx.maybe(sql<Dept & { people: number }>`
    select d.* from dept d where d.dept_no = ${input.deptNo} and ${deptsToChange(session, perm)}`)
  if (!found) throw notFound()
  const { deptNos } = await branchOf(tx, found.deptNo)
  const { n } = await tx.one(sql<{ n: number }>`
    select count(*)::int as n from app_user where dept_no = any(${deptNos}) and user_status = 'normal' and employee_status = 'on_job'`)
  return {
    subCountBelow: deptNos.length - 1,
    userCountBelow: n,
    concerned: (await seeingMore(tx, found.parentDeptNo, input.parentNo ?? null)).length,
  }
})

const move = serve(dept.move, async ({ tx, session, actor, input, audit }) => {
  await oneAtATime(tx)
  const { deptNo, version } = input
  const parentNo = input.parentNo ?? null
  const before = await lockDept(tx, session, { deptNo, version })
  if (before.parentDeptNo === parentNo) return { version, concerned: 0 }
  await checkParent(tx, session, parentNo, perm)
  await checkCircle(tx, deptNo, parentNo)
  const { deptNos, levels } = await branchOf(tx, deptNo)
  await checkDepth(tx, parentNo, levels)
  const below = deptNos.filter(no => no !== deptNo)
  await checkNature(tx, { nature: before.deptNature, above: await pathOf(tx, parentNo), below, at: 'parentNo' })
  const people = await seeingMore(tx, before.parentDeptNo, parentNo)
  await once(() =>
    tx.exec(sql`
      update dept set parent_dept_no = ${parentNo}, updated_by = ${actor.no}, updated_time = ${tx.now}, version = version + 1 where dept_no = ${deptNo}`),
  )
  await tx.exec(
    sql`insert into user_event (user_no, event) select no, 'perms.changed' from unnest(${people}::text[]) no`,
  )
  audit({
    objectType: 'dept',
    objectNo: deptNo,
    before: { parentNo: before.parentDeptNo },
    after: { parentNo, concerned: people.length },
  })
  return { version: version + 1, concerned: people.length }
})

const remove = serve(dept.remove, async ({ tx, session, input, audit }) => {
  await oneAtATime(tx)
  const before = await lockDept(tx, session, { ...input, perm: dept.remove.perm as string })
  await deptBlocks.check({ tx, session }, dept.remove, before.deptNo)
  try {
    await tx.exec(sql`delete from dept where dept_no = ${before.deptNo}`)
  } catch (error) {
    if (violatedConstraint(error)) throw new Fault('stateConflict', 'errors.deptUsed')
    throw error
  }
  audit({
    objectType: 'dept',
    objectNo: before.deptNo,
    before: { deptName: before.deptName, parentNo: before.parentDeptNo },
  })
  return {}
})

export const moveServed = [effect, move, remove]

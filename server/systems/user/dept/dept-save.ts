import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { invalid } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import { changes } from '../../../states/changes.ts'
import { checkDepth, checkLeader, checkNature, checkOrg, checkParent, once } from './dept-rules.ts'
import { branchOf, type Dept, lockDept, oneAtATime, pathOf } from './dept-source.ts'

const { dept } = contract
const perm = dept.save.perm as string
type Save = Call<ParsedOf<typeof dept.save>>

const valuesOf = ({ deptName, deptNature, orgNo, leaderNo, sort }: Save['input']) => ({
  deptName,
  deptNature,
  orgNo,
  leaderNo: leaderNo ?? null,
  sort,
})

const make = async ({ tx, session, actor, input, audit }: Save) => {
  const parentNo = input.parentNo ?? null
  await checkParent(tx, session, parentNo, perm)
  await checkDepth(tx, parentNo, 1)
  await checkOrg(tx, session, input.orgNo, perm)
  const values = valuesOf(input)
  const above = await pathOf(tx, parentNo)
  await checkNature(tx, { nature: values.deptNature, above, below: [], at: 'deptNature' })
  if (values.leaderNo)
    await checkLeader(tx, values.leaderNo, parentNo === null ? [] : (await branchOf(tx, parentNo)).deptNos)
  const deptNo = input.deptNo ?? newNo('DP', tx.now)
  await once(() =>
    tx.exec(sql`
      insert into dept (dept_no, dept_name, parent_dept_no, org_no, dept_nature, leader_no, sort, updated_by, updated_time)
      values (${deptNo}, ${values.deptName}, ${parentNo}, ${values.orgNo}, ${values.deptNature}, ${values.leaderNo}, ${values.sort}, ${actor.no}, ${tx.now})`),
  )
  audit({ objectType: 'dept', objectNo: deptNo, after: { ...values, parentNo } })
  return { deptNo, version: 0 }
}

/** What changes of a department where it stands. */
const checkChange = async ({ tx, session, input }: Save, before: Dept): Promise<void> => {
  const { orgNo, deptNature, leaderNo } = input
  if (input.parentNo !== undefined && input.parentNo !== before.parentDeptNo)
    throw invalid('parentNo', 'errors.deptByMove')
  if (orgNo !== before.orgNo) await checkOrg(tx, session, orgNo, perm)
  const { deptNos } = await branchOf(tx, before.deptNo)
  if (leaderNo && leaderNo !== before.leaderNo) await checkLeader(tx, leaderNo, deptNos)
  if (deptNature === before.deptNature) return
  const [, ...above] = await pathOf(tx, before.deptNo)
  const below = deptNos.filter(no => no !== before.deptNo)
  await checkNature(tx, { nature: deptNature, above, below, at: 'deptNature' })
}

const edit = async (call: Save, deptNo: string, version: number) => {
  const { tx, session, actor, input, audit } = call
  const before = await lockDept(tx, session, { deptNo, version })
  await checkChange(call, before)
  const values = valuesOf(input)
  await once(() =>
    tx.exec(sql`
      update dept set dept_name = ${values.deptName}, org_no = ${values.orgNo}, dept_nature = ${values.deptNature}, leader_no = ${values.leaderNo},
        sort = ${values.sort}, updated_by = ${actor.no}, updated_time = ${tx.now}, version = version + 1 where dept_no = ${deptNo}`),
  )
  audit({ objectType: 'dept', objectNo: deptNo, ...changes(before as never, values) })
  return { deptNo, version: version + 1 }
}

export const save = serve(dept.save, async call => {
  const { deptNo, version } = call.input
  await oneAtATime(call.tx)
  if (version === undefined) return make(call)
  if (deptNo === undefined) throw invalid('deptNo', 'validation.infoComplete')
  return edit(call, deptNo, version)
})

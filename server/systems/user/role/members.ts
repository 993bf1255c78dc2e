import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import { writeAudit } from '../../../rights/audit-rows.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import type { Session } from '../../../session/session.ts'
import { checkHolders, type GivenRole, givenRoles, giveRoles, isCheckedRole, mayGive } from './giving.ts'
import { keepsAdministrator } from './last-holder.ts'
import { lockRole, touch } from './role-store.ts'

const perm = contract.role.addMembers.perm as string
const action = 'role.members'

type Person = { userNo: string; realName: string; userStatus: string; employeeStatus: string }

/** People in the caller's reach, locked; one who is not is as unknown as one who does not exist. */
const lockPeople = async (tx: Tx, session: Session | null, userNos: readonly string[]): Promise<Person[]> => {
  const reach = session ? peopleScope(session, perm) : sql`true`
  const people = await tx.rows(sql<Person>`
    select u.user_no, u.real_name, u.user_status, u.employee_status from app_user u
    where u.user_no = any(${[...userNos]}) and ${reach} order by u.user_no for update of u`)
  if (people.length !== new Set(userNos).size) throw notFound()
  return people
}

const addMembers = serve(contract.role.addMembers, async ({ tx, session, actor, input, audit }) => {
  const { roleNo, version: seen, userNos } = input
  const people = await lockPeople(tx, session, userNos)
  await lockRole(tx, roleNo, seen)
  const [role] = (await givenRoles(tx, [roleNo])) as [GivenRole]
  mayGive(session, role, userNos)
  checkHolders(people)
  const version = await touch(tx, roleNo, actor)
  const names = people.map(one => one.realName).join(', ')
  const approvalNo = isCheckedRole(role)
    ? await requestApproval(
        { tx, session, actor },
        {
          action,
          perm,
          objectType: 'role',
          objectNo: roleNo,
          version,
          payload: { userNos },
          summary: [
            { label: 'fields.roleName', before: null, after: role.roleName },
            { label: 'fields.members', before: null, after: names },
          ],
          alsoMadeBy: userNos,
        },
      )
    : null
  if (!approvalNo) await giveRoles(tx, userNos, [roleNo])
  audit({ objectType: 'role', objectNo: roleNo, after: { userNos, ...(approvalNo ? { approvalNo } : {}) } })
  return { version, approvalNo }
})

const removeMembers = serve(contract.role.removeMembers, async ({ tx, session, actor, input, audit }) => {
  const { roleNo, version: seen, userNos } = input
  await lockPeople(tx, session, userNos)
  await lockRole(tx, roleNo, seen)
  await tx.exec(sql`delete from user_role where role_no = ${roleNo} and user_no = any(${userNos})`)
  await keepsAdministrator(tx)
  audit({ objectType: 'role', objectNo: roleNo, before: { userNos } })
  return { version: await touch(tx, roleNo, actor) }
})

/** Who gets a role when a second person agrees. */
export const membersAction: ApprovalAction = {
  action,
  perm,
  money: true,
  async execute(tx, { objectNo, payload, maker, checker }) {
    const { userNos } = payload as { userNos: string[] }
    const people = await lockPeople(tx, null, userNos)
    await lockRole(tx, objectNo)
    checkHolders(people)
    await giveRoles(tx, userNos, [objectNo])
    await touch(tx, objectNo, maker)
    writeAudit(tx, { action: 'role.membersGranted', path: '', actor: checker }, [
      { objectType: 'role', objectNo, after: { userNos, makerNo: maker.no } },
    ])
  },
}

export const memberCommands = [addMembers, removeMembers]

import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import { writeAudit } from '../../../rights/audit-rows.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import type { Session } from '../../../session/session.ts'
import { flagsOf } from './codes.ts'
import { keepsAdministrator } from './last-holder.ts'
import { kindsOf, type Role } from './rights-of-role.ts'
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

const codesOf = async (tx: Tx, roleNo: string): Promise<string[]> =>
  (
    await tx.rows(sql<{ perms: string }>`
      select distinct m.perms from role_menu rm join menu m using (menu_no)
      where rm.role_no = ${roleNo} and m.menu_type = 'button' and m.perms is not null and m.gone_time is null`)
  ).map(row => row.perms)

/** Whether to have a role is what a second person decides about (user.md, section 7). */
const isChecked = (role: Role, codes: readonly string[]) =>
  kindsOf(role.sensitivePerms).length > 0 || codes.some(code => flagsOf(code).checked)

/** Refuses whom a role is not given: oneself, and people who do not work here now. */
const checkMembers = (session: Session, people: readonly Person[]) => {
  if (people.some(one => one.userNo === session.userNo)) throw new Fault('forbidden', 'errors.roleSelf')
  const away = people.find(one => one.userStatus !== 'normal' || one.employeeStatus !== 'on_job')
  if (away) throw new Fault('stateConflict', 'errors.roleFrozen', { name: away.realName })
}

const write = (tx: Tx, roleNo: string, userNos: readonly string[]) =>
  tx.exec(sql`
    insert into user_role (user_no, role_no) select user_no, ${roleNo} from unnest(${[...userNos]}::text[]) user_no on conflict do nothing`)

const addMembers = serve(contract.role.addMembers, async ({ tx, session, actor, input, audit }) => {
  const { roleNo, version: seen, userNos } = input
  const people = await lockPeople(tx, session, userNos)
  const role = await lockRole(tx, roleNo, seen)
  checkMembers(session, people)
  const codes = await codesOf(tx, roleNo)
  if (!session.perms.has(contract.role.permissions.perm as string) && codes.some(code => !session.perms.has(code)))
    throw new Fault('forbidden', 'errors.roleBeyond')
  const version = await touch(tx, roleNo, actor)
  const names = people.map(one => one.realName).join(', ')
  const approvalNo = isChecked(role, codes)
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
  if (!approvalNo) await write(tx, roleNo, userNos)
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
    const away = people.find(one => one.userStatus !== 'normal' || one.employeeStatus !== 'on_job')
    if (away) throw new Fault('stateConflict', 'errors.roleFrozen', { name: away.realName })
    await write(tx, objectNo, userNos)
    await touch(tx, objectNo, maker)
    writeAudit(tx, { action: 'role.membersGranted', path: '', actor: checker }, [
      { objectType: 'role', objectNo, after: { userNos, makerNo: maker.no } },
    ])
  },
}

export const memberCommands = [addMembers, removeMembers]

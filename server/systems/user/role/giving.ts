import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import type { Session } from '../../../session/session.ts'
import { flagsOf } from './codes.ts'

/** A role with what it gives: codes that exist, and sensitive kinds. */
export type GivenRole = { roleNo: string; roleName: string; perms: string[]; sensitivePerms: string[] }
/** Somebody who may be given a role. */
type Holder = { userNo: string; realName: string; userStatus: string; employeeStatus: string }

/** Roles as they are given to people. */
export const givenRoles = (tx: Tx, roleNos: readonly string[]): Promise<GivenRole[]> =>
  tx.rows(sql<GivenRole>`
    select r.role_no, r.role_name, r.sensitive_perms, array(
      select distinct m.perms from role_menu rm join menu m using (menu_no)
      where rm.role_no = r.role_no and m.menu_type = 'button' and m.perms is not null and m.gone_time is null) as perms
    from role r where r.role_no = any(${[...roleNos]}) order by r.role_no`)

/** Whether a second person decides about having a role: with it money moves, others' requests are agreed to, or personal data are seen. */
export const isCheckedRole = ({ perms, sensitivePerms }: GivenRole): boolean =>
  sensitivePerms.length > 0 || perms.some(code => flagsOf(code).checked)

/** Nobody gives a role to themselves, nor, unless they keep the roles, more than they have. */
export const mayGive = (session: Session, role: GivenRole, userNos: readonly string[]): void => {
  if (userNos.includes(session.userNo)) throw new Fault('forbidden', 'errors.ownRoles')
  if (session.perms.has(contract.role.permissions.perm as string)) return
  const above =
    role.perms.some(code => !session.perms.has(code)) || role.sensitivePerms.some(kind => !session.sensitive.has(kind))
  if (above) throw new Fault('forbidden', 'errors.roleAbove', { role: role.roleName })
}

/** Refuses to give a role to people who do not work here now. */
export const checkHolders = (people: readonly Holder[]): void => {
  const away = people.find(one => one.userStatus !== 'normal' || one.employeeStatus !== 'on_job')
  if (away) throw new Fault('stateConflict', 'errors.roleFrozen', { name: away.realName })
}

/** Gives each of these people each of these roles. */
export const giveRoles = (tx: Tx, userNos: readonly string[], roleNos: readonly string[]): Promise<unknown> =>
  tx.exec(sql`
    insert into user_role (user_no, role_no)
    select user_no, role_no from unnest(${[...userNos]}::text[]) user_no, unnest(${[...roleNos]}::text[]) role_no
    on conflict do nothing`)

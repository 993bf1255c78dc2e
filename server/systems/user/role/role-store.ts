import { sql } from 'kysely'
import type { RoleNature } from '../../../../core/contract/user/role.ts'
import { limitRank, widestLimit } from '../../../../core/contract/user/role.ts'
import { waitsUntil } from '../../../approval/visible.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import type { Session } from '../../../session/session.ts'
import type { Role } from './rights-of-role.ts'

export const lockRole = async (tx: Tx, roleNo: string, seen?: number): Promise<Role> => {
  const role = await tx.maybe(sql<Role>`
    select role_no, role_name, role_nature, post, remark, sensitive_perms, version from role where role_no = ${roleNo} for update`)
  if (!role) throw notFound()
  if (seen !== undefined) checkVersion(role, seen)
  return role
}

/** A change of rights that a second person has yet to decide. */
export const isWaiting = async (tx: Tx, roleNo: string): Promise<boolean> =>
  (await waitsUntil(tx, { objectType: 'role', objectNo: roleNo })) !== null

export const refuseWaiting = async (tx: Tx, roleNo: string): Promise<void> => {
  if (await isWaiting(tx, roleNo)) throw new Fault('stateConflict', 'errors.approvalWaits')
}

export const isMember = async (tx: Tx, { userNo }: Pick<Session, 'userNo'>, roleNo: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from user_role where role_no = ${roleNo} and user_no = ${userNo}`)) !== undefined

/** Notes who changed a role; answers its new version. */
export const touch = async (tx: Tx, roleNo: string, by: { no: string }): Promise<number> => {
  const { version } = await tx.one(sql<{ version: number }>`
    update role set version = version + 1, updated_by = ${by.no}, updated_time = ${tx.now} where role_no = ${roleNo} returning version`)
  return version
}

/** A role of the same name is there already. */
export const named = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (violatedConstraint(error) === 'role_name_once') throw invalid('roleName', 'errors.dataExists')
    throw error
  }
}

export const isWider = (to: RoleNature, from: RoleNature): boolean =>
  limitRank(widestLimit[to]) > limitRank(widestLimit[from])

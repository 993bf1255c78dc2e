import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'

const perm = contract.role.permissions.perm as string

/**
 * Refuses a change after which nobody who works here could change roles any more. Call it when the change is written; changes that come
 * together wait for one another.
 */
export const keepsAdministrator = async (tx: Tx): Promise<void> => {
  await tx.exec(sql`select 1 from rights_version for update`)
  const holder = await tx.maybe(sql`
    select 1 from live_menu m join role_menu rm using (menu_no) join user_role ur using (role_no) join app_user u using (user_no)
    where m.perms = ${perm} and u.user_status = 'normal' and u.employee_status = 'on_job' limit 1`)
  if (!holder) throw new Fault('stateConflict', 'errors.lastAdministrator')
}

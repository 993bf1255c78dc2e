import { sql } from 'kysely'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, stateConflict } from '../../../http/fault.ts'
import type { Call } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import { checkHolders, type GivenRole, givenRoles, giveRoles, isCheckedRole, mayGive } from '../role/index.ts'
import { lockAny, managers, type Person } from './people-source.ts'

const action = 'user.grant'
const perm = 'user:update'

export const heldRoles = async (tx: Tx, userNo: string): Promise<string[]> =>
  (
    await tx.rows(sql<{ roleNo: string }>`select role_no from user_role where user_no = ${userNo} order by role_no`)
  ).map(row => row.roleNo)

/** Somebody who may change roles is always left. Call it with the change made. */
export const keepManager = async (tx: Tx, before: boolean): Promise<void> => {
  if (!before) return
  await tx.exec(sql`select 1 from rights_version for update`)
  if (!(await tx.maybe(sql`select 1 from ${managers} able limit 1`)))
    throw new Fault('stateConflict', 'errors.lastManager')
}

/** Whether a person is one of those who may change roles now. Locks what says so. */
export const isManager = async (tx: Tx, userNo: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from ${managers} able where able.user_no = ${userNo}`)) !== undefined

const ask = (call: Call, person: Person, roles: readonly GivenRole[]): Promise<string> =>
  requestApproval(call, {
    action,
    perm,
    objectType: 'user',
    objectNo: person.userNo,
    merchantNo: person.principalMerchantNo,
    version: person.version,
    payload: { roleNos: roles.map(role => role.roleNo) },
    summary: [
      { label: 'fields.realName', before: null, after: person.realName },
      { label: 'fields.roleNames', before: null, after: roles.map(role => role.roleName).join('; ') },
    ],
  })

/**
 * Gives a locked person exactly these roles. What is taken away is gone at once; what a second person has to agree to waits.
 * @returns the number of the request, null where nothing waits
 */
export const setRoles = async (
  call: Call,
  person: Person,
  wanted: readonly string[],
): Promise<{ approvalNo: string | null; changed: boolean }> => {
  const { tx } = call
  const held = await heldRoles(tx, person.userNo)
  const added = await givenRoles(
    tx,
    wanted.filter(no => !held.includes(no)),
  )
  const known = new Set([...held, ...added.map(role => role.roleNo)])
  if (wanted.some(no => !known.has(no))) throw invalid('roleNos', 'errors.notFound')
  const removed = held.filter(no => !wanted.includes(no))
  if (added.length + removed.length === 0) return { approvalNo: null, changed: false }
  if (person.userStatus === 'frozen') throw stateConflict('frozen', 'AUTH_USER_STATUS')
  for (const role of added) mayGive(call.session, role, [person.userNo])
  const wasManager = removed.length > 0 && (await isManager(tx, person.userNo))
  await tx.exec(sql`delete from user_role where user_no = ${person.userNo} and role_no = any(${removed})`)
  await keepManager(tx, wasManager)
  const checked = added.filter(isCheckedRole)
  const free = added.filter(role => !checked.includes(role)).map(role => role.roleNo)
  await giveRoles(tx, [person.userNo], free)
  return { approvalNo: checked.length ? await ask(call, person, checked) : null, changed: true }
}

/** A second person agrees to roles that move money or show personal data; nobody to their own. */
export const grantApproval: ApprovalAction = {
  action,
  perm,
  money: true,
  async execute(tx, { objectNo, payload, checker }) {
    if (objectNo === checker.no) throw new Fault('forbidden', 'errors.ownRoles')
    const person = await lockAny(tx, objectNo)
    checkHolders([person])
    const roles = await givenRoles(tx, payload.roleNos as string[])
    await giveRoles(
      tx,
      [objectNo],
      roles.map(role => role.roleNo),
    )
  },
}

import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { blocks } from '../../../approval/blocks.ts'
import { waitingMaker } from '../../../configs/checked.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { listed } from '../../../lists/listed.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import { moneyCodes } from './codes.ts'
import { permOf } from './rights-of-role.ts'

type Frag = RawBuilder<unknown>
const { role } = contract

const codesOf = (where: Frag): Frag => sql`
  (select count(distinct m.perms)::int from role_menu rm join menu m using (menu_no)
   where rm.role_no = r.role_no and m.menu_type = 'button' and m.gone_time is null and ${where})`

const beginning = (text: string): string => `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

const kinds: Frag = sql`array(select replace(replace(one, 'pii:reveal:', ''), 'pii:', '') from unnest(r.sensitive_perms) one order by 1)`

type Facts = { members: number; waiting: boolean }

const readFacts = async (tx: Tx, keys: readonly string[]): Promise<Map<string, Facts>> => {
  const rows = await tx.rows(sql<Facts & { roleNo: string }>`
    select r.role_no, (select count(*)::int from user_role ur where ur.role_no = r.role_no) as members,
      exists (select 1 from approval a where a.object_type = 'role' and a.object_no = r.role_no and a.approval_status = 'pending') as waiting
    from role r where r.role_no = any(${[...keys]})`)
  return new Map(rows.map(row => [row.roleNo, row]))
}

/** Why a role is not deleted. */
export const roleBlocks = blocks<Facts>({
  read: readFacts,
  states: () => ({}),
  waits: facts => facts.waiting,
  commands: [
    {
      command: role.remove,
      refuses: ({ members, waiting }) =>
        waiting
          ? new Fault('stateConflict', 'errors.approvalWaits')
          : members > 0
            ? new Fault('stateConflict', 'errors.roleMembers', { n: members })
            : null,
    },
  ],
})

export const roles = listed({
  list: role.page,
  source: () => ({
    from: sql`role r`,
    where: sql`true`,
    alias: 'r',
    key: sql`r.role_no`,
    joins: { changer: sql`left join app_user changer on changer.user_no = r.updated_by` },
    columns: {
      memberCount: sql`(select count(*)::int from user_role ur where ur.role_no = r.role_no)`,
      permissionCount: codesOf(sql`true`),
      moneyCount: codesOf(sql`m.perms = any(${moneyCodes as string[]})`),
      sensitivePerms: kinds,
      pendingApproval: waitingMaker('role', sql`r.role_no`),
      updatedBy: sql`coalesce(changer.real_name, r.updated_by)`,
    },
    filters: {
      search: text =>
        sql`(lower(r.role_no) like ${beginning(text)} or lower(r.role_name) like ${`%${beginning(text)}`})`,
      holdsCode: code => sql`exists (
        select 1 from role_menu rm join menu m using (menu_no) where rm.role_no = r.role_no and m.perms = ${code})`,
      holdsKind: held => (held.length ? sql`r.sensitive_perms && ${held.map(permOf)}::text[]` : null),
      waiting: wanted => {
        const pending = sql`exists (select 1 from approval a where a.object_type = 'role' and a.object_no = r.role_no and a.approval_status = 'pending')`
        return wanted ? pending : sql`not ${pending}`
      },
    },
  }),
  blocked: roleBlocks,
})

/** The people who have a role, as far as the reader may see people. */
export const members = listed({
  list: role.members,
  source: ({ session }) => ({
    from: sql`app_user u join user_role ur on ur.user_no = u.user_no join dept d on d.dept_no = u.dept_no`,
    where: peopleScope(session, role.page.perm as string),
    alias: 'u',
    key: sql`u.user_no`,
    columns: { deptName: sql`d.dept_name` },
    filters: { roleNo: roleNo => sql`ur.role_no = ${roleNo}` },
  }),
})

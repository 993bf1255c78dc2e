import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { type Fixture, facts, type Row } from '../../../testing/facts.ts'

const { role } = contract
const ours = 'roles are ours, whatever the merchant'

let made = 0
const saved = async (fixture: Fixture): Promise<string> =>
  String((await done(fixture, role.save, { roleName: `Desk of facts ${++made}`, roleNature: 'headquarters' })).roleNo)

/** A role that has the menu of this version to choose from. */
const grant = async (fixture: Fixture) => {
  const roleNo = await saved(fixture)
  const input = { roleNo, version: 0, permissions: [], dataRules: [], sensitivePerms: ['phone'] }
  return { roleNo, answer: await done(fixture, role.permissions, input) }
}

const starts = (value: unknown, text: string) => String(value).toLowerCase().startsWith(text.trim().toLowerCase())

export default facts({
  approvals: [
    { action: 'role.grant', ask: async fixture => String((await grant(fixture)).answer.approvalNo) },
    {
      action: 'role.members',
      ask: async fixture => {
        const roleNo = await saved(fixture)
        await fixture.exec(sql`update role set sensitive_perms = '{pii:reveal:phone}' where role_no = ${roleNo}`)
        const { userNo } = await fixture.reviewer()
        return String((await done(fixture, role.addMembers, { roleNo, version: 0, userNos: [userNo] })).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: role.page,
      key: 'roleNo',
      of: 'company',
      fill: async fixture => {
        await grant(fixture)
        await fixture.exec(sql`
          insert into role (role_no, role_name, role_nature, post, remark, sensitive_perms, updated_by, updated_time)
          select 'RF' || n % 7 || n, 'Desk ' || n % 3 || ' ' || n, (array['headquarters', 'merchant', 'outsourced'])[1 + n % 3],
            case when n % 4 > 0 then (array['auditor', 'collector', 'finance'])[1 + n % 3] end, case when n % 2 = 0 then 'Shift ' || n end,
            case when n % 3 > 0 then array['pii:reveal:phone', 'pii:unmask'] else '{}' end, ${fixture.boss.userNo},
            case when n % 6 > 0 then timestamptz '2026-03-01 08:00Z' + n % 5 * interval '1 hour' end
          from generate_series(1, 33) n`)
      },
      means: {
        search: (row: Row, text: string) =>
          starts(row.roleNo, text) || String(row.roleName).toLowerCase().includes(text.trim().toLowerCase()),
        holdsCode: (row: Row, code: string) => (row.codes as string[]).includes(code.trim()),
        holdsKind: (row: Row, kinds: string[]) =>
          kinds.length === 0 || kinds.some(kind => (row.sensitivePerms as string[]).includes(kind)),
        waiting: (row: Row, waiting: boolean) => (row.pendingApproval !== null) === waiting,
      },
      holds: {
        key: 'roleNo',
        query: sql`select role_no, array(select m.perms from role_menu rm join menu m using (menu_no) where rm.role_no = role.role_no) as codes from role`,
      },
    },
    {
      list: role.members,
      key: 'userNo',
      of: 'company',
      asked: () => ({ roleNo: 'RFM' }),
      means: { roleNo: () => true },
      fill: async fixture => {
        await fixture.exec(
          sql`insert into role (role_no, role_name, role_nature) values ('RFM', 'Floor of facts', 'headquarters')`,
        )
        await fixture.exec(sql`
          insert into app_user (user_no, login_id, user_name, real_name, dept_no, principal_merchant_no, password_hash, created_time)
          select 'UF' || n % 7 || n, 'floor.' || n, 'floor', 'Floor ' || n % 5, 'D1', 'M1', 'none', now() from generate_series(1, 33) n`)
        await fixture.exec(sql`insert into user_role select user_no, 'RFM' from app_user where user_no like 'UF%'`)
      },
    },
  ],
  records: [{ fields: ['roleNo', 'copyOf'], table: 'role', key: 'role_no' }],
  calls: [
    ...[
      role.page,
      role.detail,
      role.members,
      role.catalogue,
      role.whoMay,
      role.save,
      role.permissions,
      role.remove,
    ].map(call => ({ call, about: ours })),
    ...[role.candidates, role.addMembers, role.removeMembers].map(call => ({
      call,
      about: 'is about people, whose department decides and not a merchant',
    })),
  ],
})

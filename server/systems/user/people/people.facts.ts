import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done, waits } from '../../../testing/acts.ts'
import { copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type Made, way } from '../../../testing/facts.ts'
import { frozen, left } from '../../../testing/people.ts'

const { people } = contract
let made = 0

/** A role of screens that move nothing and show nothing sensitive. */
const plainRole = async (fixture: Fixture): Promise<string> => {
  const roleNo = `PLAIN${++made}`
  await fixture.exec(
    sql`insert into role (role_no, role_name, role_nature) values (${roleNo}, ${roleNo}, 'headquarters')`,
  )
  return roleNo
}

/** What a form says of somebody at the review floor. */
const form = (roleNos: readonly string[]) => ({
  userName: 'Grace',
  realName: 'Grace Nakato',
  deptNo: 'D1',
  roleNos: [...roleNos],
  principalMerchantNo: 'M1',
  email: `grace${++made}@nilecredit.example`,
})

/** Somebody whom the first person takes in. */
const added = async (fixture: Fixture): Promise<string> => {
  const input = { loginId: `new.person${++made}`, ...form([await plainRole(fixture)]) }
  return String((await done(fixture, people.add, input)).userNo)
}

const versionOf = (fixture: Fixture, userNo: string) => fixture.versionOf('userAccount', userNo)
const rolesOf = async (fixture: Fixture, userNo: string) =>
  (await fixture.rows(sql<{ roleNo: string }>`select role_no from user_role where user_no = ${userNo}`)).map(
    row => row.roleNo,
  )

const one = async (
  fixture: Fixture,
  more: (userNo: string) => Promise<object> | object = () => ({}),
): Promise<Made> => {
  const no = await added(fixture)
  return { no, input: { userNo: no, ...(await more(no)) } }
}
const versioned = (fixture: Fixture, more: object = {}) =>
  one(fixture, async no => ({ version: await versionOf(fixture, no), ...more }))
const gone = async (fixture: Fixture): Promise<string> => {
  const no = await added(fixture)
  await fixture.db.withTx(tx => left(tx, no))
  return no
}
const stopped = async (fixture: Fixture): Promise<string> => {
  const no = await added(fixture)
  await fixture.db.withTx(tx => frozen(tx, no))
  return no
}
const rejoining = async (fixture: Fixture) => {
  const userNo = await gone(fixture)
  return { userNo, version: await versionOf(fixture, userNo), reason: 'back from study' }
}

const row = (no: string) => ({
  userNo: no,
  loginId: no.toLowerCase(),
  userName: no,
  realName: no,
  deptNo: 'D1',
  principalMerchantNo: 'M1',
  passwordHash: 'none',
  createdTime: '2026-03-02T07:00:00Z',
})

const aboutPerson = 'is about a person within the data rule, not about a merchant'

export default facts({
  machines: { userAccount: { row: row('UA1') }, employee: { row: row('UE1') } },
  commands: [
    {
      call: people.update,
      make: fixture =>
        one(fixture, async no => ({
          ...form(await rolesOf(fixture, no)),
          version: await versionOf(fixture, no),
        })),
    },
    {
      call: people.freeze,
      make: async fixture => {
        const no = await added(fixture)
        return { no, input: { userNos: [no], reason: 'lost the phone' } }
      },
    },
    {
      call: people.unfreeze,
      make: async fixture => {
        const no = await stopped(fixture)
        return { no, input: { userNos: [no] } }
      },
    },
    { call: people.resetPwd, make: fixture => one(fixture), race: { again: true } },
    { call: people.expiry, make: fixture => versioned(fixture, { validUntil: '2027-01-01' }) },
    { call: people.leave, make: fixture => versioned(fixture, { lastDay: '2026-03-02' }) },
    {
      call: people.rejoin,
      make: async fixture => {
        const input = await rejoining(fixture)
        return { no: input.userNo, input }
      },
      fires: waits,
    },
  ],
  beginnings: [
    {
      call: people.add,
      input: async fixture => ({ loginId: `begun${++made}`, ...form([await plainRole(fixture)]) }),
    },
  ],
  ways: [
    way('access ends by the clock, and what is known of a frozen person still changes', async fixture => {
      const userNo = await added(fixture)
      await fixture.exec(sql`update app_user set valid_until = '2026-01-01' where user_no = ${userNo}`)
      await fixture.tick('user.expire')
      const roleNos = await rolesOf(fixture, userNo)
      await done(fixture, people.update, { userNo, version: await versionOf(fixture, userNo), ...form(roleNos) })
      await done(fixture, people.resetPwd, { userNo })
    }),
    way('somebody who left comes back', async fixture => {
      const { approvalNo } = await done(fixture, people.rejoin, await rejoining(fixture))
      await fixture.agree(String(approvalNo))
    }),
  ],
  approvals: [
    {
      action: 'user.grant',
      ask: async fixture => {
        const userNo = await added(fixture)
        const roleNo = await plainRole(fixture)
        await fixture.exec(sql`update role set sensitive_perms = '{pii:unmask}' where role_no = ${roleNo}`)
        const roleNos = [...(await rolesOf(fixture, userNo)), roleNo]
        const input = { userNo, version: await versionOf(fixture, userNo), ...form(roleNos) }
        return String((await done(fixture, people.update, input)).approvalNo)
      },
    },
    {
      action: 'user.unfreeze',
      ask: async fixture => {
        const userNo = await stopped(fixture)
        await fixture.exec(sql`update app_user set freeze_reason = 'security' where user_no = ${userNo}`)
        await done(fixture, people.unfreeze, { userNos: [userNo] })
        return (
          await fixture.one(
            sql<{
              no: string
            }>`select approval_no as no from approval where object_no = ${userNo} order by submit_time desc limit 1`,
          )
        ).no
      },
    },
    {
      action: 'user.rejoin',
      ask: async fixture => String((await done(fixture, people.rejoin, await rejoining(fixture))).approvalNo),
    },
  ],
  lists: [
    {
      list: people.page,
      key: 'userNo',
      of: 'company',
      first: true,
      fill: async fixture => {
        const userNo = await added(fixture)
        const changes = `jsonb_build_object(${prefixed('user_no', 'login_id')}, 'created_time', x.created_time - n % 5 * interval '1 hour',
          'last_login_time', case when n % 3 > 0 then x.created_time - n % 4 * interval '1 day' end, 'freeze_time', case when n % 3 > 1 then x.created_time - n % 4 * interval '2 days' end,
          'real_name', 'Grace ' || n % 3, 'user_name', 'grace' || n % 4, 'job_no', 'NC' || (2000 + n), 'phone', '25677' || (1000000 + n))`
        await copied(fixture, 'app_user', `user_no = '${userNo}'`, changes)
      },
      means: {
        search: (row, text: string) =>
          (row.names as string[]).some(name => name.toLowerCase().startsWith(text.trim().toLowerCase())),
        jobNos: (row, text: string) =>
          text
            .toLowerCase()
            .split(/[\s,;]+/)
            .includes(String(row.jobNos).toLowerCase()),
        merchantNo: (row, wanted: string[]) =>
          wanted.length === 0 || wanted.some(no => (row.merchants as string[]).includes(no)),
      },
      holds: {
        key: 'userNo',
        query: sql`
          select u.user_no, u.phone, u.real_name as search, array[u.login_id, u.user_name, u.real_name] as names, u.job_no as job_nos, u.dept_no as dept_at,
            u.principal_merchant_no as merchant_no, array(select merchant_no from user_merchant m where m.user_no = u.user_no) || u.principal_merchant_no as merchants
          from app_user u`,
      },
    },
  ],
  records: [
    { fields: ['userNo', 'userNos'], table: 'app_user', key: 'user_no' },
    { fields: ['sessionNo'], table: 'session', key: 'session_no' },
  ],
  calls: [
    ...[
      people.page,
      people.detail,
      people.rights,
      people.sessions,
      people.signIns,
      people.activity,
      people.add,
      people.update,
      people.batchUpdate,
      people.unfreeze,
      people.unlock,
      people.expiry,
      people.rejoin,
    ].map(call => ({ call, about: aboutPerson })),
    // Among the sessions that these end may be that of the caller, or of somebody else in the suites.
    ...[people.freeze, people.resetPwd, people.leave, people.endSession].map(call => ({
      call,
      about: aboutPerson,
      ends: true as const,
    })),
  ],
})

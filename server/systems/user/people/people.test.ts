import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { openServerKit } from '../../../../tests/contract/server-kit.ts'
import type { Message } from '../../../outgoing/post.ts'
import { hashPassword } from '../../../session/password.ts'
import type { Person } from '../../../testing/kit.ts'
import { asks } from '../../../testing/sign-in.ts'

const { common, people, signIn, user } = contract
type Form = InputOf<typeof people.add>

let kit: Awaited<ReturnType<typeof openServerKit>>
let plain: string
let count = 0
beforeAll(async () => {
  kit = await openServerKit({ handmade: true })
  plain = await role([])
})
afterAll(() => kit.close())

const role = async (perms: readonly string[], sensitive: readonly string[] = []): Promise<string> => {
  const roleNo = `ROLE${++count}`
  await kit.exec(
    sql`insert into role (role_no, role_name, role_nature, sensitive_perms) values (${roleNo}, ${roleNo}, 'headquarters', ${[...sensitive]})`,
  )
  for (const perm of perms) {
    const menuNo = `${roleNo}-${perm}`
    await kit.exec(
      sql`insert into menu (menu_no, menu_name, menu_type, perms) values (${menuNo}, ${perm}, 'button', ${perm})`,
    )
    await kit.exec(sql`insert into role_menu (role_no, menu_no) values (${roleNo}, ${menuNo})`)
  }
  return roleNo
}
const form = (more: Partial<Form> = {}): Form => ({
  loginId: `person.${++count}`,
  userName: 'Grace',
  realName: 'Grace Nakato',
  deptNo: 'D1',
  roleNos: [plain],
  principalMerchantNo: 'M1',
  email: `person${count}@nilecredit.example`,
  ...more,
})
const add = (more: Partial<Form> = {}, as: Person = kit.boss) => kit.call(people.add, form(more), { as })
const added = async (more: Partial<Form> = {}) => kit.must(await add(more)).userNo
const rowOf = (userNo: string) => kit.rowOf('userAccount', userNo)
const update = async (userNo: string, more: object, as: Person = kit.boss) => {
  const { loginId: _, email: __, ...rest } = form()
  const { version } = await rowOf(userNo)
  return kit.call(people.update, { ...rest, userNo, version, ...more }, { as })
}
const rolesOf = async (userNo: string) =>
  (await kit.rows(sql<{ no: string }>`select role_no as no from user_role where user_no = ${userNo} order by 1`)).map(
    one => one.no,
  )
const agree = (approvalNo: string, as: Person = kit.second) =>
  kit.call(common.approve, { approvalNo, version: 0 }, { as })
const listed = async (search: string, as: Person = kit.boss) =>
  kit.must(await kit.call(people.page, { search }, { as })).list

describe('a new person', () => {
  it('user 1: gets a link, and the administrator sees no secret', async () => {
    const answer = kit.must(await add({ email: 'joan.birungi@nilecredit.example' }))
    expect(answer.sentTo).toMatch(/^jo\*+le$/)
    const [letter] = await kit.rows(sql<object>`
      select template, params, sealed from message where user_no = ${answer.userNo}`)
    expect(letter).toEqual({ template: 'link', params: { name: 'Grace Nakato' }, sealed: null })
    expect(await rowOf(answer.userNo)).toMatchObject({
      passwordHash: 'none',
      userStatus: 'normal',
      employeeStatus: 'on_job',
    })
  })

  it.each([
    ['in other case', 'Same.Login', 'same.LOGIN'],
    ['composed another way', 'same.two', 'SAME.TWO'],
  ])('has a login name that nobody else has, %s', async (_, first, second) => {
    await added({ loginId: first })
    const refused = await add({ loginId: second })
    expect(refused).toMatchObject({ code: 40001, data: { fields: [{ path: 'loginId' }] } })
  })

  it.each([
    ['a login name of other letters', { loginId: 'имя.имя' }, 'loginId'],
    ['a job number of digits only', { jobNo: '123456' }, 'jobNo'],
    ['an e-mail that is none', { email: 'grace@' }, 'email'],
    ['a phone of another country', { phone: '254712345678' }, 'phone'],
    ['neither phone nor e-mail', { email: undefined }, 'email'],
    ['no role', { roleNos: [] }, 'roleNos'],
    ['a department that is not', { deptNo: 'D99' }, 'deptNo'],
    ['a merchant that is not', { principalMerchantNo: 'M99' }, 'principalMerchantNo'],
    ['a role that is not', { roleNos: ['NONE'] }, 'roleNos'],
    ['access that ended yesterday', { validUntil: '2026-03-01' }, 'validUntil'],
    ['less than nothing as salary', { baseSalary: '-1.00' }, 'baseSalary'],
  ] as const)('is refused with %s, at the field', async (_, more, field) => {
    const { code, data } = await add(more as Partial<Form>)
    expect(code).toBe(40001)
    expect((data as unknown as { fields: { path: string }[] }).fields[0]?.path.split('.')[0]).toBe(field)
  })

  it('has a job number and an extension that nobody else has', async () => {
    await added({ jobNo: 'NC7001', extensionNo: '7001' })
    for (const [more, path] of [
      [{ jobNo: 'nc7001' }, 'jobNo'],
      [{ extensionNo: '7001' }, 'extensionNo'],
    ] as const)
      expect(await add(more)).toMatchObject({ code: 40001, data: { fields: [{ path }] } })
  })
})

describe('roles', () => {
  it('of money or personal data wait for a second person, who is neither the maker nor the person', async () => {
    const money = await role(['user:update:check'])
    const { userNo, approvalNo } = kit.must(await add({ roleNos: [plain, money] }))
    expect(await rolesOf(userNo)).toEqual([plain])
    expect((await agree(String(approvalNo), kit.boss)).code).toBe(40301)
    kit.must(await agree(String(approvalNo)))
    expect(await rolesOf(userNo)).toEqual([plain, money].sort())
  })

  it('are never given to oneself', async () => {
    const { userNo } = kit.boss
    const own = await rolesOf(userNo)
    expect(await update(userNo, { roleNos: [...own, plain], email: 'boss@nilecredit.example' })).toMatchObject({
      code: 40301,
    })
    expect(await rolesOf(userNo)).toEqual(own)
  })

  it('beyond the own rights are not given, but by those who keep the roles', async () => {
    const lead = await kit.person({ perms: ['user:page', 'user:add', 'user:update'], sensitive: [] })
    const above = await role(['ops:job:run'])
    expect(await add({ roleNos: [above] }, lead)).toMatchObject({ code: 40301, msg: expect.stringContaining(above) })
    const keeper = await kit.person({ perms: ['user:page', 'user:add', 'user:update', 'role:manage'], sensitive: [] })
    expect((await add({ roleNos: [above] }, keeper)).code).toBe(0)
  })

  it('do not change while the account is frozen', async () => {
    const userNo = await added()
    await kit.call(people.freeze, { userNos: [userNo], reason: 'lost phone' }, { as: kit.boss })
    expect(await update(userNo, { roleNos: [plain, await role([])] })).toMatchObject({ code: 40901 })
    expect((await update(userNo, { roleNos: [plain], realName: 'Grace Auma' })).code).toBe(0)
    // The form of a frozen account does not ask for them: they stay.
    expect((await update(userNo, { roleNos: undefined, realName: 'Grace Achan' })).code).toBe(0)
    expect(await rolesOf(userNo)).toEqual([plain])
    expect(await rowOf(userNo)).toMatchObject({ realName: 'Grace Achan' })
  })

  it('that move money and sleep are said in the list, until they wake', async () => {
    const userNo = await added({ loginId: 'asleep.after.reset' })
    const until = new Date(kit.clock.now().getTime() + 3_600_000)
    await kit.exec(sql`insert into user_mfa (user_no, mfa_status, money_from) values (${userNo}, 'unbound', ${until})`)
    expect((await listed('asleep.after.reset'))[0]?.sleepingUntil).toBe(until.toISOString())
    await kit.exec(sql`update user_mfa set money_from = ${kit.clock.now()} where user_no = ${userNo}`)
    expect((await listed('asleep.after.reset'))[0]?.sleepingUntil).toBeNull()
  })
})

describe('the data rule', () => {
  it('hides people of other departments: not found, not listed, not moved there', async () => {
    const elsewhere = await added({ deptNo: 'D2' })
    const lead = await kit.person({
      perms: ['user:page', 'user:update', 'user:freeze', 'user:batchUpdate'],
      limit: 'dept',
      dept: 'D1',
    })
    expect((await update(elsewhere, { roleNos: [plain] }, lead)).code).toBe(40401)
    const frozen = await kit.call(people.freeze, { userNos: [elsewhere], reason: 'mine' }, { as: lead })
    expect(frozen.data.rows).toMatchObject([{ code: 40401 }])
    expect((await kit.call(people.page, {}, { as: lead })).data.list.some(row => row.userNo === elsewhere)).toBe(false)
    const own = await added()
    const moved = await kit.call(people.batchUpdate, { userNos: [own], deptNo: 'D2' }, { as: lead })
    expect(moved).toMatchObject({ code: 40001, data: { fields: [{ path: 'deptNo' }] } })
  })
})

describe('freezing', () => {
  let auditor: Person
  beforeEach(async () => {
    auditor = await kit.person({ perms: ['audit:self:page'] })
  })

  it('user 2: answers -10 to the next call, and a sign-in is refused as with a wrong password', async () => {
    await kit.exec(
      sql`update app_user set password_hash = ${await hashPassword('Nile-Boat-47')} where user_no = ${auditor.userNo}`,
    )
    expect((await kit.call(user.self, {}, { as: auditor })).code).toBe(0)
    const frozen = await kit.call(people.freeze, { userNos: [auditor.userNo], reason: 'lost phone' }, { as: kit.boss })
    expect(frozen.data).toMatchObject({ ok: 1, fail: 0 })
    expect((await kit.call(user.self, {}, { as: auditor })).code).toBe(-10)
    const enter = (password: string) => asks(kit, { username: `login.${auditor.userNo}`, password })
    const [right, wrong] = [await enter('Nile-Boat-47'), await enter('another one')]
    expect(right.code).toBe(wrong.code)
    expect(right.code).not.toBe(0)
    kit.must(await kit.call(people.unfreeze, { userNos: [auditor.userNo] }, { as: kit.boss }))
    expect((await enter('Nile-Boat-47')).code).toBe(0)
  })

  it('is not done to oneself, and the row says so before', async () => {
    const { data } = await kit.call(people.freeze, { userNos: [kit.boss.userNo], reason: 'tired' }, { as: kit.boss })
    expect(data.rows).toMatchObject([{ code: 40301 }])
    const [own] = await listed(`login.${kit.boss.userNo}`)
    expect(own?.blockedBy['user.freeze']?.reason).toBe('errors.userSelf')
  })

  it('user 8: never shuts the last one out who can change roles', async () => {
    const holders = await kit.rows(sql<{ no: string }>`
      select distinct user_no as no from user_role join role_menu using (role_no) join menu using (menu_no) where perms = 'role:manage'`)
    const last = await kit.person({ perms: ['role:manage', 'user:page'] })
    for (const { no } of holders)
      if (no !== kit.boss.userNo && no !== kit.second.userNo)
        kit.must(await kit.call(people.freeze, { userNos: [no], reason: 'clears the way' }, { as: kit.boss }))
    await kit.exec(
      sql`delete from role_menu where menu_no in (select menu_no from menu where perms = 'role:manage') and role_no <> ${`R${last.userNo}`}`,
    )
    const { data } = await kit.call(people.freeze, { userNos: [last.userNo], reason: 'no reason' }, { as: kit.boss })
    expect(data.rows).toMatchObject([{ code: 40901 }])
    const leaving = { userNo: last.userNo, version: (await rowOf(last.userNo)).version, lastDay: '2026-03-02' }
    expect(await kit.call(people.leave, leaving, { as: kit.boss })).toMatchObject({ code: 40901 })
    expect(await update(last.userNo, { roleNos: [plain], email: 'last@nilecredit.example' })).toMatchObject({
      code: 40901,
    })
    expect((await kit.call(user.self, {}, { as: last })).code).toBe(0)
  })

  it('of an account whose day is over happens by the clock, at once for all calls', async () => {
    await kit.exec(sql`update app_user set valid_until = '2026-03-01' where user_no = ${auditor.userNo}`)
    await kit.tick('user.expire')
    expect(await rowOf(auditor.userNo)).toMatchObject({ userStatus: 'frozen', freezeReason: 'expired' })
    expect((await kit.call(user.self, {}, { as: auditor })).code).toBe(-10)
  })

  it('for security is undone by two people', async () => {
    await kit.call(people.freeze, { userNos: [auditor.userNo], reason: 'odd sign-ins' }, { as: kit.boss })
    await kit.exec(sql`update app_user set freeze_reason = 'security' where user_no = ${auditor.userNo}`)
    kit.must(await kit.call(people.unfreeze, { userNos: [auditor.userNo] }, { as: kit.boss }))
    expect((await rowOf(auditor.userNo)).userStatus).toBe('frozen')
    const [row] = await listed(`login.${auditor.userNo}`)
    kit.must(await agree(String(row?.pendingApproval)))
    expect((await rowOf(auditor.userNo)).userStatus).toBe('normal')
  })
})

describe('one who leaves', () => {
  it('is out at once, comes back by two people, and stays frozen until the account is opened', async () => {
    const one = await kit.person({ perms: ['audit:self:page'] })
    const version = async () => (await rowOf(one.userNo)).version
    kit.must(
      await kit.call(
        people.leave,
        { userNo: one.userNo, version: await version(), lastDay: '2026-03-02' },
        { as: kit.boss },
      ),
    )
    expect((await kit.call(user.self, {}, { as: one })).code).toBe(-10)
    expect((await kit.call(people.unfreeze, { userNos: [one.userNo] }, { as: kit.boss })).data.rows).toMatchObject([
      { code: 40901 },
    ])
    const asked = { userNo: one.userNo, version: await version(), reason: 'back' }
    const { approvalNo } = kit.must(await kit.call(people.rejoin, asked, { as: kit.boss }))
    kit.must(await agree(approvalNo))
    expect(await rowOf(one.userNo)).toMatchObject({ employeeStatus: 'on_job', userStatus: 'frozen' })
  })
})

describe('two who change the same person', () => {
  it('user 13: do not overwrite each other: the second learns who was first, and nothing of theirs is lost', async () => {
    const userNo = await added()
    const { version } = await rowOf(userNo)
    kit.must(await update(userNo, { roleNos: [plain], realName: 'First' }))
    const late = await update(userNo, { roleNos: [plain], realName: 'Second', version }, kit.second)
    expect(late).toMatchObject({ code: 40902, msg: expect.stringContaining(`Person ${kit.boss.userNo}`) })
    expect((await rowOf(userNo)) as unknown).toMatchObject({ realName: 'First' })
  })
})

describe('what is known of a person', () => {
  it('has to be verified again when the phone or the e-mail changes, and logged without either', async () => {
    const userNo = await added({ phone: '256772123456' })
    await kit.exec(sql`update app_user set phone_verified = true, email_verified = true where user_no = ${userNo}`)
    kit.must(await update(userNo, { roleNos: [plain], phone: '256772999999' }))
    expect(await rowOf(userNo)).toMatchObject({ phoneVerified: false, emailVerified: true })
    const lines = await kit.rows(
      sql<{
        line: string
      }>`select coalesce(before::text, '') || coalesce(after::text, '') as line from audit_log where object_no = ${userNo}`,
    )
    expect(lines.map(one => one.line).join()).not.toMatch(/256772123456|256772999999|@nilecredit/)
  })

  it('shows a salary to those alone who may see one', async () => {
    const userNo = await added()
    await kit.exec(sql`update app_user set base_salary = 1500000 where user_no = ${userNo}`)
    const reader = await kit.person({ perms: ['user:page'], sensitive: ['pii:reveal:baseSalary'] })
    expect((await kit.call(people.detail, { userNo }, { as: reader })).data.baseSalary).toBe('1500000.00')
    expect((await kit.call(people.detail, { userNo }, { as: kit.boss })).data.baseSalary).toBeNull()
    expect(await update(userNo, { roleNos: [plain], baseSalary: '9.00' })).toMatchObject({ code: 40301 })
  })

  it('finds people by the names they begin with, by several job numbers and by what needs attention', async () => {
    const userNo = await added({ realName: 'Zainab Musoke', jobNo: 'ZM9001' })
    expect((await listed('zainab')).map(row => row.userNo)).toEqual([userNo])
    expect(await listed('musoke')).toEqual([])
    const byJob = kit.must(await kit.call(people.page, { jobNos: 'NONE99, zm9001\nXX1111' }, { as: kit.boss }))
    expect(byJob.list.map(row => row.userNo)).toEqual([userNo])
    const never = kit.must(
      await kit.call(people.page, { attention: 'never_signed_in', jobNos: 'ZM9001' }, { as: kit.boss }),
    )
    expect(never.list).toHaveLength(1)
  })
})

it('user 1: makes the link when it is sent, which sets the password, verifies the channel and is then dead', async () => {
  const { linkMaker } = await import('./people-links.ts')
  const userNo = await added()
  const waits = await kit.db.read(tx =>
    tx.rows(sql<Message>`select * from message where object_no = ${userNo} and template = 'link'`),
  )
  expect(waits).toMatchObject([{ messageStatus: 'queued', channelType: 'email', language: 'en', sealed: null }])
  const made = await kit.db.withTx(tx => linkMaker('https://console.example/')(tx, waits[0] as Message))
  const link = /^https:\/\/console\.example\/Index\/Login#link=(\S+)$/.exec(String(made?.link))?.[1] ?? ''
  expect(link).not.toBe('')
  const open = async () => {
    const { challengeId } = kit.must(await kit.call(signIn.challenge, {}))
    const newPassword = 'Boda-Lake-4711'
    return kit.call(signIn.openLink, { challengeId, link, newPassword, confirmPassword: newPassword })
  }
  expect(await open()).toMatchObject({ code: 0 })
  expect(await rowOf(userNo)).toMatchObject({ emailVerified: true, passwordUpdateStatus: 0 })
  expect((await open()).code).toBe(40001)
})

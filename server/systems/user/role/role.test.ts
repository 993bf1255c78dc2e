import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { rightsOf } from '../../../rights/held-rights.ts'
import { writeMenus } from '../../../rights/write-menus.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { grantAction } from './grant.ts'
import { membersAction } from './members.ts'
import { roleModule } from './role.ts'

const { role, common } = contract
const codes = ['role:page', 'role:manage', 'user:update']
const orders = 'mkopo-audit-order-management'
const allocation = 'mkopo-audit-order-allocation'
const payouts = 'mkopo-after-loan-loan-management'

let kit: Kit
let maker: Person
let checker: Person
let clerk: Person
let made = 0

beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [roleModule(), approvalModule([grantAction, membersAction])] })
  await kit.db.withTx(tx => writeMenus(tx))
  maker = await kit.person({ perms: codes })
  checker = await kit.person({ perms: [...codes, 'role:manage:check', 'user:update:check'] })
})
afterAll(() => kit.close())
beforeEach(async () => {
  clerk = await kit.person({ perms: [] })
})

type Wanted = Parameters<typeof kit.call<typeof role.permissions>>[1]
const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))
const exec = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
const make = async (given = {}, as = maker) =>
  (await kit.call(role.save, { roleName: `Desk ${++made}`, roleNature: 'headquarters', ...given }, { as })).data
const none = { permissions: [], dataRules: [], sensitivePerms: [] }
const set = async (roleNo: string, wanted: Partial<Wanted>, as = maker) => {
  const { data } = await kit.call(role.detail, { roleNo }, { as })
  return kit.call(role.permissions, { roleNo, version: data.version, ...none, ...wanted }, { as })
}
const detail = async (roleNo: string) => (await kit.call(role.detail, { roleNo }, { as: maker })).data
const join = (person: Person, roleNo: string) => exec(sql`insert into user_role values (${person.userNo}, ${roleNo})`)
const held = async (person: Person) => kit.db.read(tx => rightsOf(tx, person.userNo))
const approve = async (approvalNo: string | null, as = checker) =>
  kit.call(common.approve, { approvalNo: String(approvalNo), version: 0 }, { as })
const ordersRead = [orders, `${orders}.audit:manage:page`]

describe('the rights of a role', () => {
  it('hold for the next call of its members: codes, data rule, and no more', async () => {
    const { roleNo } = await make()
    await join(clerk, roleNo)
    const answer = await set(roleNo, {
      permissions: [orders, `${orders}.audit:order:cancel`],
      dataRules: [{ menuNo: orders, limitType: 'own_merchants' }],
    })
    expect(answer).toMatchObject({ code: 0, data: { approvalNo: null, removed: 0, waiting: 0 } })
    const rights = await held(clerk)
    expect([...rights.perms].filter(code => code.startsWith('audit:')).sort()).toEqual([
      'audit:manage:page',
      'audit:order:cancel',
    ])
    expect(rights.limitOf.get('audit:order:cancel')).toBe('own_merchants')
    expect(rights.sensitive.has('pii:reveal:phone')).toBe(false)
    await set(roleNo, {})
    expect([...(await held(clerk)).perms].filter(code => code.startsWith('audit:'))).toEqual([])
  })

  it('user 7: act at once where one person may grant them, and wait where they concern money', async () => {
    const { roleNo } = await make()
    await join(clerk, roleNo)
    const { data } = await set(roleNo, {
      permissions: [allocation, `${allocation}.audit:order:allot`, payouts, `${payouts}.fund:payout:confirm`],
      dataRules: [{ menuNo: payouts, limitType: 'all' }],
      sensitivePerms: ['phone'],
    })
    expect(data).toMatchObject({ waiting: 4, approvalNo: expect.stringMatching(/^AP/) })
    expect((await held(clerk)).perms.has('audit:order:allot')).toBe(true)
    expect((await held(clerk)).perms.has('fund:payout:confirm')).toBe(false)
    expect((await held(clerk)).sensitive.has('pii:reveal:phone')).toBe(false)
    expect((await approve(data.approvalNo, maker)).code).toBe(40301)
    expect(await approve(data.approvalNo)).toMatchObject({ code: 0, data: { approvalStatus: 'executed' } })
    const after = await held(clerk)
    expect(after.perms.has('fund:payout:confirm')).toBe(true)
    expect(after.sensitive.has('pii:reveal:phone')).toBe(true)
    expect(after.limitOf.get('fund:payout:confirm')).toBe('all')
    const log = await rows(sql<{ action: string; before: unknown; after: Record<string, unknown> }>`
      select action, before, after from audit_log where object_type = 'role' and object_no = ${roleNo} order by audit_no`)
    expect(log.map(line => line.action)).toEqual(['role.save', 'role.permissions', 'role.granted', 'approval.approve'])
    expect(log[2]?.after).toMatchObject({
      permissions: expect.arrayContaining([`${payouts}.fund:payout:confirm`]),
      makerNo: maker.userNo,
    })
  })

  it('can be taken away while a grant waits, but nothing is added', async () => {
    const { roleNo } = await make()
    const { data } = await set(roleNo, { permissions: ordersRead, sensitivePerms: ['phone'] })
    expect((await set(roleNo, { permissions: [...ordersRead, allocation] })).code).toBe(40901)
    expect((await set(roleNo, {})).code).toBe(0)
    expect(await approve(data.approvalNo)).toMatchObject({ code: 0 })
    expect(await detail(roleNo)).toMatchObject({ permissions: [], sensitivePerms: ['phone'] })
  })

  it('of one’s own role are widened by nobody alone, not even without money', async () => {
    const { roleNo } = await make()
    await join(maker, roleNo)
    const { data } = await set(roleNo, { permissions: ordersRead })
    expect(data).toMatchObject({ waiting: 2 })
    expect((await detail(roleNo)).permissions).toEqual([])
    await approve(data.approvalNo)
    expect((await detail(roleNo)).permissions.toSorted()).toEqual(ordersRead.toSorted())
    expect((await set(roleNo, {})).data).toMatchObject({ removed: 2, approvalNo: null })
  })

  it('are not agreed to once their page is gone from the role', async () => {
    const { roleNo } = await make()
    const { data } = await set(roleNo, { permissions: [payouts, `${payouts}.fund:payout:confirm`] })
    await set(roleNo, {})
    expect(await approve(data.approvalNo)).toMatchObject({ code: 0, data: { approvalStatus: 'failed' } })
    expect((await detail(roleNo)).permissions).toEqual([])
  })

  it('refuse a code that does not exist, a button without its page, and a rule above the nature', async () => {
    const { roleNo } = await make({ roleNature: 'outsourced' })
    const refused = [
      { permissions: ['mkopo-no-such-page'] },
      { permissions: [`${orders}.audit:order:cancel`] },
      { permissions: [orders], dataRules: [{ menuNo: orders, limitType: 'all' as const }] },
      { permissions: [orders], dataRules: [{ menuNo: allocation, limitType: 'own' as const }] },
      { sensitivePerms: ['unmask' as const] },
      { sensitivePerms: ['baseSalary' as const] },
    ]
    for (const wanted of refused) expect((await set(roleNo, wanted)).code).toBe(40001)
    expect(await detail(roleNo)).toMatchObject(none)
  })

  it('keep a code of an older version as an orphan that grants nothing and can only go', async () => {
    const { roleNo } = await make()
    await join(clerk, roleNo)
    await set(roleNo, { permissions: ordersRead })
    const [page] = ordersRead
    await exec(
      sql`insert into menu (menu_no, parent_menu_no, menu_name, menu_type, perms) values ('old', ${page}, 'old', 'button', 'old:code')`,
    )
    await exec(sql`insert into role_menu values (${roleNo}, 'old', null)`)
    await exec(sql`update menu set gone_time = now() where menu_no = 'old'`)
    expect(await detail(roleNo)).toMatchObject({ orphans: [{ menuNo: 'old', code: 'old:code' }] })
    expect((await held(clerk)).perms.has('old:code')).toBe(false)
    await set(roleNo, { permissions: [...ordersRead, 'old'] })
    expect((await detail(roleNo)).orphans).toHaveLength(1)
    await set(roleNo, { permissions: ordersRead })
    expect((await detail(roleNo)).orphans).toEqual([])
    expect((await set(roleNo, { permissions: [...ordersRead, 'old'] })).code).toBe(40001)
  })
})

describe('who may change roles', () => {
  it('never becomes nobody', async () => {
    const lone = await openKit({ handmade: true, modules: [roleModule()] })
    try {
      const last = await lone.person({ perms: codes })
      const roleNo = `R${last.userNo}`
      const { data } = await lone.call(role.detail, { roleNo }, { as: last })
      const less = { roleNo, version: data.version, ...none, permissions: data.permissions.slice(0, 1) }
      expect(await lone.call(role.permissions, less, { as: last })).toMatchObject({
        code: 40901,
        msg: 'At least one active person must keep the right to manage roles',
      })
      const out = { roleNo, version: data.version, userNos: [last.userNo] }
      expect((await lone.call(role.removeMembers, out, { as: last })).code).toBe(40901)
      expect((await lone.call(role.page, {}, { as: last })).code).toBe(0)
    } finally {
      await lone.close()
    }
  })

  it('proves who they are', async () => {
    const answer = await kit.call(
      role.save,
      { roleName: 'X', roleNature: 'headquarters' },
      { as: maker, unproven: true },
    )
    expect(answer.code).toBe(40302)
  })

  it('sees that somebody else was first', async () => {
    const { roleNo, version } = await make()
    await set(roleNo, { permissions: ordersRead })
    expect((await kit.call(role.permissions, { roleNo, version, ...none }, { as: maker })).code).toBe(40902)
  })
})

describe('a role', () => {
  it('has a name that no other has, in whatever case', async () => {
    await make({ roleName: 'Night desk' })
    expect(await kit.call(role.save, { roleName: 'night DESK', roleNature: 'merchant' }, { as: maker })).toMatchObject({
      code: 40001,
      data: { fields: [{ path: 'roleName' }] },
    })
  })

  it('is copied with its rights, and what concerns money waits as it would for any other', async () => {
    const { roleNo } = await make()
    const { data } = await set(roleNo, { permissions: ordersRead, sensitivePerms: ['phone'] })
    await approve(data.approvalNo)
    const copy = await make({ copyOf: roleNo })
    expect(await detail(copy.roleNo)).toMatchObject({
      sensitivePerms: [],
      permissions: expect.arrayContaining(ordersRead),
    })
    expect(copy.approvalNo).toMatch(/^AP/)
  })

  it('shows what a narrower nature takes, and takes it once that is confirmed; a wider one waits', async () => {
    const { roleNo } = await make()
    await set(roleNo, { permissions: ordersRead, dataRules: [{ menuNo: orders, limitType: 'all' }] })
    const { version } = await detail(roleNo)
    const to = { roleNo, version, roleName: `Desk ${++made}`, roleNature: 'outsourced' as const }
    const asked = await kit.call(role.save, to, { as: maker })
    expect(asked).toMatchObject({ code: 40002, data: { confirm: ['confirmNarrow'] } })
    expect(asked.msg).toContain('Order management')
    const { data } = await kit.call(role.save, { ...to, confirmNarrow: true }, { as: maker })
    expect(await detail(roleNo)).toMatchObject({ dataRules: [{ menuNo: orders, limitType: 'own_merchants' }] })
    const back = { ...to, version: data.version, roleNature: 'headquarters' as const }
    const wide = (await kit.call(role.save, back, { as: maker })).data
    expect((await detail(roleNo)).roleNature).toBe('outsourced')
    await approve(wide.approvalNo)
    expect((await detail(roleNo)).roleNature).toBe('headquarters')
  })

  it('goes only without members and without a grant that waits', async () => {
    const { roleNo } = await make()
    await join(clerk, roleNo)
    const gone = async () =>
      (await kit.call(role.remove, { roleNo, version: (await detail(roleNo)).version }, { as: maker })).code
    expect(await gone()).toBe(40901)
    await exec(sql`delete from user_role where role_no = ${roleNo}`)
    const { data } = await set(roleNo, { sensitivePerms: ['phone'] })
    expect(await gone()).toBe(40901)
    await approve(data.approvalNo)
    expect(await gone()).toBe(0)
    expect((await kit.call(role.detail, { roleNo }, { as: maker })).code).toBe(40401)
  })

  it('says who holds a code, under which rule', async () => {
    const { roleNo } = await make()
    await join(clerk, roleNo)
    await set(roleNo, {
      permissions: [orders, `${orders}.audit:order:export`],
      dataRules: [{ menuNo: orders, limitType: 'dept' }],
    })
    const { data } = await kit.call(role.whoMay, { code: 'audit:order:export' }, { as: maker })
    expect(data.roles).toMatchObject([{ roleNo, limitType: 'dept', memberCount: 1 }])
    expect(data.people).toMatchObject([{ userNo: clerk.userNo, limitType: 'dept' }])
  })
})

describe('members', () => {
  const about = async (roleNo: string, { userNo }: Person) => ({
    roleNo,
    version: (await detail(roleNo)).version,
    userNos: [userNo],
  })
  const add = async (roleNo: string, person: Person, as = maker) =>
    kit.call(role.addMembers, await about(roleNo, person), { as })

  it('come at once to a plain role, and through a second person to one with sensitive rights', async () => {
    const { roleNo } = await make()
    await set(roleNo, { permissions: ordersRead })
    expect((await add(roleNo, clerk)).data).toMatchObject({ approvalNo: null })
    expect((await held(clerk)).perms.has('audit:manage:page')).toBe(true)
    expect((await kit.call(role.removeMembers, await about(roleNo, clerk), { as: maker })).code).toBe(0)
    const { data } = await set(roleNo, { permissions: ordersRead, sensitivePerms: ['phone'] })
    await approve(data.approvalNo)
    const asked = await add(roleNo, clerk)
    expect((await held(clerk)).perms.has('audit:manage:page')).toBe(false)
    expect(await approve(asked.data.approvalNo)).toMatchObject({ code: 0 })
    expect((await held(clerk)).perms.has('audit:manage:page')).toBe(true)
  })

  it('are never oneself, nobody out of reach, and nobody beyond one’s own rights', async () => {
    const { roleNo } = await make()
    await set(roleNo, { permissions: ordersRead })
    expect((await add(roleNo, maker)).code).toBe(40301)
    const lead = await kit.person({ perms: ['role:page', 'user:update'], limit: 'own_merchants', merchants: ['M2'] })
    expect((await add(roleNo, clerk, lead)).code).toBe(40401)
    const near = await kit.person({ perms: [], merchants: ['M2'] })
    expect((await add(roleNo, near, lead)).code).toBe(40301)
    expect(
      (await kit.call(role.candidates, { roleNo, text: 'Person' }, { as: lead })).data.list.map(one => one.userNo),
    ).toContain(near.userNo)
  })
})

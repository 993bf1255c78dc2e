import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { application, send } from '../../../testing/partner.ts'
import { orderManageModule } from '../../audit/order-list/order-manage.ts'
import { commonModule } from '../../common/common.ts'
import { intakeModule } from '../../order/intake/intake.ts'
import { orderDetailModule } from '../../order/order/order-detail.ts'
import { sensitiveInfoModule } from './sensitive-info.ts'
import { settings } from './settings.ts'

const { audit, common, sensitiveInfo } = contract
const codes = ['page', 'save', 'save:check', 'log', 'export'].map(action => `operation:sensitiveInfo:${action}`)
const reads = ['order:detail:view', 'audit:manage:page']
const full = ['pii:unmask', 'pii:reveal:phone', 'pii:reveal:idNumber']

let kit: Kit
let officer: Person
let second: Person
let grace: Person
let orderNo: string
let customer: ReturnType<typeof application>['customer']
let seed = 91_000

type Settings = Omit<InputOf<typeof sensitiveInfo.save>, 'fieldKey' | 'version'>
const fieldOf = async (key: string) => {
  const { list } = (await kit.call(sensitiveInfo.page, {}, { as: officer })).data
  const found = list.find(one => one.fieldKey === key)
  if (!found) throw new Error(`no field ${key}`)
  return found
}
const set = async (change: Partial<Settings>, key: 'phone' | 'idNumber' = 'phone') => {
  const { dataClass, listMask, revealHourCap, revealDayCap, reasonRequired, codeRequired, version } = await fieldOf(key)
  const now = { dataClass, listMask, revealHourCap, revealDayCap, reasonRequired, codeRequired }
  return kit.call(sensitiveInfo.save, { fieldKey: key, version, ...now, ...change }, { as: officer, language: 'en' })
}
const reveal = (more: Partial<InputOf<typeof common.reveal>> = {}, unproven = false) =>
  kit.call(
    common.reveal,
    { kind: 'phone', objectType: 'order', objectNo: orderNo, field: 'phone', ...more },
    { as: grace, ...(unproven ? { unproven } : {}) },
  )
const log = async (filters: InputOf<typeof sensitiveInfo.revealLog> = {}) =>
  (await kit.call(sensitiveInfo.revealLog, { pageSize: 100, ...filters }, { as: officer })).data.list

beforeAll(async () => {
  const modules = [
    ...[commonModule(), intakeModule(), orderDetailModule({} as never), orderManageModule({} as never)],
    ...[sensitiveInfoModule(), approvalModule(settings.approvals)],
  ]
  kit = await openKit({ handmade: true, modules })
  officer = await kit.person({ perms: codes, name: 'Officer' })
  second = await kit.person({ perms: codes, name: 'Second' })
})
afterAll(() => kit.close())
beforeEach(async () => {
  await kit.db.withTx(tx =>
    tx.exec(
      sql`update sensitive_field set reveal_hour_cap = 60, list_mask = 'spec', reason_required = false, code_required = false`,
    ),
  )
  const body = application(++seed)
  customer = body.customer
  orderNo = (await send(kit, body)).data.orderNo
  grace = await kit.person({ perms: reads, sensitive: full, name: 'Grace' })
})

it('every kind is listed with who may see it and where; what is granted as a whole has no settings', async () => {
  await kit.person({ perms: [], sensitive: ['pii:reveal:face', 'pii:reveal:baseSalary'] })
  const { list } = (await kit.call(sensitiveInfo.page, {}, { as: officer })).data
  expect(list.map(one => one.fieldKey)).toHaveLength(12)
  expect(list.filter(one => one.oneByOne).map(one => one.fieldKey)).toEqual([
    'phone',
    'idNumber',
    'bankCardNo',
    'walletAccount',
  ])
  for (const key of ['face', 'baseSalary'] as const) {
    const one = list.find(({ fieldKey }) => fieldKey === key)
    expect(one?.holderCount).toBeGreaterThan(0)
    expect(one?.screenCount).toBeGreaterThan(0)
    const { screens } = (await kit.call(sensitiveInfo.detail, { fieldKey: key }, { as: officer })).data
    expect(screens.length).toBe(one?.screenCount)
  }
  const settings = { dataClass: 'C4', listMask: 'spec', revealHourCap: 9, revealDayCap: 9, version: 0 }
  const save = { fieldKey: 'face', reasonRequired: false, codeRequired: false, ...settings }
  expect((await kit.call(sensitiveInfo.save, save as never, { as: officer })).code).toBe(40001)
})

describe('a stricter setting acts at once', () => {
  it('on the cap of its kind alone; the attempt above it is in the log', async () => {
    expect((await set({ revealHourCap: 2 })).data).toMatchObject({ approvalNo: null })
    expect((await reveal()).data).toBe(customer.phone)
    await reveal()
    expect((await reveal()).code).toBe(42901)
    expect((await reveal({ kind: 'idNumber', field: 'idNumber' })).data).toBe(customer.idNumber)
    const over = await log({ result: ['over_limit'], orderNo })
    expect(over).toMatchObject([{ realName: 'Grace', seenKinds: ['phone'], orderNo, result: 'over_limit' }])
  })

  it('on the reason, which then is in the log', async () => {
    await set({ reasonRequired: true })
    expect((await reveal()).code).toBe(40001)
    expect((await reveal({ reason: 'Customer called', route: 'mkopo-audit-order-management' })).data).toBe(
      customer.phone,
    )
    expect(await log({ orderNo })).toMatchObject([{ reason: 'Customer called', route: expect.stringMatching(/\S/) }])
  })

  it('on the code of the authenticator', async () => {
    await set({ codeRequired: true })
    expect((await reveal({}, true)).code).toBe(40302)
    expect((await reveal()).data).toBe(customer.phone)
  })

  it('on what lists show', async () => {
    const phoneOf = async () =>
      (await kit.call(audit.manageList, { orderNo }, { as: grace })).data.list.find(row => row.orderNo === orderNo)
        ?.phone
    expect(await phoneOf()).toMatch(/^25\*+\d\d$/)
    await set({ listMask: 'full' })
    expect(await phoneOf()).toBe('*****')
  })
})

describe('a weaker setting', () => {
  it('waits for a second person, who is never the maker', async () => {
    await set({ revealHourCap: 5 })
    const { data } = await set({ revealHourCap: 30, codeRequired: true })
    const approvalNo = String(data.approvalNo)
    expect(await fieldOf('phone')).toMatchObject({ revealHourCap: 5, pendingApproval: 'Officer' })
    expect(await set({ revealHourCap: 4 })).toMatchObject({ code: 40901 })
    expect((await kit.call(common.approve, { approvalNo, version: 0 }, { as: officer })).code).toBe(40301)
    expect((await kit.call(common.approve, { approvalNo, version: 0 }, { as: second })).code).toBe(0)
    expect(await fieldOf('phone')).toMatchObject({ revealHourCap: 30, codeRequired: true, pendingApproval: null })
    const { history } = (await kit.call(sensitiveInfo.detail, { fieldKey: 'phone' }, { as: officer })).data
    expect(history[0]).toMatchObject({ changedBy: 'Officer', checkedBy: 'Second' })
  })

  it.each([
    ['61 an hour', { revealHourCap: 61 }],
    ['301 a day', { revealDayCap: 301 }],
    ['none', { revealHourCap: 0 }],
  ])('is never a cap of %s', async (_, change) => {
    expect((await set(change)).code).toBe(40001)
  })

  it('is refused on an older version, and when nothing is changed', async () => {
    expect((await set({})).code).toBe(40001)
    const field = await fieldOf('idNumber')
    const { dataClass, listMask, revealDayCap, reasonRequired, codeRequired } = field
    const rest = { dataClass, listMask, revealDayCap, reasonRequired, codeRequired, revealHourCap: 9 }
    const call = { fieldKey: 'idNumber' as const, version: field.version, ...rest }
    expect((await kit.call(sensitiveInfo.save, call, { as: officer })).code).toBe(0)
    expect((await kit.call(sensitiveInfo.save, { ...call, revealHourCap: 8 }, { as: officer })).code).toBe(40902)
  })
})

describe('who saw what', () => {
  it('is found by customer and by order, with the kinds', async () => {
    await reveal()
    await reveal({ kind: 'idNumber', field: 'idNumber' })
    const day = eatDate(kit.clock.now())
    const [line] = await log({ orderNo })
    const asked = { orderNo, fromDate: day, toDate: day }
    const { list } = (await kit.call(sensitiveInfo.seenBy, asked, { as: officer })).data
    expect(list).toMatchObject([{ realName: 'Grace', seenKinds: ['idNumber', 'phone'], seenCount: 2 }])
    const byCustomer = { customerNo: String(line?.customerNo), fromDate: day, toDate: day }
    expect((await kit.call(sensitiveInfo.seenBy, byCustomer, { as: officer })).data.list).toEqual(list)
    expect((await kit.call(sensitiveInfo.seenBy, { fromDate: day, toDate: day }, { as: officer })).code).toBe(40001)
  })

  it('is reviewed once, and the log stays as it is', async () => {
    await reveal()
    const [line] = await log({ orderNo })
    const input = { accessNos: [String(line?.accessNo), 'AL000999999999'], remark: 'Looked at' }
    expect((await kit.call(sensitiveInfo.review, input, { as: officer })).data).toMatchObject({ ok: 1, fail: 1 })
    expect(await log({ orderNo, reviewed: true })).toMatchObject([{ reviewedBy: 'Officer' }])
    expect(await log({ orderNo, reviewed: false })).toEqual([])
    await expect(kit.db.withTx(tx => tx.exec(sql`update access_log set result = 'empty'`))).rejects.toThrow()
  })

  it('is counted by person, with nights and refusals', async () => {
    await set({ revealHourCap: 1 })
    await reveal()
    await reveal()
    const { list } = (await kit.call(sensitiveInfo.revealStat, { lastDays: 1 }, { as: officer })).data
    const mine = list.find(one => one.userNo === grace.userNo)
    expect(mine).toMatchObject({ revealCount: 1, overCount: 1, customerCount: 1, busiestHour: 1, outsideCount: 0 })
    const effect = { fieldKey: 'phone' as const, revealHourCap: 1, revealDayCap: 1 }
    expect((await kit.call(sensitiveInfo.effect, effect, { as: officer })).data).toMatchObject({ aboveHour: 0 })
  })

  it('is for those who may read the log', async () => {
    const other = await kit.person({ perms: ['operation:sensitiveInfo:page'] })
    expect((await kit.call(sensitiveInfo.revealLog, {}, { as: other })).code).toBe(40301)
    expect((await kit.call(sensitiveInfo.revealStat, { lastDays: 1 }, { as: other })).code).toBe(40301)
  })
})

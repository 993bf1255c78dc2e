import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Application } from '../../../../core/contract/order/intake.ts'
import type { BvnAnswer } from '../../../gateways/bvn/bvn-service.ts'
import { bvnOf } from '../../../simulators/people.ts'
import { richApplicant } from '../../../simulators/phone/rich-applicant.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { type Sent, send } from '../../../testing/partner.ts'
import { listValues } from '../../risk/name-list/index.ts'
import { intakeModule } from '../intake/intake.ts'
import { orderCollectedModule } from './collected.ts'

const { orderCollected } = contract
const kinds = ['contacts', 'operator', 'appList', 'location', 'device', 'bvn', 'face']
const all = [...kinds.map(kind => `pii:reveal:${kind}`), 'pii:unmask']
const at = '2026-03-02T06:59:00.000Z'
const consents = (['contacts', 'location', 'device', 'apps', 'operator', 'credit_bureau', 'face'] as const).map(
  consentKind => ({ consentKind, consentTime: at }),
)

let kit: Kit
let boss: Person
let answer: BvnAnswer = { is: 'unknown', reason: 'not said' }
const asked: string[] = []
let seed = 4000

const rich = (change: Partial<Application> = {}): Application => ({
  ...richApplicant(++seed, { productNos: ['P1'], clean: true, at }),
  loanAmount: '200000.00',
  consents,
  ...change,
})
const apply = async (body: Application, sent?: Sent) => (await send(kit, body, sent)).data.orderNo as string
const other: Sent = { merchantNo: 'M2', secret: 'secret-two' }

beforeAll(async () => {
  const bvn = {
    ask: async (number: string) => {
      asked.push(number)
      return answer
    },
  }
  kit = await openKit({ modules: [intakeModule(), orderCollectedModule({ bvn })] })
  boss = await kit.person({ perms: ['order:detail:view'], sensitive: all })
})
afterAll(() => kit.close())

const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))

describe('what was collected', () => {
  it('is read part by part', async () => {
    const body = rich()
    const orderNo = await apply(body)
    const as = { as: boss }
    const { collected } = body
    const relations = await kit.call(orderCollected.relations, { orderNo }, as)
    expect(relations.data.list.map(one => one.contactPhone)).toEqual(body.contacts.map(one => one.contactPhone))
    const affinity = (await kit.call(orderCollected.affinity, { orderNo }, as)).data
    expect(affinity.list).toHaveLength(collected?.affinity?.length ?? 0)
    const minutes = affinity.list.map(one => one.callMinutes)
    expect(minutes).toEqual([...minutes].sort((a, b) => b - a))
    expect(affinity.consentTime).toBe(at)
    const operator = (await kit.call(orderCollected.operator, { orderNo }, as)).data.operator
    expect(operator).toMatchObject({
      phoneNetwork: collected?.operator?.phoneNetwork,
      simRegisteredName: collected?.operator?.simRegisteredName,
    })
    expect(operator?.months).toHaveLength(6)
    const apps = (await kit.call(orderCollected.apps, { orderNo }, as)).data
    expect(apps.total).toBe(collected?.apps?.length)
    expect(apps.lending).toBe(collected?.apps?.filter(app => app.appCategory === 'lending').length)
    const location = (await kit.call(orderCollected.location, { orderNo }, as)).data
    expect(location.list[0]).toMatchObject({ positionKind: 'apply', metersFromApply: 0 })
    const device = (await kit.call(orderCollected.device, { orderNo }, as)).data
    expect(device.device).toMatchObject({ deviceId: body.device.deviceId, batteryPercent: body.device.batteryPercent })
  })

  it('is not kept without the consent to it', async () => {
    const orderNo = await apply(rich({ consents: [{ consentKind: 'device', consentTime: at }] }))
    const as = { as: boss }
    expect(await kit.call(orderCollected.location, { orderNo }, as)).toMatchObject({
      data: { consentTime: null, list: [] },
    })
    expect(await kit.call(orderCollected.operator, { orderNo }, as)).toMatchObject({ data: { operator: null } })
    expect(await kit.call(orderCollected.apps, { orderNo }, as)).toMatchObject({
      data: { consentTime: null, total: 0 },
    })
    expect(await kit.call(orderCollected.affinity, { orderNo }, as)).toMatchObject({ data: { list: [] } })
    expect(await kit.call(orderCollected.bvn, { orderNo }, as)).toMatchObject({ data: { bvn: null } })
    expect(await kit.call(orderCollected.faces, { orderNo }, as)).toMatchObject({ data: { faceScore: null, list: [] } })
    expect(await rows(sql<object>`select 1 as kept from order_collected where order_no = ${orderNo}`)).toEqual([])
    expect(
      await rows(
        sql<object>`select 1 as kept from order_contact where order_no = ${orderNo} and contact_source = 'affinity'`,
      ),
    ).toEqual([])
  })

  it('order-audit 10: is closed to who may not see its kind, and each opening is noted once an hour', async () => {
    const orderNo = await apply(rich())
    const blind = await kit.person({ perms: ['order:detail:view'], sensitive: ['pii:unmask'] })
    for (const call of [orderCollected.relations, orderCollected.location, orderCollected.device, orderCollected.bvn])
      expect((await kit.call(call, { orderNo }, { as: blind })).code).toBe(40301)
    await kit.call(orderCollected.location, { orderNo }, { as: boss })
    await kit.call(orderCollected.location, { orderNo }, { as: boss })
    expect(
      await rows(sql<object>`
        select user_no, access_kind, field from access_log where object_type = 'order' and object_no = ${orderNo}`),
    ).toEqual([{ userNo: boss.userNo, accessKind: 'view', field: 'location' }])
  })

  it('of an order out of reach is not found, and tells nothing of it', async () => {
    const body = rich()
    const orderNo = await apply(body)
    const theirs = await apply(
      rich({ productNo: 'P2', device: body.device, collected: { ...body.collected }, contacts: body.contacts }),
      other,
    )
    const mine = await kit.person({
      perms: ['order:detail:view'],
      sensitive: all,
      limit: 'own_merchants',
      merchants: ['M1'],
    })
    expect((await kit.call(orderCollected.device, { orderNo: theirs }, { as: mine })).code).toBe(40401)
    const ofMine = (await kit.call(orderCollected.device, { orderNo }, { as: mine })).data
    expect(ofMine).toMatchObject({ device: { sharedDeviceCount: 0 }, shared: [] })
    expect((await kit.call(orderCollected.relations, { orderNo }, { as: mine })).data.list[0]?.sharedCount).toBe(0)
    expect((await kit.call(orderCollected.faces, { orderNo }, { as: mine })).data.list).toEqual([])
    const ofAll = (await kit.call(orderCollected.device, { orderNo }, { as: boss })).data
    expect(ofAll).toMatchObject({ device: { sharedDeviceCount: 1 }, shared: [{ orderNo: theirs }] })
    expect((await kit.call(orderCollected.relations, { orderNo }, { as: boss })).data.list[0]?.sharedCount).toBe(1)
    expect((await kit.call(orderCollected.faces, { orderNo }, { as: boss })).data.list).toMatchObject([
      { orderNo: theirs, likeness: '100.0', sameIdNumber: false },
    ])
  })
})

it('a contact on a black list is marked', async () => {
  const body = rich()
  const [friend] = body.contacts
  const hash = listValues(Buffer.alloc(32)).hash('phone', friend?.contactPhone ?? '')
  await kit.db.withTx(async tx => {
    await tx.exec(sql`
      insert into name_list (name_list_no, enabled, name_list_name, list_kind, dimension, list_effect, default_months, created_time, updated_by, updated_time)
      values ('NLB', 'enabled', 'Black phones', 'black', 'phone', 'refuse', 12, ${tx.now}, 'system', ${tx.now})`)
    await tx.exec(sql`
      insert into name_list_item (item_no, item_status, name_list_no, value_hash, value_sealed, display_value, reason_code, list_source, created_by, created_by_name, created_time, expire_time)
      values ('NIB', 'active', 'NLB', ${hash}, '', '', 'fraud', 'manual', 'system', 'System', ${tx.now}, ${new Date(tx.now.getTime() + 86_400_000)})`)
  })
  const orderNo = await apply(body)
  const { list } = (await kit.call(orderCollected.relations, { orderNo }, { as: boss })).data
  expect(list.map(one => one.blacklisted)).toEqual(body.contacts.map((_, index) => index === 0))
  await kit.db.withTx(async tx => {
    await tx.exec(sql`delete from name_list_item where item_no = 'NIB'`)
    await tx.exec(sql`delete from name_list where name_list_no = 'NLB'`)
  })
})

describe('the verification number', () => {
  const query = (orderNo: string, key?: string) =>
    kit.call(orderCollected.bvnQuery, { orderNo }, { as: boss, language: 'en', ...(key ? { key } : {}) })
  const numbered = (body: Application = rich()) => ({
    ...body,
    collected: { ...body.collected, bvn: bvnOf(body.customer.phone) },
  })

  it('order-audit 13: is asked for once a minute, and what is found is compared with the applicant', async () => {
    const body = numbered()
    const orderNo = await apply(body)
    const { customerName: name, birthDate, phone } = body.customer
    answer = { is: 'found', name, birthDate, phone }
    expect((await query(orderNo)).data).toMatchObject({
      bvnResult: 'passed',
      nameMatch: true,
      birthDateMatch: true,
      phoneMatch: true,
      waitSeconds: 60,
    })
    expect(asked.at(-1)).toBe(body.collected.bvn)
    expect((await query(orderNo)).code).toBe(42901)
    kit.clock.advance(60_000)
    answer = { is: 'found', name, birthDate: '1970-01-01', phone }
    expect((await query(orderNo)).data).toMatchObject({ bvnResult: 'failed', birthDateMatch: false })
  })

  it('keeps what it found when a later question is not answered', async () => {
    const body = numbered()
    const orderNo = await apply(body)
    const { customerName: name, birthDate, phone } = body.customer
    answer = { is: 'found', name, birthDate, phone }
    await query(orderNo)
    kit.clock.advance(60_000)
    answer = { is: 'unknown', reason: 'timeout' }
    expect((await query(orderNo)).data.bvnResult).toBe('unknown')
    expect((await kit.call(orderCollected.bvn, { orderNo }, { as: boss })).data).toMatchObject({
      bvnResult: 'passed',
      bvnName: name,
    })
  })

  it.each([
    [{ is: 'none' }, 'none'],
    [{ is: 'unknown', reason: 'http 202' }, 'unknown'],
  ] as const)('order-audit 13: answers %o as %s', async (said, result) => {
    const orderNo = await apply(numbered())
    answer = said
    expect((await query(orderNo)).data).toMatchObject({ bvnResult: result, bvnName: null, nameMatch: null })
  })

  it('is asked for once by a call that is sent twice', async () => {
    const orderNo = await apply(numbered())
    answer = { is: 'none' }
    const before = asked.length
    const [a, b] = [await query(orderNo, 'twice-the-same-bvn'), await query(orderNo, 'twice-the-same-bvn')]
    expect(a.data).toEqual(b.data)
    expect(asked.length).toBe(before + 1)
  })

  it('order-audit 13: cannot be asked for where the applicant gave none', async () => {
    const body = rich()
    const { bvn: _, ...collected } = body.collected ?? {}
    const orderNo = await apply({ ...body, collected })
    expect(await query(orderNo)).toMatchObject({ code: 40001, msg: 'There is no BVN information' })
  })
})

it('merchants and the repayment code are read by who may see the order', async () => {
  const body = rich()
  const orderNo = await apply(body)
  const reader = await kit.person({ perms: ['order:detail:view'], sensitive: [] })
  expect((await kit.call(orderCollected.merchants, { orderNo }, { as: reader })).data.list).toMatchObject([
    { merchantNo: 'M1', orderCount: 1, openLoans: 0, outstanding: '0.00', lastStatus: 'machine_reviewing' },
  ])
  expect((await kit.call(orderCollected.repayCode, { orderNo }, { as: reader })).data).toMatchObject({
    dueToday: null,
    settleToday: null,
    dueDate: null,
  })
})

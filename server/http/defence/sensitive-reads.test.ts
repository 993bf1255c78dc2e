import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../core/contract/contract.ts'
import { orderManageModule } from '../../systems/audit/order-list/order-manage.ts'
import { commonModule } from '../../systems/common/common.ts'
import { intakeModule } from '../../systems/order/intake/intake.ts'
import { orderDetailModule } from '../../systems/order/order/order-detail.ts'
import { type Kit, openKit, type Person } from '../../testing/kit.ts'
import { application, send } from '../../testing/partner.ts'

const { audit, common, order } = contract
const perms = ['order:detail:view', 'audit:manage:page', 'repay:flow:list']
const full = ['pii:unmask', 'pii:reveal:phone', 'pii:reveal:walletAccount', 'pii:reveal:contacts']

let kit: Kit
let seed = 70_000
let orderNo: string
let customer: ReturnType<typeof application>['customer']
let grace: Person
beforeAll(async () => {
  const modules = [commonModule(), intakeModule(), orderDetailModule({} as never), orderManageModule({} as never)]
  kit = await openKit({ handmade: true, modules })
})
afterAll(() => kit.close())

const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))
const write = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
const basic = async (as = grace, no = orderNo) => (await kit.call(order.basic, { orderNo: no }, { as })).data
const views = (as = grace) =>
  rows(sql<object>`
    select access_kind, object_type, object_no, field from access_log where user_no = ${as.userNo} order by access_no`)
/** So many reads of other records before. */
const read = (as: Person, count: number) =>
  write(sql`
    insert into access_log (user_no, access_kind, object_type, object_no, field, at, request_id)
    select ${as.userNo}, 'view', 'order', 'LO' || n, 'phone', ${kit.clock.now()}, 'test' from generate_series(1, ${count}) n`)

beforeEach(async () => {
  const body = application(++seed)
  customer = body.customer
  orderNo = (await send(kit, body)).data.orderNo
  grace = await kit.person({ perms, sensitive: full, name: 'Grace Auma' })
})

describe('a detail with full values', () => {
  it('is in the access log with the kinds that were seen, once an hour', async () => {
    expect((await basic()).customer.phone).toBe(customer.phone)
    await basic()
    const [first, ...more] = await views()
    expect(first).toMatchObject({ accessKind: 'view', objectType: 'order', objectNo: orderNo })
    expect((first as { field: string }).field.split(',').sort()).toEqual(['idNumber', 'phone', 'walletAccount'])
    expect(more).toEqual([])
  })

  it('leaves no line for who sees it masked', async () => {
    const masked = await kit.person({ perms, sensitive: [] })
    expect((await basic(masked)).customer.phone).toContain('*')
    expect(await views(masked)).toEqual([])
  })

  it('user 16: is masked above sixty an hour, counted with what was revealed', async () => {
    await read(grace, 59)
    const reveal = () =>
      kit.call(common.reveal, { kind: 'phone', objectType: 'order', objectNo: orderNo, field: 'phone' }, { as: grace })
    expect((await reveal()).code).toBe(0)
    const shown = await basic()
    expect(shown.customer.phone).toContain('*')
    expect(shown.contacts?.[0]?.contactPhone).toContain('*')
    expect((await reveal()).code).toBe(42901)
    await write(sql`update session set last_seen_time = ${new Date(kit.clock.now().getTime() + 3_601_000)}`)
    kit.clock.advance(3_601_000)
    expect((await basic()).customer.phone).toBe(customer.phone)
  })

  it('counts calls at the same time', async () => {
    const other = (await send(kit, application(++seed))).data.orderNo
    await read(grace, 59)
    const both = await Promise.all([basic(), basic(grace, other)])
    expect(both.filter(one => !one.customer.phone.includes('*'))).toHaveLength(1)
  })

  it('user 16: warns those who read the logs at the sixtieth, once', async () => {
    const guard = await kit.person({ perms: ['log:audit:page'] })
    await read(grace, 58)
    const warnings = () =>
      rows(sql<object>`
        select message_type, template, params ->> 'name' as name, object_no from staff_message where user_no = ${guard.userNo}`)
    await basic(grace, (await send(kit, application(++seed))).data.orderNo)
    expect(await warnings()).toEqual([])
    await basic()
    await basic(grace, (await send(kit, application(++seed))).data.orderNo)
    const { userNo } = grace
    expect(await warnings()).toEqual([
      { messageType: 'warning', template: 'massReveal', name: 'Grace Auma', objectNo: userNo },
    ])
  })
})

describe('a name that is looked for', () => {
  const found = async (as: Person, customerName: string) =>
    (await kit.call(audit.manageList, { customerName }, { as })).data.list.map(row => row.orderNo)

  it('D10, L7: matches no more than what the caller may see of it', async () => {
    const masked = await kit.person({ perms, sensitive: [] })
    const name = customer.customerName
    expect(await found(grace, name)).toContain(orderNo)
    for (const more of [name, name.slice(0, 3), name.slice(0, -1)]) expect(await found(masked, more)).toEqual([])
    expect(await found(masked, name.slice(0, 2))).toContain(orderNo)
  })

  it('matches no short name, of which nothing is shown', async () => {
    const short = application(++seed)
    const { data } = await send(kit, { ...short, customer: { ...short.customer, customerName: 'Xu Li' } })
    const masked = await kit.person({ perms, sensitive: [] })
    expect(await found(masked, 'Xu')).toEqual([])
    expect(await found(grace, 'Xu')).toEqual([data.orderNo])
  })
})

it('a phone is all that is revealed as one: the account of a payer is not', async () => {
  const input = { objectType: 'flow', objectNo: 'FL1', field: 'payerAccount' } as const
  await write(sql`
    insert into repay_flow (flow_no, channel, serial_no, flow_status, amount, entry_time, source, merchant_no, payer_account, created_by, created_time)
    values ('FL1', 'mtn_momo', 'S1', 'available', 5000, now(), 'callback', 'M1', '0140001112223', 'system', now())`)
  expect((await kit.call(common.reveal, { ...input, kind: 'phone' }, { as: grace })).code).toBe(40001)
  expect((await kit.call(common.reveal, { ...input, kind: 'walletAccount' }, { as: grace })).data).toBe('0140001112223')
})

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../core/contract/contract.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import type { Post } from '../../../core/contract/fields.ts'
import { approvalModule } from '../../approval/approval.ts'
import { type Kit, openKit, type Person } from '../../testing/kit.ts'
import { application, send } from '../../testing/partner.ts'
import { intakeModule } from '../order/intake/intake.ts'
import { homeModule } from '../portal/home/home.ts'
import { commonModule } from './common.ts'

const { common } = contract
const reads = ['order:detail:view', 'repay:flow:list']
const allKinds = ['pii:reveal:phone', 'pii:reveal:idNumber', 'pii:reveal:walletAccount', 'pii:reveal:bankCardNo']
const wallet = '256771234567'

let kit: Kit
let orderNo: string
let customer: ReturnType<typeof application>['customer']
let seed = 40_000

beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [commonModule(), homeModule(), intakeModule(), approvalModule([])] })
})
beforeEach(async () => {
  const body = application(++seed)
  customer = body.customer
  orderNo = (await send(kit, { ...body, payout: { ...body.payout, walletAccount: wallet } })).data.orderNo
})
afterAll(() => kit.close())

const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))
const write = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
const reveal = (as: Person, input: Partial<InputOf<typeof common.reveal>> = {}) =>
  kit.call(common.reveal, { kind: 'phone', objectType: 'order', objectNo: orderNo, field: 'phone', ...input }, { as })
const logged = (as: Person) =>
  rows(
    sql<object>`select access_kind, object_type, object_no, field from access_log where user_no = ${as.userNo} order by access_no`,
  )
const numberOf = async (column: 'customer_no' | 'contact_no', table: 'loan_order' | 'order_contact') =>
  (
    await rows(
      sql<{
        found: string
      }>`select ${sql.ref(column)} as found from ${sql.table(table)} where order_no = ${orderNo} limit 1`,
    )
  )[0]?.found ?? ''

describe('revealing', () => {
  it('answers one value in full, with one row in the access log', async () => {
    const someone = await kit.person({ perms: reads, sensitive: allKinds })
    expect(await reveal(someone)).toEqual({ code: 0, msg: 'Operation success', data: customer.phone })
    expect(await logged(someone)).toEqual([
      { accessKind: 'reveal', objectType: 'order', objectNo: orderNo, field: 'phone' },
    ])
  })

  it('knows each kind where it is kept', async () => {
    const someone = await kit.person({ perms: reads, sensitive: allKinds })
    const contactNo = await numberOf('contact_no', 'order_contact')
    const contact = (
      await rows(sql<{ contactPhone: string }>`select contact_phone from order_contact where contact_no = ${contactNo}`)
    )[0]
    expect(
      (
        await reveal(someone, {
          kind: 'idNumber',
          objectType: 'customer',
          objectNo: await numberOf('customer_no', 'loan_order'),
          field: 'idNumber',
        })
      ).data,
    ).toBe(customer.idNumber)
    expect((await reveal(someone, { kind: 'walletAccount', field: 'walletAccount' })).data).toBe(wallet)
    expect((await reveal(someone, { objectType: 'contact', objectNo: contactNo, field: 'contactPhone' })).data).toBe(
      contact?.contactPhone,
    )
  })

  it('logs an empty value too', async () => {
    const someone = await kit.person({ perms: reads, sensitive: allKinds })
    expect(await reveal(someone, { kind: 'bankCardNo', field: 'bankCardNo' })).toMatchObject({ code: 0, data: null })
    expect(await logged(someone)).toHaveLength(1)
  })

  it('needs the permission of the kind, and one to read the record', async () => {
    const without = await kit.person({ perms: reads, sensitive: ['pii:unmask', 'pii:reveal:idNumber'] })
    const elsewhere = await kit.person({ perms: ['audit:person:page'], sensitive: allKinds })
    expect((await reveal(without)).code).toBe(40301)
    expect((await reveal(elsewhere)).code).toBe(40301)
    expect(await logged(without)).toEqual([])
  })

  it('answers what a contract declares, to who may give such a call, and nothing else', async () => {
    const someone = await kit.person({ perms: reads, sensitive: allKinds })
    const payer = await kit.person({ perms: ['fund:payout:page'], sensitive: allKinds })
    const customerNo = await numberOf('customer_no', 'loan_order')
    for (const undeclared of [
      { field: 'customerName' },
      { field: 'constructor' },
      { field: 'contactPhone' },
      { field: 'idNumber' },
      { objectType: 'customer' as const, objectNo: customerNo, kind: 'walletAccount' as const, field: 'walletAccount' },
    ])
      expect(await reveal(someone, undeclared)).toMatchObject({ code: 40001 })
    expect((await reveal(payer)).code).toBe(0)
    const ofCustomer = { objectType: 'customer' as const, objectNo: customerNo, field: 'phone' }
    expect((await reveal(payer, ofCustomer)).code).toBe(40301)
    expect((await reveal(payer, { kind: 'idNumber', field: 'idNumber' })).code).toBe(40301)
    expect(await logged(payer)).toHaveLength(1)
  })

  it('finds nothing outside the data rules, as if it did not exist', async () => {
    const elsewhere = await kit.person({ perms: reads, sensitive: allKinds, merchants: ['M2'], limit: 'own_merchants' })
    const answer = await reveal(elsewhere)
    expect(answer).toEqual({ code: 40401, msg: 'Record not found', data: null })
    expect(await reveal(elsewhere, { objectNo: 'LO-unknown' })).toEqual(answer)
    expect(
      (await reveal(elsewhere, { objectType: 'customer', objectNo: await numberOf('customer_no', 'loan_order') })).code,
    ).toBe(40401)
    expect(
      (
        await reveal(elsewhere, {
          objectType: 'contact',
          objectNo: await numberOf('contact_no', 'order_contact'),
          field: 'contactPhone',
        })
      ).code,
    ).toBe(40401)
    expect(await logged(elsewhere)).toEqual([])
  })

  it('keeps an auditor to the own orders', async () => {
    const auditor = await kit.person({ perms: reads, sensitive: allKinds, limit: 'own' })
    expect((await reveal(auditor)).code).toBe(40401)
    await write(
      sql`insert into audit_task (audit_task_no, order_no, audit_task_status, auditor_no, audit_step, allot_time) values (${`AT${seed}`}, ${orderNo}, 'assigned', ${auditor.userNo}, 1, now())`,
    )
    expect((await reveal(auditor)).code).toBe(0)
  })

  it('refuses a kind that the record does not have', async () => {
    const someone = await kit.person({ perms: reads, sensitive: allKinds })
    expect(
      (
        await reveal(someone, {
          kind: 'bankCardNo',
          objectType: 'customer',
          objectNo: await numberOf('customer_no', 'loan_order'),
        })
      ).code,
    ).toBe(40001)
  })

  it('stops at sixty an hour and goes on when the hour is over', async () => {
    const someone = await kit.person({ perms: reads, sensitive: allKinds })
    for (let n = 0; n < 59; n++)
      await write(
        sql`insert into access_log (user_no, access_kind, object_type, object_no, field, at, request_id) values (${someone.userNo}, 'reveal', 'order', 'LO', 'phone', ${kit.clock.now()}, 'test')`,
      )
    const [last, over] = await Promise.all([reveal(someone), reveal(someone)])
    expect([last.code, over.code].sort()).toEqual([0, 42901])
    expect([last, over].find(answer => answer.code !== 0)?.msg).toBe('Too many attempts; try again in 3600 s')
    await write(
      sql`update session set last_seen_time = ${new Date(kit.clock.now().getTime() + 3_601_000)} where user_no = ${someone.userNo}`,
    )
    kit.clock.advance(3_601_000)
    expect((await reveal(someone)).code).toBe(0)
  })
})

describe('options', () => {
  const valuesOf = (answer: { data: { list: { value: string }[] } }) => answer.data.list.map(one => one.value)

  it('offer what the data rule allows', async () => {
    const all = await kit.person({ perms: [] })
    const one = await kit.person({ perms: [], merchants: ['M1'], limit: 'own_merchants' })
    const gulu = await kit.person({ perms: [], merchants: ['M2'], dept: 'D2', limit: 'org_below' })
    expect(valuesOf(await kit.call(common.merchants, {}, { as: all }))).toEqual(['M1', 'M2'])
    expect(valuesOf(await kit.call(common.merchants, {}, { as: one }))).toEqual(['M1'])
    expect(valuesOf(await kit.call(common.merchants, {}, { as: gulu }))).toEqual(['M2'])
    expect(valuesOf(await kit.call(common.products, {}, { as: gulu }))).toEqual(['P2'])
    expect((await kit.call(common.merchants, {}, { as: one })).data.list).toEqual([{ value: 'M1', label: 'Boda Cash' }])
  })

  it('offer refusals by their words, in the language of the caller', async () => {
    const lead = await kit.person({ perms: [] })
    await write(sql`insert into refuse_code (refuse_code, level, name_zh, name_en, name_sw, enabled) values
      ('R1', 1, '收入', 'Income', 'Kipato', true), ('R101', 2, '收入不足', 'Income too low', 'Kipato kidogo', false)`)
    const { list } = (await kit.call(common.refuseReasons, {}, { as: lead, language: 'sw' })).data
    expect(list.filter(({ value }) => !value.startsWith('MR_'))).toEqual([{ value: 'R101', label: 'Kipato kidogo' }])
  })

  it('offer own accounts with what is on them', async () => {
    const cashier = await kit.person({ perms: ['fund:payout:page'] })
    await write(sql`insert into ledger_balance values ('bank:FA1', 1250000)`)
    expect((await kit.call(common.fundAccounts, {}, { as: cashier })).data.list).toEqual([
      { value: 'FA1', label: 'MTN payout', channel: 'mtn_momo', balance: '1250000.00' },
    ])
    expect((await kit.call(common.fundAccounts, {}, { as: await kit.person({ perms: [] }) })).code).toBe(40301)
  })
})

it('languages stand in their order, each under its own name, one of them the default', async () => {
  expect((await kit.call(common.languages, {}, { as: await kit.person({ perms: [] }) })).data.list).toEqual([
    { code: 'zh', name: '中文', sort: 1, isDefault: true },
    { code: 'en', name: 'English', sort: 2, isDefault: false },
    { code: 'sw', name: 'Kiswahili', sort: 3, isDefault: false },
  ])
})

describe('trees', () => {
  const leaves = (nodes: { value: string; leaf: boolean }[]) => nodes.filter(one => one.leaf).map(one => one.value)

  it('show companies with their merchants, and no company without one that the caller may see', async () => {
    const companiesOf = async (as: Person) => (await kit.call(common.companies, {}, { as })).data.list
    expect(await companiesOf(await kit.person({ perms: [] }))).toEqual([
      {
        companyCode: 'C1',
        companyName: 'Nile Credit',
        childList: [
          { merchantNo: 'M2', merchantName: 'Market Loan', orgName: 'Gulu' },
          { merchantNo: 'M1', merchantName: 'Boda Cash', orgName: 'Kampala' },
        ],
      },
    ])
    const one = await kit.person({ perms: [], merchants: ['M1'], limit: 'own_merchants' })
    expect((await companiesOf(one)).map(({ childList }) => childList.map(child => child.merchantNo))).toEqual([['M1']])
    const none = await kit.person({ perms: [], merchants: ['M1'], limit: 'own' })
    expect((await companiesOf(none)).flatMap(({ childList }) => childList)).toHaveLength(
      (await kit.call(common.merchants, {}, { as: none })).data.list.length,
    )
  })

  it('show organizations inside of those that they belong to, as far as the caller may see them', async () => {
    const organizationsOf = async (as: Person) => (await kit.call(common.organizations, {}, { as })).data.list
    const [kampala, gulu] = [
      { orgNo: 'O1', orgName: 'Kampala', childSet: [] },
      { orgNo: 'O2', orgName: 'Gulu', childSet: [] },
    ]
    const top = { orgNo: 'O0', orgName: 'Nile Credit' }
    expect(await organizationsOf(await kit.person({ perms: [] }))).toEqual([{ ...top, childSet: [gulu, kampala] }])
    const one = await kit.person({ perms: [], merchants: ['M1'], limit: 'own_merchants' })
    expect(await organizationsOf(one)).toEqual([{ ...top, childSet: [kampala] }])
  })

  const people = async (as: Person, input: { post?: Post; staff?: 'present' | 'all' } = {}) =>
    (await kit.call(common.people, input, { as })).data.list

  it('show the people whom the caller may see, in their departments', async () => {
    const floor = await kit.person({ perms: [], dept: 'D1' })
    const gulu = await kit.person({ perms: [], dept: 'D2' })
    const lead = await kit.person({ perms: [], dept: 'D1', limit: 'dept_below' })
    const nodes = await people(lead)
    expect(leaves(nodes)).toContain(floor.userNo)
    expect(leaves(nodes)).not.toContain(gulu.userNo)
    expect(nodes.filter(node => !node.leaf).map(node => node.value)).toEqual(['dept:D0', 'dept:D1'])
    expect(nodes.find(node => node.value === floor.userNo)).toMatchObject({ parent: 'dept:D1' })
  })

  it('show those of a post alone, by a role of it or as its personnel', async () => {
    const admin = await kit.person({ perms: [] })
    const [auditor, collector] = [await kit.person({ perms: [] }), await kit.person({ perms: [] })]
    await write(sql`insert into audit_person (user_no) values (${auditor.userNo})`)
    await write(
      sql`insert into role (role_no, role_name, role_nature, post) values ('RC', 'Collectors', 'headquarters', 'collector')`,
    )
    await write(sql`insert into user_role (user_no, role_no) values (${collector.userNo}, 'RC')`)
    const auditors = leaves(await people(admin, { post: 'auditor' }))
    expect(auditors).toContain(auditor.userNo)
    expect(auditors).not.toContain(collector.userNo)
    expect(leaves(await people(admin, { post: 'collector' }))).toEqual([collector.userNo])
  })

  it('show who has left or is frozen only where the past is looked for', async () => {
    const admin = await kit.person({ perms: [] })
    const gone = await kit.person({ perms: [] })
    await write(
      sql`update app_user set user_status = case when set_config('app.transition', 'on', true) = 'on' then 'frozen' end where user_no = ${gone.userNo}`,
    )
    expect(leaves(await people(admin))).not.toContain(gone.userNo)
    expect(leaves(await people(admin, { staff: 'all' }))).toContain(gone.userNo)
  })
})

describe('the audit log', () => {
  const page = (as: Person) => kit.call(common.auditLog, { orderNo }, { as })

  it('shows who did what to an order inside the data rules', async () => {
    const reader = await kit.person({ perms: ['log:audit:page'] })
    expect((await page(reader)).data).toMatchObject({
      total: 1,
      list: [
        {
          action: 'order.create',
          objectType: 'order',
          objectNo: orderNo,
          actorName: 'Boda Cash',
          after: { orderStatus: 'machine_reviewing' },
        },
      ],
    })
    expect(
      (await page(await kit.person({ perms: ['log:audit:page'], merchants: ['M2'], limit: 'own_merchants' }))).data
        .total,
    ).toBe(0)
    expect((await page(await kit.person({ perms: [] }))).code).toBe(40301)
  })

  it('can neither be changed nor emptied', async () => {
    await expect(write(sql`update audit_log set actor = 'nobody'`)).rejects.toThrow(/never changed/)
    await expect(write(sql`delete from access_log`)).rejects.toThrow(/never changed/)
  })
})

describe('the access log', () => {
  const of = async (as: Person, filters: object) =>
    (await kit.call(common.accessLog, { pageSize: 100, ...filters }, { as })).data?.list

  it('says who saw what of an order, whichever of its records it was, to those who see the order', async () => {
    const reader = await kit.person({ perms: [...reads, 'log:audit:page'], sensitive: allKinds, name: 'Reader' })
    await reveal(reader)
    const contact = await numberOf('contact_no', 'order_contact')
    await reveal(reader, { objectType: 'contact', objectNo: contact, field: 'contactPhone' })
    await write(sql`
      insert into access_log (user_no, access_kind, object_type, object_no, field, at, request_id)
      values (${reader.userNo}, 'download', 'upload', 'UP1', 'file', now(), 'test')`)
    expect(await of(reader, { orderNo })).toMatchObject([
      { realName: 'Reader', accessKind: 'reveal', objectType: 'contact', field: 'contactPhone', result: 'shown' },
      { accessKind: 'reveal', objectType: 'order', objectNo: orderNo, field: 'phone' },
    ])
    expect(await of(reader, { objectType: 'upload', objectNo: 'UP1' })).toMatchObject([{ accessKind: 'download' }])
    const elsewhere = { perms: ['log:audit:page'], merchants: ['M2'], limit: 'own_merchants', dept: 'D2' } as const
    expect(await of(await kit.person(elsewhere), { orderNo })).toEqual([])
    const without = await kit.person({ perms: reads })
    expect((await kit.call(common.accessLog, {}, { as: without })).code).toBe(40301)
  })
})

describe('home', () => {
  const tiles = async (as: Person) =>
    Object.fromEntries((await kit.call(contract.home.mine, {}, { as })).data.queues.map(tile => [tile.key, tile]))
  const allotting = ['/AdminContent/AuditSystem/OrderAllocation', 'audit:allot:page']

  it('counts what waits, with the age of the oldest, and where to go', async () => {
    await write(
      sql`update loan_order set order_status = case when set_config('app.transition', 'on', true) = 'on' then 'to_be_allocated' end, status_time = ${new Date(kit.clock.now().getTime() - 12 * 60_000)} where order_no = ${orderNo}`,
    )
    const lead = await kit.person({ perms: allotting })
    expect(await tiles(lead)).toEqual({
      unallotted: {
        key: 'unallotted',
        count: 1,
        amount: null,
        oldestMinutes: 12,
        route: '/AdminContent/AuditSystem/OrderAllocation',
        filters: { orderStatus: ['to_be_allocated'] },
      },
    })
    expect(
      (await tiles(await kit.person({ perms: allotting, merchants: ['M2'], limit: 'own_merchants' }))).unallotted,
    ).toMatchObject({ count: 0, oldestMinutes: null })
  })

  it('shows an auditor the own audits only', async () => {
    const auditor = await kit.person({ perms: ['/AdminContent/AuditSystem/MyAudit', 'audit:self:page'], limit: 'own' })
    const other = await kit.person({ perms: ['/AdminContent/AuditSystem/MyAudit', 'audit:self:page'], limit: 'own' })
    await write(
      sql`insert into audit_task (audit_task_no, order_no, audit_task_status, auditor_no, audit_step, allot_time) values (${`AT${seed}`}, ${orderNo}, 'assigned', ${auditor.userNo}, 1, ${kit.clock.now()})`,
    )
    expect((await tiles(auditor)).my_audits).toMatchObject({ count: 1, filters: { box: 'todo' } })
    expect((await tiles(other)).my_audits).toMatchObject({ count: 0 })
  })

  it('sums the money that did not arrive or was not matched', async () => {
    const cashier = await kit.person({
      perms: [
        '/AdminContent/AfterLoanSystem/LoanManagement',
        'fund:payout:page',
        '/AdminContent/AfterLoanSystem/RepaymentManagement',
        'repay:flow:list',
      ],
    })
    await write(sql`
      insert into loan_code (loan_code, order_no, loan_code_status, loan_code_seq, actual_loan_amount, payout_type, payout_subtype, cardholder_name, request_time)
      values (${`LC${seed}`}, ${orderNo}, 'failed', 1, 190000, 'wallet', 'mtn', 'Test Payee', ${kit.clock.now()})`)
    await write(sql`
      insert into repay_flow (flow_no, channel, serial_no, flow_status, amount, applied, entry_time, source, created_by, created_time)
      values (${`FL${seed}`}, 'mtn_momo', ${`S${seed}`}, 'partly_used', 50000, 20000, ${kit.clock.now()}, 'callback', 'system', ${kit.clock.now()})`)
    const found = await tiles(cashier)
    expect(found.payouts_failed).toMatchObject({
      count: 1,
      amount: '190000.00',
      filters: { loanCodeStatus: ['failed'] },
    })
    expect(found.payouts_unknown).toMatchObject({ count: 0, amount: '0.00' })
    expect(found.flows).toMatchObject({ count: 1, amount: '30000.00' })
  })

  it('offers approvals to those who check, and nothing to those who do neither', async () => {
    expect(Object.keys(await tiles(await kit.person({ perms: ['repay:flow:void:check'] })))).toEqual(['approvals'])
    expect(await tiles(await kit.person({ perms: [] }))).toEqual({})
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { application, send } from '../../../testing/partner.ts'
import { intakeModule } from '../intake/intake.ts'
import { lookupModule } from './lookup.ts'

const { common } = contract
const perms = ['order:detail:view']

let kit: Kit
let orderNo: string
let thirdOrderNo: string
let customer: { phone: string; idNumber: string }

beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [intakeModule(), lookupModule()] })
  const body = application(71_000)
  thirdOrderNo = body.thirdOrderNo
  orderNo = (await send(kit, body)).data.orderNo
  customer = body.customer
  const at = kit.clock.now()
  await kit.db.withTx(async tx => {
    await tx.exec(sql`
      insert into loan_code (loan_code, order_no, loan_code_seq, loan_code_status, actual_loan_amount, payout_type, payout_subtype, cardholder_name, request_time, serial_no)
      values ('LC260302ABCDEFGH', ${orderNo}, 1, 'success', 190000, 'wallet', 'mtn', 'Grace Nakato', ${at}, 'MP-77001')`)
    await tx.exec(sql`
      insert into repay_flow (flow_no, channel, serial_no, flow_status, amount, entry_time, source, created_by, created_time, merchant_no)
      values ('RF260302ABCDEFGH', 'mtn_momo', 'MP-88002', 'available', 50000, ${at}, 'callback', 'system', ${at}, 'M1'),
        ('RF260302ZZZZZZZZ', 'mtn_momo', 'MP-88003', 'available', 50000, ${at}, 'callback', 'system', ${at}, 'M2')`)
  })
})
afterAll(() => kit.close())

const found = async (as: Person, text: string) =>
  (await kit.call(common.lookup, { text }, { as })).data?.list.map(one => one.objectNo)

describe('looking up a number', () => {
  it('finds an order by the beginning of its number in any case, and by the whole number of the merchant', async () => {
    const someone = await kit.person({ perms })
    expect(await found(someone, orderNo)).toEqual([orderNo])
    expect(await found(someone, ` ${orderNo.toLowerCase()} `)).toEqual([orderNo])
    expect(await found(someone, thirdOrderNo)).toEqual([orderNo])
    expect(await found(someone, orderNo.slice(0, -1))).toEqual([orderNo])
    expect(await found(someone, orderNo.slice(0, 6).toLowerCase())).toEqual([orderNo])
    expect(await found(someone, orderNo.slice(1))).toEqual([])
    expect(await found(someone, thirdOrderNo.slice(0, -1))).toEqual([])
    expect((await kit.call(common.lookup, { text: orderNo.slice(0, 2) }, { as: someone })).code).toBe(40001)
  })

  it('finds the orders of a customer by the beginning of the name, for people who may see the name and the order', async () => {
    const { customerName } = await kit.db.read(tx =>
      tx.one(sql<{ customerName: string }>`select customer_name from customer where phone = ${customer.phone}`),
    )
    const someone = await kit.person({ perms })
    expect(await found(someone, customerName)).toEqual([orderNo])
    expect(await found(someone, customerName.slice(0, 4).toLowerCase())).toEqual([orderNo])
    expect(await found(someone, `${customerName.slice(0, 3)}%`)).toEqual([])
    expect(await found(await kit.person({ perms, sensitive: [] }), customerName)).toEqual([])
    const elsewhere = await kit.person({ perms, limit: 'own_merchants', merchants: ['M2'] })
    expect(await found(elsewhere, customerName)).toEqual([])
  })

  it('finds an order by its loan code and by the serial number of its payout', async () => {
    const someone = await kit.person({ perms })
    expect(await found(someone, 'lc260302abcdefgh')).toEqual([orderNo])
    expect(await found(someone, 'MP-77001')).toEqual([orderNo])
  })

  it('finds receipts by their number or serial number for people who may see them, and opens them', async () => {
    const finance = await kit.person({ perms: ['repay:flow:list'], limit: 'own_merchants', merchants: ['M1'] })
    const { data } = await kit.call(common.lookup, { text: 'MP-88002' }, { as: finance })
    expect(data.list).toEqual([
      {
        objectType: 'flow',
        objectNo: 'RF260302ABCDEFGH',
        route:
          '/AdminContent/AfterLoanSystem/RepaymentManagement?tab=flows&flowNo=RF260302ABCDEFGH&open=RF260302ABCDEFGH',
        customerName: null,
        orderStatus: null,
        flowStatus: 'available',
      },
    ])
    expect(await found(finance, 'rf260302abcdefgh')).toEqual(['RF260302ABCDEFGH'])
    expect(await found(finance, 'MP-88003')).toEqual([])
    expect(await found(finance, orderNo)).toEqual([])
    expect(await found(await kit.person({ perms }), 'MP-88002')).toEqual([])
  })

  it('finds the orders of a person by phone or national ID, and notes who looked, also where nobody is found', async () => {
    const someone = await kit.person({ perms, sensitive: [] })
    expect(await found(someone, customer.phone)).toEqual([orderNo])
    expect(await found(someone, customer.idNumber.toLowerCase())).toEqual([orderNo])
    expect(await found(someone, '256799999999')).toEqual([])
    expect(await found(someone, orderNo)).toEqual([orderNo])
    const { data } = await kit.call(common.lookup, { text: customer.phone }, { as: someone })
    expect(data.list[0]?.customerName).toMatch(/\*/)
    expect(data.list[0]).not.toHaveProperty('phone')
    const noted = await kit.db.read(tx =>
      tx.rows(
        sql`select access_kind, field, object_no from access_log where user_no = ${someone.userNo} order by access_no`,
      ),
    )
    const masked = (text: string) => `${text.slice(0, 2)}${'*'.repeat(text.length - 4)}${text.slice(-2)}`
    expect(noted).toEqual([
      { accessKind: 'search', field: 'phone', objectNo: masked(customer.phone) },
      { accessKind: 'search', field: 'idNumber', objectNo: masked(customer.idNumber.toLowerCase()) },
      { accessKind: 'search', field: 'phone', objectNo: '25********99' },
      { accessKind: 'search', field: 'phone', objectNo: masked(customer.phone) },
    ])
  })

  it('answers at most eight', async () => {
    const someone = await kit.person({ perms })
    await kit.db.withTx(tx =>
      tx.exec(sql`
        insert into loan_order
        select (jsonb_populate_record(o, jsonb_build_object('order_no', 'LOX' || n, 'third_order_no', 'TX' || n, 'pay_code', null))).*
        from loan_order o, generate_series(1, 9) n where o.order_no = ${orderNo}`),
    )
    expect(await found(someone, customer.phone)).toHaveLength(8)
    await kit.db.withTx(tx => tx.exec(sql`delete from loan_order where order_no like 'LOX%'`))
  })

  it('order-audit 9: shows nothing outside of the data rules, and nothing to people who may not open orders', async () => {
    const elsewhere = await kit.person({ perms, limit: 'own_merchants', merchants: ['M2'] })
    expect(await found(elsewhere, orderNo)).toEqual([])
    const nobody = await kit.person({ perms: [] })
    expect((await kit.call(common.lookup, { text: orderNo }, { as: nobody })).code).toBe(40301)
  })

  it('answers thirty a minute', async () => {
    const someone = await kit.person({ perms })
    for (let n = 0; n < 30; n++) expect(await found(someone, orderNo)).toEqual([orderNo])
    expect((await kit.call(common.lookup, { text: orderNo }, { as: someone })).code).toBe(42901)
  })
})

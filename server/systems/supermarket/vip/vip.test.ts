import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { anyDays } from '../../../../core/rules/market/vip.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { writeVipLadder } from './seed.ts'
import { vipModule } from './vip.ts'

const { vip, common } = contract
const own = vipModule()
let kit: Kit
let maker: Person
let second: Person
const perms = ['page', 'save', 'save:check', 'member', 'member:check'].map(action => `market:vip:${action}`)
const names = { zh: '会员', en: 'Member', sw: 'Mwanachama' }
const level = (levelCode: string, more: object = {}) => ({
  levelCode,
  levelName: names,
  settledCount: 0,
  repaidAmount: '0',
  onTimeShare: '0',
  maxOverdueDays: anyDays,
  memberDays: 0,
  ...more,
})

beforeAll(async () => {
  // Orders and repayments are written as they stand after months of lending.
  kit = await openKit({ modules: [own, approvalModule(own.approvals ?? [])], handmade: true })
  maker = await kit.person({ perms, name: 'Maker' })
  second = await kit.person({ perms, name: 'Second' })
  await kit.db.withTx(async tx => {
    await writeVipLadder(tx)
    await tx.exec(sql`
      insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
      select 'CU' || n, 'Customer ' || n, 'CM' || lpad(n::text, 12, '0'), '256772' || lpad(n::text, 6, '0'), 0, 0, ${tx.now}::timestamptz - interval '300 days' from generate_series(1, 6) n`)
    await tx.exec(
      sql`insert into merchant_customer (customer_no, merchant_no, phone, updated_time) select customer_no, 'M1', phone, ${tx.now} from customer`,
    )
  })
})
afterAll(() => kit.close())

/** A customer has settled so many loans, the last one just now; some bills were late by days. */
const settled = (customerNo: string, count: number, late = 0) =>
  kit.db.withTx(async tx => {
    const order = sql`${customerNo} || '-' || n`
    await tx.exec(sql`
      insert into loan_order (order_no, third_order_no, merchant_no, customer_no, order_status, product_no, terms, requested_amount, loan_amount, actual_loan_amount, term, installment_count, loan_kind, apply_time, status_time, payout_time, settled_time, payout_type, payout_subtype, cardholder_name)
      select ${order}, ${order}, 'M1', ${customerNo}, 'settled', 'P1', '{}', 100000, 100000, 100000, 14, 1, 'repeat', ${tx.now}, ${tx.now}, ${tx.now}, ${tx.now}, 'wallet', 'mtn', 'X' from generate_series(1, ${count}::int) n on conflict do nothing`)
    await tx.exec(sql`
      insert into repay_plan (bill_no, order_no, installment_no, due_date, bill_status, principal_due, interest_due, service_fee_due, management_fee_due, settled_time, settled_date)
      select ${order}, ${order}, 1, ${tx.today}::date - ${late}::int, 'settled', 100000, 0, 0, 0, ${tx.now}, ${tx.today} from generate_series(1, ${count}::int) n on conflict do nothing`)
    await tx.exec(sql`
      insert into repay_record (repayment_no, order_no, repay_type, record_status, record_seq, amount, value_date, repayment_time, posted_by, posted_name, trial, request_id)
      select ${order}, ${order}, 'settle', 'posted', 1, 100000, ${tx.today}, ${tx.now}, 'U1', 'U1', '{}', 'x' from generate_series(1, ${count}::int) n on conflict do nothing`)
  })
const events = () =>
  kit.db.withTx(tx => own.scheduled!.find(one => one.job === 'vip.events')!.run(tx, { date: tx.today }))
const reviewed = (date: string) => kit.db.withTx(tx => own.chunked![0]!.chunk(tx, { date, cursor: null }))
const levelOf = async (customerNo: string) => (await kit.call(vip.members, { customerNo }, { as: maker })).data.list[0]

describe('a level', () => {
  it('supermarket 8: rises at once when the third loan is settled on time, and falls at the review of a month alone', async () => {
    await settled('CU1', 3)
    await events()
    expect(await levelOf('CU1')).toMatchObject({
      levelCode: 'V2',
      vipReason: 'earned',
      settledCount: 3,
      onTimeShare: '100.00',
    })
    await kit.db.withTx(tx =>
      tx.exec(sql`update repay_plan set due_date = ${tx.today}::date - 40 where bill_no = 'CU1-1'`),
    )
    await events()
    await reviewed('2026-03-02')
    expect((await levelOf('CU1'))?.levelCode).toBe('V2')
    await reviewed('2026-04-01')
    expect(await levelOf('CU1')).toMatchObject({ levelCode: 'V1', vipReason: 'month_review' })
  })

  it('is not earned by loans that were paid late', async () => {
    await settled('CU2', 3, 20)
    await events()
    expect((await levelOf('CU2'))?.levelCode).toBe('V1')
  })

  it('set by hand waits for a second person, and stays until its day', async () => {
    const ask = (more: object = {}) =>
      kit.call(
        vip.setLevel,
        { customerNo: 'CU3', levelCode: 'V3', vipUntil: '2026-04-15', reason: 'Apology', ...more } as never,
        { as: maker, language: 'en' },
      )
    expect((await ask({ vipUntil: '2026-07-15' })).code).toBe(40001)
    expect((await ask({ levelCode: 'V9' })).code).toBe(40001)
    const { approvalNo } = (await ask()).data
    expect((await levelOf('CU3'))?.blockedBy).toHaveProperty(['vip.setLevel'])
    expect((await ask()).code).toBe(40901)
    expect((await kit.call(common.approve, { approvalNo, version: 0 }, { as: maker })).code).toBe(40301)
    expect((await kit.call(common.approve, { approvalNo, version: 0 }, { as: second })).code).toBe(0)
    expect(await levelOf('CU3')).toMatchObject({ levelCode: 'V3', vipReason: 'manual', vipUntil: '2026-04-15' })
    await reviewed('2026-04-01')
    expect((await levelOf('CU3'))?.levelCode).toBe('V3')
    await reviewed('2026-05-01')
    expect((await levelOf('CU3'))?.levelCode).toBe('V0')
  })
})

describe('the ladder', () => {
  const ladder = async () => (await kit.call(vip.page, {}, { as: maker })).data.list[0]
  const draft = async (levels: object[], more: object = {}) =>
    kit.call(vip.versionSave, { ladderNo: (await ladder())?.ladderNo, levels, ...more } as never, {
      as: maker,
      language: 'en',
    })

  it('supermarket 9: names what a higher level asks less of', async () => {
    const answer = await draft([level('V0'), level('V1', { settledCount: 3 }), level('V2', { settledCount: 2 })])
    expect(answer).toMatchObject({ code: 40001, msg: 'A higher level asks for no fewer settled loans' })
    expect((await draft([level('V0'), level('V2')])).code).toBe(40001)
    expect((await draft([level('V0', { memberDays: 3 }), level('V1')])).code).toBe(40001)
  })

  it('says how many would move, is agreed to by two, and keeps levels that have members', async () => {
    const { versionNo, version } = (await draft([level('V0'), level('V1', { settledCount: 50 })])).data
    const { data } = await kit.call(vip.effect, { versionNo }, { as: maker })
    expect(data).toMatchObject({ customers: 6, down: 2 })
    await kit.db.withTx(tx => tx.exec(sql`update customer set member_level = 'V4' where customer_no = 'CU6'`))
    const submit = { versionNo, version, reason: 'stricter' }
    const refused = await kit.call(vip.versionSubmit, submit, { as: maker, language: 'en' })
    expect(refused).toMatchObject({ code: 40901, msg: 'V4 still has 1 member' })
    await kit.db.withTx(tx => tx.exec(sql`update customer set member_level = 'V0' where customer_no = 'CU6'`))
    const { approvalNo } = (await kit.call(vip.versionSubmit, submit, { as: maker })).data
    expect((await kit.call(common.approve, { approvalNo, version: 0 }, { as: maker })).code).toBe(40301)
    expect((await kit.call(common.approve, { approvalNo, version: 0 }, { as: second })).code).toBe(0)
    const { list } = (await kit.call(vip.spread, {}, { as: maker })).data
    expect(list.map(one => one.levelCode)).toEqual(['V0', 'V1'])
    expect(list.reduce((sum, one) => sum + one.vipCount, 0)).toBe(6)
  })
})

it('a person of another merchant sees none of these customers', async () => {
  const brand = await kit.person({ perms, nature: 'merchant', merchants: ['M2'], limit: 'own_merchants' })
  expect((await kit.call(vip.members, {}, { as: brand })).data.total).toBe(0)
})

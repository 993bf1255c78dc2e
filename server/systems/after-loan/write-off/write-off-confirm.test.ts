import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { text } from '../../../../core/i18n/server.ts'
import { officerPerms } from '../../../testing/repay-desk.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { repay } = contract
type Form = InputOf<typeof repay.trial>

const { desk, officer } = await deskForTests()
let orderNo: string
beforeEach(async () => {
  orderNo = await desk.order()
})

const settle = (...flows: Form['flows']): Form => ({ orderNo, repayType: 'settle', flows })
const partial = (...flows: Form['flows']): Form => ({ orderNo, repayType: 'partial', flows })
const trial = (form: Form, as = officer) => desk.call(repay.trial, form, { as })

describe('what has to be confirmed', () => {
  it('more than the payout, a shortfall, and numbers that changed', async () => {
    const small = await desk.officer()
    const form = settle(await desk.arrived(orderNo, '229600.00'))
    const tried = await trial(form, small)
    expect(tried.data).toMatchObject({
      waived: { interest: '400.00', principal: '0.00' },
      flags: { confirmGreater: true, confirmLess: true },
      refusal: null,
      outstandingAfter: '0.00',
    })
    const [{ version }] = (await desk.rows(
      sql<{ version: number }>`select version from loan_order where order_no = ${orderNo}`,
    )) as [{ version: number }]
    const commit = (more: object) =>
      desk.call(repay.commit, { ...form, version, trialKey: tried.data.trialKey, ...more }, { as: small })
    expect(await commit({})).toMatchObject({
      code: 40002,
      msg: text('en', 'errors.confirmBoth', {
        totalAmount: '229,600',
        paidOutAmount: '190,000',
        amount: '229,600',
        owedAmount: '230,000',
        waivedAmount: '400',
        valueDate: '2026-03-02',
      }),
      data: { confirm: ['confirmGreater', 'confirmLess'], trial: { overflow: '0.00' } },
    })
    expect(await commit({ confirmGreater: true })).toMatchObject({
      code: 40002,
      msg: text('en', 'errors.confirmLess', {
        amount: '229,600',
        owedAmount: '230,000',
        waivedAmount: '400',
        valueDate: '2026-03-02',
      }),
      data: { confirm: ['confirmLess'] },
    })
    const all = { confirmGreater: true, confirmLess: true }
    expect(await commit({ ...all, trialKey: 'seen-before' })).toMatchObject({
      code: 40002,
      msg: text('en', 'errors.amountsChanged'),
      data: { changed: true, confirm: [], trial: { trialKey: tried.data.trialKey } },
    })
    expect(await commit({ ...all, version: version + 1 })).toMatchObject({ code: 40902 })
    expect(await commit(all)).toMatchObject({ code: 0, data: { outstanding: '0.00', orderStatus: 'settled' } })
    const { records, journals } = await desk.detail(small, orderNo)
    expect(records[0]).toMatchObject({ reductionAmount: '400.00', waived: { interest: '400.00' } })
    expect(journals.filter(journal => journal.postingCode === 'P5').flatMap(journal => journal.lines)).toMatchObject([
      { accountCode: 'exemption_expense', debit: '400.00' },
      { accountCode: `interest_rcv:${orderNo}`, credit: '400.00' },
    ])
  })

  it('a shortfall only by those who may forgive it, and only so much a month', async () => {
    const strict = await desk.officer({ perms: officerPerms.filter(perm => perm !== 'repay:settle:small') })
    expect((await trial(settle(desk.typed('229600.00')), strict)).data.refusal).toBe(
      text('en', 'errors.shortfallNotCovered'),
    )
    await desk.exec(
      sql`insert into business_config (config_key, config_value) values ('repay.smallSettleMonthCap', '"300.00"')`,
    )
    expect(await desk.pay(officer, settle(desk.typed('229600.00')))).toMatchObject({
      code: 41001,
      msg: 'Limit exceeded',
    })
    expect((await desk.pay(officer, settle(desk.typed('229700.00')))).code).toBe(0)
    await desk.exec(sql`delete from business_config`)
  })

  it('the same call again changes nothing and answers the same', async () => {
    const form = partial(await desk.arrived(orderNo, '5000.00'))
    const tried = await trial(form)
    const [{ version }] = (await desk.rows(
      sql<{ version: number }>`select version from loan_order where order_no = ${orderNo}`,
    )) as [{ version: number }]
    const input = { ...form, version, trialKey: tried.data.trialKey }
    const key = 'a-key-of-twenty-characters'
    const first = await desk.call(repay.commit, input, { as: officer, key })
    expect(first.code).toBe(0)
    expect(await desk.call(repay.commit, input, { as: officer, key })).toEqual(first)
    expect((await desk.call(repay.commit, input, { as: officer })).msg).toBe(text('en', 'errors.flowUsedUp'))
    expect((await desk.call(repay.commit, { ...input, remark: 'other' }, { as: officer, key })).code).toBe(40903)
  })

  it('one of two write-offs of the same flow, at the same time', async () => {
    const other = await desk.order()
    const flow = await desk.arrived(orderNo, '90000.00')
    const forms = [orderNo, other].map(one => ({
      orderNo: one,
      repayType: 'partial' as const,
      flows: [flow],
    }))
    const answers = await Promise.all(forms.map(form => desk.pay(officer, form)))
    expect(answers.map(answer => answer.code).sort()).toEqual([0, 40001])
  })
})

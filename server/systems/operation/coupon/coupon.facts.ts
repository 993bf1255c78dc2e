import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { base, type Endpoint } from '../../../../core/contract/endpoint.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import { many, nowhere, type Reply } from '../../../../tests/races/resource.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type MerchantNo, way } from '../../../testing/facts.ts'
import { application, send, signedBy } from '../../../testing/partner.ts'

const { coupon, common, businessConfig } = contract
let made = 0

export const templateForm = (change: object = {}) => ({
  couponName: `Punguzo ${++made}`,
  couponType: 'discount_coupon',
  couponRepayType: 'generic',
  merchantNos: ['M1'],
  faceAmount: '5000.00',
  minOrderAmount: '0.00',
  validityDays: 30,
  issueCapPerCustomer: 5,
  budgetAmount: '50000.00',
  ...change,
})

/** A kind of coupon that may be given. */
export const templateOf = async (fixture: Fixture, change: object = {}): Promise<string> => {
  const { key } = await done(fixture, coupon.save, templateForm(change))
  await done(fixture, coupon.state, { couponTemplateNo: key, enabled: true, version: 0 })
  return String(key)
}

export const customerOf = async (fixture: Fixture, merchantNo: MerchantNo = 'M1'): Promise<string> => {
  const orderNo = await fixture.queueUp(merchantNo)
  const { no } = await fixture.one(
    sql<{ no: string }>`select customer_no as no from loan_order where order_no = ${orderNo}`,
  )
  return no
}

const inDays = (fixture: Fixture, days: number) => new Date(fixture.clock.now().getTime() + days * 86_400_000)

const asked = async (fixture: Fixture, customers: string, days = 0, template: object = {}) => ({
  couponTemplateNo: await templateOf(fixture, template),
  customers,
  startDate: eatDate(inDays(fixture, days).toISOString()),
  reason: 'end of the month',
})
const submitted = async (fixture: Fixture, customers?: string, days = 0, template: object = {}) => {
  const input = await asked(fixture, customers ?? (await customerOf(fixture)), days, template)
  return done(fixture, coupon.issue, input)
}
const issued = async (fixture: Fixture, customers?: string, days = 0, template: object = {}): Promise<string> => {
  const { issueBatchNo, approvalNo } = await submitted(fixture, customers, days, template)
  await fixture.agree(String(approvalNo))
  await fixture.worker.drain()
  return String(issueBatchNo)
}
/** A coupon that a customer is given. */
export const couponFor = async (fixture: Fixture, customerNo: string, days = 0, template: object = {}) => {
  const batchNo = await issued(fixture, customerNo, days, template)
  return (await fixture.one(sql<{ no: string }>`select coupon_no as no from coupon where source_no = ${batchNo}`)).no
}
/** A coupon that a customer of a merchant holds. */
export const couponOf = async (fixture: Fixture, merchantNo: MerchantNo = 'M1', days = 0): Promise<string> =>
  couponFor(fixture, await customerOf(fixture, merchantNo), days, { merchantNos: [merchantNo] })

const codesAsked = async (fixture: Fixture, change: object = {}, template: object = {}) => ({
  couponTemplateNo: await templateOf(fixture, template),
  codeCount: 1,
  maxUses: 3,
  startTime: fixture.clock.now().toISOString(),
  endTime: inDays(fixture, 30).toISOString(),
  reason: 'radio spot',
  ...change,
})
const codeOf = async (fixture: Fixture, change: object = {}, template: object = {}) => {
  const input = await codesAsked(fixture, change, template)
  await fixture.agree(String((await done(fixture, coupon.generate, input)).approvalNo))
  return fixture.one(
    sql<{
      promoCode: string
      version: number
    }>`select promo_code, version from promo_code where coupon_template_no = ${input.couponTemplateNo}`,
  )
}
/** The back end of the app sends the code that a customer typed. */
const redeems = async (fixture: Fixture, customerNo: string, promoCode: string): Promise<Reply> => {
  const { secret } = await fixture.one(
    sql<{ secret: string }>`select secret from merchant_credential where merchant_no = 'M1'`,
  )
  const body = JSON.stringify({ customerNo, promoCode })
  const headers = { 'content-type': 'application/json', ...signedBy(body, { merchantNo: 'M1', secret }) }
  const answer = await fixture.app.request(`${base}${contract.couponApp.redeem.path}`, {
    method: 'POST',
    headers,
    body,
  })
  return (await answer.json()) as Reply
}

const revoking = async (fixture: Fixture, couponNo: string): Promise<string> => {
  await done(fixture, coupon.revoke, { couponNos: [couponNo], reason: 'given by mistake' })
  const { no } = await fixture.one(
    sql<{
      no: string
    }>`select approval_no as no from approval where object_no = ${couponNo} and approval_status = 'pending'`,
  )
  return no
}

export default facts({
  machines: {
    couponIssueBatch: {
      row: {
        issueBatchNo: 'CB1',
        couponTemplateNo: 'CTF',
        startTime: '2026-03-02T07:00:00Z',
        reason: 'test',
        issueCount: 1,
        totalAmount: 5000,
        makerNo: 'U1',
        makerName: 'Person U1',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  around: tx =>
    tx
      .exec(sql`
      insert into coupon_template (coupon_template_no, enabled, coupon_name, coupon_type, coupon_repay_type, merchant_nos, face_amount, validity_days, issue_cap_per_customer, budget_amount, created_time, updated_by, updated_time)
      values ('CTF', 'disabled', 'Fixture', 'discount_coupon', 'generic', '{M1}', 5000, 30, 1, 50000, now(), 'U1', now()) on conflict do nothing`)
      .then(() => undefined),
  commands: [
    {
      call: coupon.revoke,
      make: async fixture => {
        const no = await couponOf(fixture)
        // So that the suite can put it into every state: a frozen one names its order.
        await fixture.exec(
          sql`update coupon c set bound_order_no = (select min(order_no) from loan_order o where o.customer_no = c.customer_no) where coupon_no = ${no}`,
        )
        return { no, input: { couponNos: [no], reason: 'given by mistake' } }
      },
      fires: { machine: 'M74', event: 'approval.submit', why: 'a second person must agree first' },
    },
  ],
  beginnings: [{ call: coupon.issue, input: async fixture => asked(fixture, await customerOf(fixture)) }],
  ways: [
    way('coupons are given at once and later, start, end and are taken back', async fixture => {
      const [now, later] = [await couponOf(fixture), await couponOf(fixture, 'M1', 3)]
      await fixture.agree(await revoking(fixture, now))
      await fixture.agree(await revoking(fixture, later))
      const [ends, never] = [await couponOf(fixture, 'M1', 3), await couponOf(fixture, 'M1', 3)]
      await fixture.exec(
        sql`update coupon set start_time = ${fixture.clock.now()}, expire_time = ${inDays(fixture, 40)} where coupon_no = ${ends}`,
      )
      await fixture.tick('coupon.start')
      await fixture.exec(
        sql`update coupon set start_time = ${inDays(fixture, -9)}, expire_time = ${inDays(fixture, -2)} where coupon_no in (${ends}, ${never})`,
      )
      await fixture.tick('coupon.expire')
    }),
    way('coupons are named with applications that end, one of them too late to use it again', async fixture => {
      for (const late of [false, true]) {
        const body = application(91_000 + ++made)
        const first = (await send(fixture, body)).data
        const { customerNo } = (await fixture.rowOf('order', String(first.orderNo))) as unknown as {
          customerNo: string
        }
        const couponNo = await couponFor(fixture, customerNo)
        const { customer, payout } = body
        const { orderNo } = (await send(fixture, { ...application(92_000 + made), customer, payout, couponNo })).data
        if (late)
          await fixture.exec(
            sql`update coupon set start_time = ${inDays(fixture, -9)}, expire_time = ${inDays(fixture, -2)} where coupon_no = ${couponNo}`,
          )
        const version = await fixture.versionOf('order', String(orderNo))
        await done(fixture, contract.audit.cancel, { orderNo, version, reason: 'duplicate' })
      }
    }),
    way('an issue is refused, taken back, forgotten, and given in part', async fixture => {
      const approvals = [await submitted(fixture), await submitted(fixture), await submitted(fixture)]
      const [refused, withdrawn] = approvals.map(one => String(one.approvalNo))
      await done(fixture, common.reject, { approvalNo: refused, version: 0, reason: 'too many' }, fixture.second)
      await done(fixture, common.withdraw, { approvalNo: withdrawn, version: 0 })
      await issued(fixture, `${await customerOf(fixture)}\nNOBODY`)
      await fixture.pass(73 * 60)
      await fixture.tick('approval.expire')
    }),
  ],
  approvals: [
    { action: 'couponBatch.issue', ask: async fixture => String((await submitted(fixture)).approvalNo) },
    {
      action: 'promoCode.generate',
      ask: async fixture => String((await done(fixture, coupon.generate, await codesAsked(fixture))).approvalNo),
    },
    { action: 'coupon.revoke', ask: async fixture => revoking(fixture, await couponOf(fixture)) },
    {
      action: 'businessConfig.COUPON_TYPE_CAPS',
      ask: async fixture => {
        const configKey = 'COUPON_TYPE_CAPS' as const
        const { version } = await done(fixture, businessConfig.get, { configKey })
        const value = {
          increase_loan_limit_coupon: '200000.00',
          discount_coupon: `${60_000 + ++made}.00`,
          interest_discount_coupon: '30000.00',
        }
        return String((await done(fixture, businessConfig.update, { configKey, version, value })).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: coupon.page,
      key: 'couponTemplateNo',
      of: 'company',
      fill: async fixture => {
        const no = await templateOf(fixture)
        const changes = `jsonb_build_object(${prefixed('coupon_template_no')}, 'coupon_name', 'Copy ' || n, ${at('updated_time')}, 'face_amount', 1000 * (1 + n % 4), 'enabled', (array['enabled', 'disabled'])[1 + n % 2], 'coupon_repay_type', (array['settle', 'generic'])[1 + n % 2])`
        await copied(fixture, 'coupon_template', `coupon_template_no = '${no}'`, changes)
      },
      means: {
        couponName: (row, text: string) => String(row.couponName).toLowerCase().includes(text.toLowerCase()),
        merchantNo: (row, no: string) => (row.merchantNos as string[]).includes(no),
      },
    },
    {
      list: coupon.coupons,
      key: 'couponNo',
      of: 'company',
      fill: async fixture => {
        const no = await couponOf(fixture)
        const changes = `jsonb_build_object(${prefixed('coupon_no')}, 'source_no', x.source_no || n, ${at('created_time')}, ${at('expire_time')}, 'face_amount', 1000 * (1 + n % 3))`
        await copied(fixture, 'coupon', `coupon_no = '${no}'`, changes)
        await fixture.exec(sql`
          update coupon_template t set issued_amount = s.amount, issued_count = s.n, budget_amount = greatest(t.budget_amount, s.amount)
          from (select coupon_template_no, sum(face_amount) as amount, count(*)::int as n from coupon group by coupon_template_no) s where s.coupon_template_no = t.coupon_template_no`)
      },
    },
    {
      list: coupon.batches,
      key: 'issueBatchNo',
      of: 'company',
      fill: async fixture => {
        const no = await issued(fixture)
        const changes = `jsonb_build_object(${prefixed('issue_batch_no')}, ${at('created_time')}, 'total_amount', 5000 * (1 + n % 4), 'issue_count', 1 + n % 3)`
        await copied(fixture, 'coupon_issue_batch', `issue_batch_no = '${no}'`, changes)
      },
    },
    {
      list: coupon.batchRows,
      key: 'batchRowNo',
      of: 'company',
      fill: async fixture => {
        const no = await issued(fixture, `${await customerOf(fixture)}\nNOBODY`)
        await copied(
          fixture,
          'coupon_batch_row',
          `issue_batch_no = '${no}' and row_no = 2`,
          `jsonb_build_object('row_no', 2 + n, 'fail_reason', (array['not_found', 'budget'])[1 + n % 2])`,
        )
      },
    },
    {
      list: coupon.codes,
      key: 'promoCode',
      of: 'company',
      fill: async fixture => {
        const { promoCode } = await codeOf(fixture)
        const changes = `jsonb_build_object('promo_code', left(x.promo_code, 6) || chr(65 + n % 8) || chr(80 + n / 8), 'used_count', n % 4, ${at('created_time')}, ${at('end_time')})`
        await copied(fixture, 'promo_code', `promo_code = '${promoCode}'`, changes)
      },
    },
  ],
  records: [
    { fields: ['couponTemplateNo'], table: 'coupon_template', key: 'coupon_template_no' },
    {
      fields: ['couponNo', 'couponNos'],
      table: 'coupon',
      key: 'coupon_no',
      make: (fixture, merchantNo) => couponOf(fixture, merchantNo),
      owners: sql`select coupon_no as no, merchant_no, '{}'::text[] as holders from coupon`,
      unheld: true,
    },
    { fields: ['issueBatchNo'], table: 'coupon_issue_batch', key: 'issue_batch_no' },
    { fields: ['promoCode'], under: '/promocode', table: 'promo_code', key: 'promo_code' },
  ],
  races: [
    {
      name: 'the budget of a coupon',
      rule: 'M50 coupon.issue: what was given and this one at most the budget, in one statement',
      available: 2,
      async make(fixture, parallel) {
        const { promoCode } = await codeOf(fixture, { maxUses: 100 }, { budgetAmount: '10000.00' })
        const customers: string[] = []
        for (let n = 0; n < parallel; n++) customers.push(await customerOf(fixture))
        return { tries: many(parallel, n => () => redeems(fixture, String(customers[n]), promoCode)) }
      },
      at: nowhere,
      kept: {
        by: [[/(issued_amount \+ \$\d+::numeric) <= budget_amount/, '$1 > -1']],
        drop: ['alter table coupon_template drop constraint coupon_template_budget'],
        at: nowhere,
      },
    },
  ],
  calls: [
    ...[
      coupon.page,
      coupon.coupons,
      coupon.batches,
      coupon.batchRows,
      coupon.codes,
      coupon.save,
      coupon.state,
      coupon.remove,
    ].map(call => ({
      call: call as Endpoint,
      about: 'which merchants it is for is asked for in the test of the noun',
    })),
    ...[
      coupon.detail,
      coupon.history,
      coupon.usedBy,
      coupon.stat,
      coupon.effect,
      coupon.issue,
      coupon.generate,
      coupon.stopCode,
    ].map(call => ({
      call: call as Endpoint,
      about: 'kinds of coupons are asked for within reach in the test of the noun',
    })),
  ],
})

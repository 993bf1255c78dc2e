import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { inTurn, many, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type MerchantNo, way } from '../../../testing/facts.ts'
import { customerOf, templateOf } from '../../operation/coupon/coupon.facts.ts'

const { serviceCoupon, common } = contract
let made = 0

/** Only one of a kind may be in force for a merchant: those before leave. */
const leave = async (fixture: Fixture) => {
  const before = await fixture.rows(sql<{ serviceConfigNo: string; version: number }>`
    select service_config_no, version from cs_coupon_config where enabled = 'enabled'`)
  for (const { serviceConfigNo, version } of before)
    await done(fixture, serviceCoupon.state, { serviceConfigNo, enabled: false, version })
}

/** Settings in force, for a kind of coupon of their own. */
export const settingsOf = async (fixture: Fixture, change: object = {}, merchantNo: MerchantNo = 'M1') => {
  const couponTemplateNo = await templateOf(fixture, {
    merchantNos: [merchantNo],
    budgetAmount: '5000000.00',
    issueCapPerCustomer: 100,
  })
  await leave(fixture)
  const { key } = await done(fixture, serviceCoupon.save, {
    configName: `Huduma ${++made}`,
    couponTemplateNo,
    merchantNos: [merchantNo],
    amountFree: true,
    amountMin: '1000.00',
    amountMax: '10000.00',
    countMax: 5,
    perAgentDaily: 100,
    perCustomer30Days: 10,
    monthlyBudget: '1000000.00',
    minReasonLength: 3,
    ...change,
  })
  await done(fixture, serviceCoupon.state, { serviceConfigNo: key, enabled: true, version: 0 })
  return String(key)
}

/** What an agent asks for a customer. */
export const asking = async (
  fixture: Fixture,
  change: { serviceConfigNo?: string } & Record<string, unknown> = {},
  merchantNo: MerchantNo = 'M1',
) => ({
  customerNo: await customerOf(fixture, merchantNo),
  serviceConfigNo: change.serviceConfigNo ?? (await settingsOf(fixture, {}, merchantNo)),
  faceAmount: '5000.00',
  couponCount: 2,
  reason: 'waited two days',
  ...change,
})

export const applied = async (
  fixture: Fixture,
  change: Record<string, unknown> = {},
  merchantNo: MerchantNo = 'M1',
): Promise<string> =>
  String((await done(fixture, serviceCoupon.apply, await asking(fixture, change, merchantNo))).applyNo)

const given = async (fixture: Fixture, merchantNo: MerchantNo = 'M1'): Promise<string> => {
  const applyNo = await applied(fixture, { couponCount: 1 }, merchantNo)
  await done(fixture, serviceCoupon.decide, { applyNos: [applyNo], decision: 'approve' }, fixture.second)
  return (await fixture.one(sql<{ no: string }>`select coupon_no as no from coupon where source_no = ${applyNo}`)).no
}

const revoking = async (fixture: Fixture): Promise<string> => {
  const couponNo = await given(fixture)
  await done(fixture, serviceCoupon.revoke, { couponNos: [couponNo], reason: 'given in error' })
  const { no } = await fixture.one(
    sql<{
      no: string
    }>`select approval_no as no from approval where object_no = ${couponNo} and approval_status = 'pending'`,
  )
  return no
}

const company = 'which merchants it is for is asked for in the test of the noun'

export default facts({
  machines: {
    couponApplication: {
      row: {
        applyNo: 'CA1',
        serviceConfigNo: 'SCF',
        customerNo: 'CU1',
        merchantNo: 'M1',
        faceAmount: 5000,
        couponCount: 1,
        totalAmount: 5000,
        reason: 'test',
        applicantNo: 'U1',
        applicantName: 'Person U1',
        applyTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  around: async tx => {
    await tx.exec(sql`
      insert into coupon_template (coupon_template_no, enabled, coupon_name, coupon_type, coupon_repay_type, merchant_nos, face_amount, validity_days, issue_cap_per_customer, budget_amount, created_time, updated_by, updated_time)
      values ('CTS', 'disabled', 'Fixture of service', 'discount_coupon', 'generic', '{M1}', 5000, 30, 1, 50000, now(), 'U1', now()) on conflict do nothing`)
    await tx.exec(sql`
      insert into cs_coupon_config (service_config_no, enabled, config_name, coupon_template_no, merchant_nos, amount_free, count_max, per_agent_daily, per_customer30_days, monthly_budget, min_reason_length, created_time, updated_by, updated_time)
      values ('SCF', 'disabled', 'Fixture', 'CTS', '{M1}', false, 1, 1, 1, 0, 0, now(), 'U1', now()) on conflict do nothing`)
  },
  commands: [
    {
      call: serviceCoupon.decide,
      make: async fixture => {
        const no = await applied(fixture)
        return { no, input: { applyNos: [no], decision: 'approve' }, as: fixture.second }
      },
    },
    {
      call: serviceCoupon.withdraw,
      make: async fixture => {
        const no = await applied(fixture)
        return { no, input: { applyNo: no, version: 0 } }
      },
    },
    {
      call: serviceCoupon.revoke,
      make: async fixture => {
        const no = await given(fixture)
        // So that the suite can put it into every state: a frozen one names its order.
        await fixture.exec(
          sql`update coupon c set bound_order_no = (select min(order_no) from loan_order o where o.customer_no = c.customer_no) where coupon_no = ${no}`,
        )
        return { no, input: { couponNos: [no], reason: 'given in error' } }
      },
      fires: { machine: 'M74', event: 'approval.submit', why: 'a second person must agree first' },
    },
  ],
  beginnings: [{ call: serviceCoupon.apply, input: fixture => asking(fixture) }],
  ways: [
    way('an application is rejected, and another gives coupons of which one is taken back', async fixture => {
      const applyNo = await applied(fixture)
      const input = { applyNos: [applyNo], decision: 'reject', auditRemark: 'no reason to' }
      await done(fixture, serviceCoupon.decide, input, fixture.second)
      const approvalNo = await revoking(fixture)
      await done(fixture, common.approve, { approvalNo, version: 0 }, fixture.second)
    }),
  ],
  approvals: [{ action: 'serviceCoupon.revoke', ask: revoking }],
  lists: [
    {
      list: serviceCoupon.page,
      key: 'serviceConfigNo',
      of: 'company',
      fill: async fixture => {
        const no = await settingsOf(fixture)
        const changes = `jsonb_build_object(${prefixed('service_config_no')}, 'config_name', 'Copy ' || n, ${at('updated_time')}, 'monthly_budget', 1000 * (1 + n % 4), 'enabled', 'disabled')`
        await copied(fixture, 'cs_coupon_config', `service_config_no = '${no}'`, changes)
      },
      means: {
        configName: (row, text: string) => String(row.configName).toLowerCase().includes(text.toLowerCase()),
        merchantNo: (row, no: string) => (row.merchantNos as string[]).includes(no),
      },
    },
    ...([serviceCoupon.audit, serviceCoupon.my] as const).map((list, place) => ({
      list,
      key: 'applyNo',
      ...(place === 1 ? { of: 'person' as const } : {}),
      ...(place === 0
        ? {
            fill: async (fixture: Fixture) => {
              const no = await applied(fixture)
              const changes = `jsonb_build_object(${prefixed('apply_no')}, ${at('apply_time')}, 'coupon_count', 1 + n % 4, 'total_amount', 5000 * (1 + n % 4))`
              await copied(fixture, 'cs_coupon_apply', `apply_no = '${no}'`, changes)
            },
          }
        : {}),
      means: {
        applicantName: (row: Record<string, unknown>, text: string) =>
          String(row.applicantName).toLowerCase().startsWith(text.toLowerCase()),
      },
      holds: {
        key: 'applyNo',
        query: sql`select a.apply_no, a.merchant_no, c.phone from cs_coupon_apply a join customer c using (customer_no)`,
      },
    })),
    {
      list: serviceCoupon.issued,
      key: 'couponNo',
      of: 'company',
      fill: async fixture => {
        const no = await given(fixture)
        const changes = `jsonb_build_object(${prefixed('coupon_no')}, ${at('start_time')}, 'expire_time', x.expire_time + n % 5 * interval '1 day')`
        await copied(fixture, 'coupon', `coupon_no = '${no}'`, changes)
        await fixture.exec(sql`
          update coupon_template t set issued_amount = s.amount, issued_count = s.n, budget_amount = greatest(t.budget_amount, s.amount)
          from (select coupon_template_no, sum(face_amount) as amount, count(*)::int as n from coupon group by coupon_template_no) s where s.coupon_template_no = t.coupon_template_no`)
      },
    },
  ],
  records: [
    { fields: ['serviceConfigNo'], table: 'cs_coupon_config', key: 'service_config_no' },
    {
      fields: ['applyNo', 'applyNos'],
      under: '/customerServiceCoupon',
      table: 'cs_coupon_apply',
      key: 'apply_no',
      make: (fixture, merchantNo) => applied(fixture, {}, merchantNo),
      owners: sql`select apply_no as no, merchant_no, array[applicant_no] as holders from cs_coupon_apply`,
    },
  ],
  races: [
    {
      name: 'the last application of an agent today',
      rule: 'M51 coupon.apply: a number a day, counted behind the lock of the settings',
      available: 1,
      async make(fixture, parallel) {
        const serviceConfigNo = await settingsOf(fixture, { perAgentDaily: 1 })
        const inputs = await inTurn(
          Array.from({ length: Math.min(parallel, 4) }, (_, n) => n),
          async () => ({
            customerNo: await customerOf(fixture),
            ...{ serviceConfigNo, faceAmount: '5000.00', couponCount: 1, reason: 'waited two days' },
          }),
        )
        return {
          tries: many(
            parallel,
            n => () => fixture.ask(serviceCoupon.apply, inputs[n % inputs.length] as never, { as: fixture.boss }),
          ),
        }
      },
      kept: { by: rowsAndVersions, drop: [], at: /from cs_coupon_config x where x.service_config_no/ },
    },
  ],
  calls: [
    ...[
      serviceCoupon.page,
      serviceCoupon.detail,
      serviceCoupon.history,
      serviceCoupon.usedBy,
      serviceCoupon.save,
      serviceCoupon.state,
      serviceCoupon.remove,
      serviceCoupon.issued,
      serviceCoupon.check,
      serviceCoupon.quota,
      serviceCoupon.apply,
    ].map(call => ({ call: call as Endpoint, about: company })),
    { call: serviceCoupon.my, about: 'shows what its reader asked for' },
    { call: serviceCoupon.withdraw, about: 'takes back what its caller asked for' },
  ],
})

import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { countOf, many, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { holdersOf, named, ofOrders, orderRows } from '../../../testing/order-lists.ts'
import { machineRefused, manyRefused, refusedOrder } from './refused-fixture.ts'

const { audit, reReview, reReviewCount, reReviewRule } = contract

type Rule = Record<string, unknown>
const saved = async (fixture: Fixture, call: Endpoint, table: string, of: ReturnType<typeof sql>, rule: Rule) => {
  if ((await fixture.rows(sql`select 1 from ${sql.table(table)} where ${of}`)).length === 0)
    await done(fixture, call, rule)
}

/** Everybody may ask for every rejected order, and the first person as often as they like. */
const allowAll = async (fixture: Fixture) => {
  const statuses = ['approval_rejected', 'machine_refused']
  const rule = { fromStatuses: statuses, windowDays: 90, perOrderMax: 3 }
  await saved(fixture, reReviewRule.save, 're_review_rule', sql`merchant_no is null`, rule)
  const { userNo } = fixture.boss
  await saved(fixture, reReviewCount.save, 're_review_count_rule', sql`user_no = ${userNo}`, {
    userNo,
    dailyCount: 999,
  })
}

const refused = async (fixture: Fixture, merchantNo?: Parameters<typeof refusedOrder>[1]) => {
  await allowAll(fixture)
  return refusedOrder(fixture, merchantNo)
}

const asked = async (fixture: Fixture, merchantNo?: Parameters<typeof refusedOrder>[1]): Promise<string> => {
  const orderNo = await refused(fixture, merchantNo)
  await done(fixture, reReview.apply, { orderNos: [orderNo], reason: 'income proven since' })
  return orderNo
}

/** A third auditor takes an order that is reviewed once more. */
const decided = async (fixture: Fixture, auditResult: 'pass' | 'refuse') => {
  const orderNo = await asked(fixture)
  const third = await fixture.reviewer()
  await done(fixture, audit.allot, { orderNos: [orderNo], auditorNos: [third.userNo] })
  const { leaseToken } = (await done(fixture, audit.open, { orderNo }, third)) as { leaseToken: string }
  const decision = await fixture.decision(orderNo, leaseToken)
  const { approvalAmount: _, approvalTime: __, ...rest } = decision
  const input = auditResult === 'pass' ? decision : { ...rest, auditResult, refuseCode: 'B7' }
  await done(fixture, audit.submit, input, third)
}

const aboutRules = 'rules of re-review are seen by all who set them'
const callsOf = (noun: object) => (Object.values(noun) as Endpoint[]).map(call => ({ call, about: aboutRules }))

export default facts({
  machines: {
    reReviewApplication: {
      row: {
        reReviewNo: 'RV1',
        orderNo: 'LO1',
        applicantNo: 'U1',
        reason: 'income proven',
        businessDate: '2026-03-02',
        statusBefore: 'approval_rejected',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  commands: [
    {
      call: reReview.apply,
      make: async fixture => {
        const no = await refused(fixture)
        return { no, input: { orderNos: [no], reason: 'income proven since' } }
      },
      race: { drop: ['drop index if exists re_review_apply_open', 'drop index if exists re_review_apply_day'] },
    },
  ],
  ways: [
    way('a rejected order is reviewed once more and passed', fixture => decided(fixture, 'pass')),
    way('a rejected order is reviewed once more and refused again', fixture => decided(fixture, 'refuse')),
    way('an order that waits for its second look is cancelled', async fixture => {
      const orderNo = await asked(fixture)
      const version = await fixture.versionOf('order', orderNo)
      await done(fixture, audit.cancel, { orderNo, version, reason: 'customer_withdrew' })
    }),
    way('an order that the machine refused is asked for', async fixture => {
      await allowAll(fixture)
      const orderNo = await machineRefused(fixture)
      await done(fixture, reReview.apply, { orderNos: [orderNo], reason: 'income proven since' })
    }),
  ],
  lists: [
    {
      list: reReview.rejected,
      key: 'orderNo',
      fill: async fixture => manyRefused(fixture, await refused(fixture)),
      means: {
        ...ofOrders,
        refuseCode: (row, code: string) => row.refuseCode === code,
      },
      holds: { key: 'orderNo', query: orderRows },
    },
    {
      list: reReview.records,
      key: 'reReviewNo',
      ownedBy: 'orderNo',
      fill: async fixture => {
        const orderNo = await asked(fixture)
        await fixture.exec(sql`
          insert into re_review_apply select (jsonb_populate_record(x, jsonb_build_object('re_review_no', x.re_review_no || '-' || n % 7 || '-' || n, 're_review_status', (array['passed', 'refused', 'void'])[1 + n % 3],
            'business_date', x.business_date - n, 'created_time', x.created_time - n % 5 * interval '1 hour'))).*
          from re_review_apply x, generate_series(1, 33) n where x.order_no = ${orderNo}`)
      },
      means: { orderNo: named('orderNo'), mine: (row, mine: boolean) => mine === (row.applicantNo === 'U1') },
      holds: { key: 'reReviewNo', query: sql`select a.re_review_no, a.applicant_no from re_review_apply a` },
    },
    {
      list: reReviewRule.page,
      key: 'ruleNo',
      of: 'company',
      fill: async fixture => {
        await allowAll(fixture)
        await fixture.exec(sql`
          insert into merchant (merchant_no, merchant_name, app_name, org_no) select 'MX' || n, 'Merchant ' || n, 'App ' || n, 'O2' from generate_series(1, 33) n on conflict do nothing`)
        await copied(
          fixture,
          're_review_rule',
          'merchant_no is null',
          `jsonb_build_object(${prefixed('rule_no')}, 'merchant_no', 'MX' || n, ${at('updated_time')}, 'window_days', 1 + n % 20)`,
        )
      },
    },
    {
      list: reReviewCount.page,
      key: 'countRuleNo',
      of: 'company',
      fill: async fixture => {
        await allowAll(fixture)
        await fixture.exec(sql`
          insert into role (role_no, role_name, role_nature) select 'RX' || n, 'Role ' || n, 'headquarters' from generate_series(1, 33) n on conflict do nothing`)
        await copied(
          fixture,
          're_review_count_rule',
          `user_no = '${fixture.boss.userNo}'`,
          `jsonb_build_object(${prefixed('count_rule_no')}, 'role_no', 'RX' || n, 'user_no', null, ${at('updated_time')}, 'daily_count', n % 20)`,
        )
      },
    },
  ],
  records: [
    { fields: ['ruleNo', 'ruleNos'], table: 're_review_rule', key: 'rule_no' },
    { fields: ['countRuleNo', 'countRuleNos'], table: 're_review_count_rule', key: 'count_rule_no' },
    {
      fields: ['reReviewNo'],
      table: 're_review_apply',
      key: 're_review_no',
      make: async (fixture, merchantNo) => {
        await refused(fixture, merchantNo)
        const orderNo = await asked(fixture, merchantNo)
        const { no } = await fixture.one(
          sql<{ no: string }>`select re_review_no as no from re_review_apply where order_no = ${orderNo}`,
        )
        return no
      },
      owners: sql`select a.re_review_no as no, o.merchant_no, ${holdersOf} as holders from re_review_apply a join loan_order o using (order_no)`,
    },
  ],
  calls: [
    ...callsOf(reReviewRule).filter(({ call }) => call !== reReviewRule.probe),
    ...callsOf(reReviewCount),
    { call: reReview.quota, about: "the caller's own count" },
    { call: reReview.apply, leavesOut: ({ code, data }) => code !== 0 || (data as { ok: number }).ok === 0 },
  ],
  races: [
    {
      name: 'the daily count of applications',
      rule: 'M14: no more applications than the count of the day',
      available: 2,
      async make(fixture, parallel) {
        const orders: string[] = []
        for (let n = 0; n < 4; n++) orders.push(await refused(fixture))
        const used = () =>
          countOf(fixture, sql`select 1 from re_review_apply a where a.applicant_no = ${fixture.boss.userNo}`)
        const before = await used()
        await fixture.exec(sql`
          update re_review_count_rule set daily_count = ${2} + coalesce((select submitted from re_review_quota where user_no = ${fixture.boss.userNo} order by business_date desc limit 1), 0) where user_no = ${fixture.boss.userNo}`)
        return {
          tries: many(
            parallel,
            i => () =>
              fixture.call(
                reReview.apply,
                { orderNos: [orders[i % 4] as string], reason: 'income proven' },
                { as: fixture.boss },
              ),
          ),
          taken: async () => (await used()) - before,
          after: () =>
            fixture
              .exec(sql`update re_review_count_rule set daily_count = 999 where user_no = ${fixture.boss.userNo}`)
              .then(() => undefined),
        }
      },
      kept: {
        by: rowsAndVersions,
        at: /as n$/,
        alsoBy: 'the row of the day, which one statement counts up only while something is left of it',
      },
    },
  ],
})

import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { countOf, many, nowhere } from '../../../../tests/races/resource.ts'
import { done, undone } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { asked, drafted, given, held, quiet, running } from './activity-made.facts.ts'
import { awardQueue } from './award.ts'

const { activity } = contract

const onTime = [{ taskKey: 'on_time', taskThreshold: 1, awardKind: 'wallet', awardAmount: '2000.00' }]

const approvalOf = async (fixture: Fixture, objectNo: string): Promise<string> =>
  (
    await fixture.one(
      sql<{
        no: string
      }>`select approval_no as no from approval where object_no = ${objectNo} and approval_status = 'pending'`,
    )
  ).no

const reversing = async (fixture: Fixture): Promise<string> => {
  const { awardNo } = await given(fixture)
  await done(fixture, activity.reverse, { awardNos: [awardNo], reason: 'paid by mistake' })
  return approvalOf(fixture, awardNo)
}

const budgetAsked = async (fixture: Fixture): Promise<string> => {
  const activityNo = await drafted(fixture)
  const input = { activityNo, addedAmount: '50000.00', reason: 'goes well', version: 0 }
  return String((await done(fixture, activity.budget, input)).approvalNo)
}

export default facts({
  machines: {
    activityAward: {
      row: {
        ...{ awardNo: 'AW1', activityNo: 'ACF', taskKey: 'first_loan', customerNo: 'CU1', merchantNo: 'M1' },
        ...{
          subjectNo: 'LO1',
          orderNo: 'LO1',
          awardKind: 'wallet',
          awardAmount: 2000,
          awardTime: '2026-03-02T07:00:00Z',
        },
      },
    },
  },
  around: tx =>
    tx
      .exec(sql`
      insert into activity (activity_no, enabled, activity_name, activity_type, merchant_nos, app_codes, start_time, end_time, budget_amount, budget_spent, awards_per_customer, tasks, rule_text, created_time, updated_by, updated_time)
      values ('ACF', 'disabled', 'Fixture', 'first_loan', '{M1}', '{BodaCash}', now(), now() + interval '30 days', 50000, 2000, 3, '[]', '{}', now(), 'U1', now()) on conflict do nothing`)
      .then(() => undefined),
  commands: [
    {
      call: activity.decide,
      make: async fixture => {
        const { awardNo: no } = await held(fixture)
        return { no, input: { awardNos: [no], awardDecision: 'release', reason: 'brother and sister' } }
      },
    },
    {
      call: activity.reverse,
      make: async fixture => {
        const { awardNo: no } = await given(fixture)
        return { no, input: { awardNos: [no], reason: 'paid by mistake' } }
      },
      fires: { machine: 'M74', event: 'approval.submit', why: 'a second person must agree first' },
    },
  ],
  ways: [
    way('rewards are given, held, released, refused and taken back', async fixture => {
      await fixture.agree(await reversing(fixture))
      for (const awardDecision of ['release', 'refuse']) {
        const { awardNo } = await held(fixture)
        await done(fixture, activity.decide, { awardNos: [awardNo], awardDecision, reason: 'looked at' })
      }
    }),
    way('the repayment that earned a reward is undone', async fixture => {
      await quiet(fixture)
      await running(fixture, { activityType: 'on_time', tasks: onTime })
      const { repaymentNo } = await fixture.repaid('M1', '250000.00', 'settle')
      await fixture.worker.drain()
      await undone(fixture, repaymentNo)
      await fixture.worker.drain()
    }),
  ],
  approvals: [
    {
      action: 'activity.state',
      ask: async fixture => String(await asked(fixture, await drafted(fixture))),
    },
    { action: 'activity.budget', ask: budgetAsked },
    { action: 'activityAward.reverse', ask: reversing },
  ],
  lists: [
    {
      list: activity.page,
      key: 'activityNo',
      of: 'company',
      fill: async fixture => {
        const no = await drafted(fixture)
        const changes = `jsonb_build_object(${prefixed('activity_no')}, 'activity_name', 'Copy ' || n, ${at('updated_time')}, ${at('start_time')}, 'end_time', x.end_time + n * interval '1 hour', 'budget_amount', 10000 * (1 + n % 4), 'enabled', (array['enabled', 'disabled'])[1 + n % 2], 'activity_type', (array['on_time', 'first_loan'])[1 + n % 2])`
        await copied(fixture, 'activity', `activity_no = '${no}'`, changes)
      },
      means: {
        activityName: (row, text: string) => String(row.activityName).toLowerCase().includes(text.toLowerCase()),
        merchantNo: (row, no: string) => (row.merchantNos as string[]).includes(no),
        appCode: (row, app: string) => (row.appCodes as string[]).includes(app),
        waiting: (_row, mine: boolean) => !mine,
      },
    },
    {
      list: activity.awards,
      key: 'awardNo',
      of: 'company',
      fill: async fixture => {
        const { awardNo, activityNo } = await held(fixture, { budgetAmount: '10000000.00', awardsPerCustomer: 100 })
        const changes = `jsonb_build_object(${prefixed('award_no')}, 'subject_no', x.subject_no || n, ${at('award_time')}, 'award_amount', 1000 * (1 + n % 3), 'award_hold', (array['same_device', 'same_wallet'])[1 + n % 2])`
        await copied(fixture, 'activity_award', `award_no = '${awardNo}'`, changes)
        await fixture.exec(sql`
          update activity set budget_spent = (select sum(award_amount) from activity_award where activity_no = ${activityNo} and award_status in ('held', 'given')) where activity_no = ${activityNo}`)
      },
    },
  ],
  records: [
    { fields: ['activityNo'], table: 'activity', key: 'activity_no' },
    {
      fields: ['awardNo', 'awardNos'],
      table: 'activity_award',
      key: 'award_no',
      make: async (fixture, merchantNo) => (await given(fixture, {}, merchantNo)).awardNo,
      owners: sql`select award_no as no, merchant_no, '{}'::text[] as holders from activity_award`,
      unheld: true,
    },
  ],
  races: [
    {
      name: 'the budget of an activity',
      rule: 'M97 award.earn: what was spent and this reward at most the budget, in one statement',
      available: 2,
      async make(fixture, parallel) {
        const orders: string[] = []
        await quiet(fixture)
        for (let n = 0; n < parallel; n++) orders.push(await fixture.queueUp())
        const tasks = [{ taskKey: 'register', taskThreshold: 1, awardKind: 'wallet', awardAmount: '2000.00' }]
        const activityNo = await running(fixture, { activityType: 'register', budgetAmount: '4000.00', tasks })
        const of = await fixture.db.read(tx =>
          tx.rows(sql<{ orderNo: string; customerNo: string }>`
            select order_no, customer_no from loan_order where order_no = any(${orders}) order by order_no`),
        )
        const event = { event: 'order.submitted', merchantNo: 'M1', at: fixture.clock.now().toISOString() }
        return {
          tries: many(parallel, n => async () => {
            const payload = { ...event, ...of[n] }
            await fixture.db.withTx(tx => awardQueue.handle(tx, { jobKey: `race ${n}`, payload }))
            return { code: 0 }
          }),
          taken: () => countOf(fixture, sql`select 1 from activity_award where activity_no = ${activityNo}`),
        }
      },
      at: nowhere,
      kept: {
        by: [[/(budget_spent \+ \$\d+::numeric) <= budget_amount/, '$1 > -1']],
        drop: ['alter table activity drop constraint activity_budget'],
        at: nowhere,
      },
    },
  ],
  calls: [
    ...[activity.page, activity.awards, activity.save, activity.state, activity.remove].map(call => ({
      call: call as Endpoint,
      about: 'which merchants it is for is asked for in the test of the noun',
    })),
    ...[activity.detail, activity.history, activity.usedBy, activity.stat, activity.budget].map(call => ({
      call: call as Endpoint,
      about: 'activities are asked for within reach in the test of the noun',
    })),
  ],
})

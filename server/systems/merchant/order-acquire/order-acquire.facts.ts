import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { countOf, many, nowhere, rows } from '../../../../tests/races/resource.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'
import { application, send } from '../../../testing/partner.ts'

const { orderAcquire } = contract
let made = 0
let applicants = 120_000

/** A rule of a channel that no other rule of its merchant is for. */
export const ruleInput = (merchantNo = 'M1', change: object = {}) => ({
  acquireName: `Rule ${++made}`,
  merchantNo,
  incomingChannel: `kiosk-${made}`,
  productNos: [merchantNo === 'M2' ? 'P2' : 'P1'],
  acceptFrom: '00:00',
  acceptTo: '23:59',
  dailyCap: 600,
  firstShare: 100,
  dedupeDays: 0,
  ...change,
})

const productOf = async (fixture: Fixture, merchantNo: string): Promise<string> => {
  const { no } = await fixture.one(sql<{ no: string }>`
    select product_no as no from product where merchant_no = ${merchantNo} and deleted_time is null order by product_no limit 1`)
  return no
}

const added = async (fixture: Fixture, merchantNo = 'M1', change: object = {}): Promise<string> =>
  String(
    (
      await done(
        fixture,
        orderAcquire.save,
        ruleInput(merchantNo, { productNos: [await productOf(fixture, merchantNo)], ...change }),
      )
    ).key,
  )

let refused = 0
/** An application that came outside the hours. */
const turnedAway = async (fixture: Fixture, merchantNo = 'M1'): Promise<string> => {
  const no = `INF${++refused}`
  await fixture.exec(sql`
    insert into acquire_log (intake_no, merchant_no, intake_key, third_order_no, incoming_channel, intake_time, intake_result, intake_code, payload_hash, payload)
    values (${no}, ${merchantNo}, ${no}, ${no}, 'app', ${fixture.clock.now()}, 'refused', '105', 'hash', ${JSON.stringify(application(++applicants, { thirdOrderNo: no }))})`)
  return no
}

const about =
  'numbers, and checks that make nothing, of the merchants that the caller sees: its own test asks whose they are'

export default facts({
  lists: [
    {
      list: orderAcquire.page,
      key: 'acquireNo',
      fill: async fixture => {
        const no = await added(fixture)
        const changes = `jsonb_build_object('acquire_no', 'AF' || n % 7 || '-' || n, 'acquire_name', 'Rule ' || n % 6 || ' ' || n, ${at('updated_time')}, 'daily_cap', n % 5 * 100,
          'merchant_no', (array['M1', 'M2'])[1 + n % 2], 'incoming_channel', (array['kiosk-a', 'kiosk-b', 'kiosk-c'])[1 + n % 3], 'loan_kind', (array['first', 'repeat', null])[1 + n % 3])`
        await copied(fixture, 'acquire_rule', `acquire_no = '${no}'`, changes)
      },
      means: {
        incomingChannel: (row, channels: readonly string[]) =>
          channels.length === 0 ||
          channels.some(one => one.toLowerCase() === String(row.incomingChannel).toLowerCase()),
        productNo: (row, productNo: string) => (row.productNos as string[]).includes(productNo),
      },
    },
    {
      list: orderAcquire.log,
      key: 'intakeNo',
      fill: async fixture => {
        const no = await added(fixture)
        await fixture.exec(sql`
          insert into acquire_log (intake_no, merchant_no, intake_key, acquire_no, incoming_channel, third_order_no, loan_kind, intake_time, intake_result, intake_code, payload_hash, latency_ms, try_count)
          select 'IF' || n % 7 || '-' || n, (array['M1', 'M2'])[1 + n % 2], 'IF' || n, case when n % 3 > 0 then ${no} end, (array['app', 'ussd', null])[1 + n % 3], case when n % 4 > 0 then 'T' || n end,
            (array['first', 'repeat', null])[1 + n % 3], ${fixture.clock.now()}::timestamptz - n % 9 * interval '1 hour', case when n % 5 = 0 then 'error' else 'refused' end,
            case when n % 5 = 0 then '199' else (array['101', '105', '106', '110'])[1 + n % 4] end, 'hash', n % 6 * 10, 1 + n % 3 from generate_series(1, 60) n`)
      },
    },
  ],
  records: [
    {
      fields: ['acquireNo', 'acquireNos'],
      table: 'acquire_rule',
      key: 'acquire_no',
      make: (fixture, merchantNo) => added(fixture, merchantNo),
      owners: sql`select acquire_no as no, merchant_no, null::text[] as holders from acquire_rule`,
      unheld: true,
    },
    {
      fields: ['intakeNo', 'intakeNos'],
      table: 'acquire_log',
      key: 'intake_no',
      make: (fixture, merchantNo) => turnedAway(fixture, merchantNo),
      owners: sql`select intake_no as no, merchant_no, null::text[] as holders from acquire_log`,
      unheld: true,
    },
  ],
  calls: [
    { call: orderAcquire.save, about: 'a new rule, or a change of one: its own test asks whose it may be' },
    { call: orderAcquire.stat, about },
    { call: orderAcquire.sample, about },
  ],
  races: [
    {
      name: 'places under the cap of a rule',
      rule: 'a burst of applications never passes the cap of the day',
      available: 1,
      async make(fixture, parallel) {
        const incomingChannel = `race-${++made}`
        await done(fixture, orderAcquire.save, ruleInput('M1', { incomingChannel, dailyCap: 1 }))
        return {
          tries: many(parallel, () => () => send(fixture, application(++applicants, { incomingChannel }))),
          taken: () => countOf(fixture, sql`select 1 from loan_order where incoming_channel = ${incomingChannel}`),
        }
      },
      at: /insert into acquire_counter/,
      kept: { by: [...rows, [/accepted < (\$\d+)/, '($1::int is not null)']], at: nowhere },
    },
  ],
})

import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { merchantConfig } = contract
const about = 'a configuration has the number of its merchant: its own test asks whom each call is shown to'
let made = 0

/** A merchant of its own for each configuration: there is one for each. */
const added = async (fixture: Fixture): Promise<string> => {
  const merchantNo = `MG${++made}`
  await fixture.exec(sql`
    insert into merchant (merchant_no, merchant_name, app_name, org_no) select ${merchantNo}, 'Connected ' || ${merchantNo}, app_name, org_no from merchant where merchant_no = 'M1'`)
  const input = {
    merchantNo,
    contractNo: `CN/${made}`,
    contractStart: '2026-01-01',
    contractEnd: '2027-03-01',
    settlementMode: 'prepaid',
    creditFloor: '0.00',
    lowBalance: '1000.00',
    contactEmail: 'ops@brand.example',
    contactPhone: '256772000111',
    environment: 'live',
  }
  return String((await done(fixture, merchantConfig.add, input)).key)
}

const versioned = async (fixture: Fixture, merchantNo: string) =>
  fixture.one(sql<{ merchantNo: string; version: number }>`
    select merchant_no, version from merchant_config where merchant_no = ${merchantNo}`)

const asked = async (fixture: Fixture, call: Endpoint, what: object): Promise<string> =>
  String((await done(fixture, call, { ...(await versioned(fixture, await added(fixture))), ...what })).approvalNo)

let callbacks = 0
/** Callbacks that a merchant's system did not take. */
const dead = async (fixture: Fixture, merchantNo: string): Promise<string> => {
  const no = `CB${++callbacks}`
  await fixture.exec(sql`
    insert into merchant_callback (callback_no, merchant_no, callback_event, transition_no, order_no, third_order_no, body, payload_hash, delivery, tries, created_time, last_try_time)
    values (${no}, ${merchantNo}, 'order.status', ${-callbacks}, 'LO1', 'T1', '{}', 'hash', 'dead', 10, ${fixture.clock.now()}, ${fixture.clock.now()})`)
  return no
}

export default facts({
  lists: [
    {
      list: merchantConfig.page,
      key: 'merchantNo',
      // Whom each is shown to is asked for in the test of the noun.
      of: 'company',
      fill: async fixture => {
        const no = await added(fixture)
        await fixture.exec(sql`
          insert into merchant (merchant_no, merchant_name, app_name, org_no)
          select 'MH' || n % 7 || '-' || n, 'Held ' || n % 5 || ' ' || n, 'Held', (array['O1', 'O2'])[1 + n % 2] from generate_series(1, 33) n`)
        const changes = `jsonb_build_object('merchant_no', 'MH' || n % 7 || '-' || n, 'contract_no', 'CH/' || n, ${at('updated_time')}, 'contract_end', date '2027-01-01' + n % 9,
          'environment', (array['live', 'test'])[1 + n % 2], 'low_balance', n % 3 * 100, 'credit_floor', case n % 4 when 0 then -5 else 0 end, 'settlement_mode', case n % 4 when 0 then 'postpaid' else 'prepaid' end)`
        await copied(fixture, 'merchant_config', `merchant_no = '${no}'`, changes)
      },
      means: {
        waiting: (_row, mine: boolean) => !mine,
        merchantName: (row, text: string) =>
          `${row.merchantNo} ${row.merchantName}`.toLowerCase().includes(text.trim().toLowerCase()),
        orgNo: (row, orgNo: string) => row.orgName === { O1: 'Kampala', O2: 'Gulu' }[orgNo],
        callbackState: (row, state: string) => (row.callbackHealth === null ? 'silent' : 'fine') === state,
        contractWithin: (row, days: string) => Number(row.contractLeft) <= Number(days),
      },
    },
    {
      list: merchantConfig.callbacks,
      key: 'callbackNo',
      fill: async fixture => {
        await fixture.exec(sql`
          insert into merchant_callback (callback_no, merchant_no, callback_event, transition_no, order_no, third_order_no, body, payload_hash, delivery, tries, answer_code, created_time)
          select 'CF' || n % 7 || '-' || n, (array['M1', 'M2'])[1 + n % 2], (array['order.status', 'payout.result', 'order.settled'])[1 + n % 3], -1000 - n, 'LO' || n % 5, 'T' || n, '{}', 'hash',
            (array['waiting', 'delivered', 'dead'])[1 + n % 3], n % 10, case when n % 3 > 0 then 500 end, ${fixture.clock.now()}::timestamptz - n % 9 * interval '1 hour' from generate_series(1, 60) n`)
      },
    },
  ],
  approvals: [
    {
      action: 'merchantConfig.state',
      ask: fixture => asked(fixture, merchantConfig.state, { enabled: false }),
    },
    {
      action: 'merchantConfig.save',
      ask: async fixture => {
        const merchantNo = await added(fixture)
        const held = fixture.must(await fixture.call(merchantConfig.detail, { merchantNo }, { as: fixture.boss }))
        const names = ['contractStart', 'contractEnd', 'contactEmail', 'contactPhone', 'environment'] as const
        const kept = Object.fromEntries(names.map(name => [name, held[name]]))
        const { contractNo, version } = held
        const owing = { settlementMode: 'postpaid', creditFloor: '-5000.00', lowBalance: '0.00' }
        const input = { merchantNo, version, contractNo, ...kept, ...owing }
        return String((await done(fixture, merchantConfig.save, input)).approvalNo)
      },
    },
    {
      action: 'merchantConfig.callback',
      ask: fixture =>
        asked(fixture, merchantConfig.callbackSave, {
          callbackUrl: 'https://partner.example/mkopo',
          callbackEvents: ['order.status'],
        }),
    },
  ],
  records: [
    {
      fields: ['callbackNo', 'callbackNos'],
      table: 'merchant_callback',
      key: 'callback_no',
      make: dead,
      owners: sql`select callback_no as no, merchant_no, null::text[] as holders from merchant_callback`,
      unheld: true,
    },
  ],
  calls: Object.values(merchantConfig)
    .filter(call => !('row' in call) && call !== merchantConfig.resend)
    .map(call => ({ call: call as Endpoint, about })),
})

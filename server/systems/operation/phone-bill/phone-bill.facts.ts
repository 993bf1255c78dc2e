import { sql } from 'kysely'
import { businessConfigs } from '../../../../core/contract/common/business-config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { countOf, many, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { named } from '../../../testing/order-lists.ts'
import { none, refused } from '../../after-loan/payout/payout-fixture.ts'
import { applied, asked, collectorOf, failed, ofBill, proves, sent, sentAgain } from './phone-bill-made.facts.ts'

const { businessConfig, phoneBill } = contract
const about = 'is about people within the data rule, not about a merchant'
const day = 86_400_000
let caps = 0
const sends = [
  'drop index if exists gateway_attempt_running',
  'alter table gateway_attempt drop constraint if exists gateway_attempt_pkey cascade',
  'alter table gateway_attempt drop constraint if exists gateway_attempt_gateway_ref_key',
]

/** What one person says by a statement became of airtime. */
const said = async (fixture: Fixture, no: string, result: 'success' | 'failure', as: Person) => {
  const time = fixture.clock.now().getTime() - (result === 'failure' ? day : 0)
  const statementDate = new Date(time).toISOString().slice(0, 10)
  const serial = result === 'success' ? { serialNo: `AM-${no}` } : {}
  return ofBill(fixture, no, { result, statementDate, evidence: await fixture.uploaded(as), ...serial })
}

export default facts({
  machines: {
    phoneRecharge: {
      row: {
        phoneBillNo: 'PB1',
        userNo: 'U1',
        purposeMonth: '2026-03',
        batchNo: 'PA1',
        batchRow: 1,
        post: 'collector',
        phone: '256772000031',
        network: 'mtn',
        amount: 10000,
        monthCap: 30000,
        makerNo: 'U1',
        makerName: 'Person U1',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  commands: [
    {
      call: phoneBill.approve,
      make: async fixture => {
        const no = await applied(fixture)
        return { no, input: { phoneBillNos: [no] } }
      },
      race: { drop: sends },
    },
    {
      call: phoneBill.reject,
      make: async fixture => {
        const no = await applied(fixture)
        return { no, input: { phoneBillNos: [no], reason: 'not this month' } }
      },
    },
    {
      call: phoneBill.retry,
      make: async fixture => {
        const no = await failed(fixture)
        return { no, input: { phoneBillNos: [no] } }
      },
      race: { drop: sends },
    },
    {
      call: phoneBill.confirm,
      make: async fixture => {
        const no = await sent(fixture)
        await fixture.pass(31)
        const [third, fourth] = [await fixture.reviewer(), await fixture.reviewer()]
        await done(fixture, phoneBill.confirm, await said(fixture, no, 'success', third), third)
        return { no, input: await said(fixture, no, 'success', fourth), as: fourth }
      },
      race: { alsoBy: 'a file that shows why belongs to one record, once' },
    },
  ],
  beginnings: [{ call: phoneBill.submit, input: asked }],
  ways: [
    way('the vendor is silent about airtime, and says later that it was delivered, twice', async fixture => {
      const no = await sent(fixture, none)
      await proves(fixture, no, 'paid')
      await proves(fixture, no, 'paid')
    }),
    way('two persons of finance confirm that airtime arrived, and that other never did', async fixture => {
      const [arrived, never] = [await sent(fixture), await sent(fixture)]
      await fixture.pass(25 * 60)
      const people = [await fixture.reviewer(), await fixture.reviewer()]
      for (const as of people) await done(fixture, phoneBill.confirm, await said(fixture, arrived, 'success', as), as)
      for (const as of people) await done(fixture, phoneBill.confirm, await said(fixture, never, 'failure', as), as)
    }),
    way('failed airtime was delivered after all: before and after the next send', async fixture => {
      await proves(fixture, await failed(fixture), 'paid')
      await proves(fixture, await sentAgain(fixture), 'paid', 1)
      await proves(fixture, await sentAgain(fixture, refused()), 'paid', 1)
      const both = await sentAgain(fixture)
      await proves(fixture, both, 'paid', 2)
      await proves(fixture, both, 'paid', 1)
    }),
  ],
  approvals: [
    {
      action: 'businessConfig.PHONE_BILL_CAPS',
      ask: async fixture => {
        const configKey = 'PHONE_BILL_CAPS' as const
        const { version } = await done(fixture, businessConfig.get, { configKey })
        const value = { ...businessConfigs.PHONE_BILL_CAPS.plain, finance: `${20_000 + ++caps}.00` }
        return String((await done(fixture, businessConfig.update, { configKey, version, value })).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: phoneBill.page,
      key: 'phoneBillNo',
      of: 'company',
      coarse: ['runningMinutes'],
      fill: async fixture => {
        const no = await applied(fixture)
        const changes = `jsonb_build_object(${prefixed('phone_bill_no', 'batch_no')}, ${at('created_time')}, ${maybe('finish_time', `x.created_time + n % 4 * interval '1 hour'`)}, 'amount', 1000 + n % 4 * 500, 'phone_bill_status', (array['success', 'rejected', 'success'])[1 + n % 3], 'network', (array['mtn', 'airtel', 'other'])[1 + n % 3], 'purpose_month', (array['2026-02', '2026-03', '2025-12'])[1 + n % 3], 'serial_no', case when n % 2 = 0 then 'AS' || n end)`
        await copied(fixture, 'phone_recharge', `phone_bill_no = '${no}'`, changes)
      },
      means: {
        phoneBillNo: named('phoneBillNo'),
        purposeMonth: (row, [from, to]: [string | null, string | null]) =>
          (!from || String(row.purposeMonth) >= from.slice(0, 7)) &&
          (!to || String(row.purposeMonth) <= to.slice(0, 7)),
        jobNo: (row, text: string) => String(row.jobNo).toLowerCase() === text.trim().toLowerCase(),
      },
      holds: {
        key: 'phoneBillNo',
        query: sql`select p.*, u.dept_no from phone_recharge p join app_user u using (user_no)`,
      },
    },
  ],
  records: [
    {
      fields: ['phoneBillNo', 'phoneBillNos'],
      table: 'phone_recharge',
      key: 'phone_bill_no',
    },
  ],
  calls: [
    ...Object.values(phoneBill).map(call => ({ call: call as Endpoint, about })),
    { call: phoneBill.page.importing!.command, otherPerm: 'who applies for airtime may do so by a file' },
  ],
  races: [
    {
      name: 'airtime of a person in a month',
      rule: 'M63: no more than the cap of the month',
      available: 3,
      async make(fixture, parallel) {
        const userNo = await collectorOf(fixture)
        const input = await asked(fixture, { userNos: [userNo], remark: 'one more' })
        return {
          tries: many(parallel, () => () => fixture.ask(phoneBill.submit, input, { as: fixture.boss })),
          taken: () => countOf(fixture, sql`select 1 from phone_recharge where user_no = ${userNo}`),
        }
      },
      at: /select 1 from app_user u where u\.user_no = any\(.*for no key update/,
      kept: { by: rowsAndVersions },
    },
  ],
})

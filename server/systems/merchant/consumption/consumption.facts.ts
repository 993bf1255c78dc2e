import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type MerchantNo, way } from '../../../testing/facts.ts'
import { named } from '../../../testing/order-lists.ts'
import { consume } from './index.ts'

const { consumption, consumptionType } = contract

let subjects = 0
/** Something that a merchant used now. */
const uses = (fixture: Fixture, merchantNo: MerchantNo, quantity = 3) =>
  fixture.db.withTx(tx =>
    consume(tx, { meter: 'robot_call_minute', subjectNo: `RB${++subjects}`, merchantNo, quantity }),
  )

const chargeable = async (fixture: Fixture) => {
  const there = await fixture.rows(sql`select 1 from consumption_type where meter = 'robot_call_minute'`)
  if (there.length > 0) return
  const typeName = { zh: '机器人', en: 'Robot', sw: 'Roboti' }
  const input = { typeCode: 'robot', meter: 'robot_call_minute', typeName, unit: 'minute', prepaidRequired: false }
  const { key: typeNo } = await done(fixture, consumptionType.save, input)
  await done(fixture, consumptionType.state, { typeNo, enabled: true, version: 0 } as never)
}

/** A record of today, which grows. */
const accruing = async (fixture: Fixture, merchantNo: MerchantNo = 'M1'): Promise<string> => {
  await chargeable(fixture)
  await uses(fixture, merchantNo)
  await fixture.tick('consumption.accrue')
  const today = eatDate(fixture.clock.now())
  return (
    await fixture.one(sql<{ no: string }>`
      select r.consumption_no as no from consumption_record r join consumption_type t using (type_no)
      where r.merchant_no = ${merchantNo} and r.business_date = ${today} and t.meter = 'robot_call_minute'`)
  ).no
}

/** A record of a day that is over. */
const posted = async (fixture: Fixture, merchantNo: MerchantNo = 'M1'): Promise<string> => {
  const no = await accruing(fixture, merchantNo)
  await fixture.pass(24 * 60)
  await fixture.tick('consumption.post')
  return no
}

const giveBack = async (fixture: Fixture, consumptionNo: string, quantity = 1) => ({
  consumptionNo,
  version: await fixture.versionOf('consumptionRecord', consumptionNo),
  quantity,
  reason: 'charged twice',
  evidence: await fixture.uploaded(),
})
const asked = async (fixture: Fixture, no: string, quantity?: number) =>
  String((await done(fixture, consumption.reverse, await giveBack(fixture, no, quantity))).approvalNo)

export default facts({
  machines: {
    consumptionRecord: {
      row: {
        consumptionNo: 'CS1',
        merchantNo: 'M1',
        typeNo: 'CTW',
        unitPrice: 0,
        businessDate: '2026-03-02',
        quantity: 1,
        consumptionAmount: 0,
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  around: async tx => {
    await tx.exec(sql`
      insert into consumption_type (type_no, enabled, type_code, type_name, meter, unit, created_time, updated_by, updated_time)
      values ('CTW', 'disabled', 'around', '{}', 'call_minute', 'minute', ${tx.now}, 'system', ${tx.now}) on conflict do nothing`)
  },
  commands: [
    {
      call: consumption.reverse,
      make: async fixture => {
        const no = await posted(fixture)
        return { no, input: await giveBack(fixture, no) }
      },
      fires: { machine: 'M74', event: 'approval.submit', why: 'a second person gives it back' },
      race: {
        drop: ['drop index if exists approval_pending'],
        alsoBy: 'a file that shows why belongs to one record, once',
      },
    },
  ],
  approvals: [{ action: 'consumption.reverse', ask: async fixture => asked(fixture, await posted(fixture)) }],
  lists: [
    {
      list: consumption.page,
      key: 'consumptionNo',
      fill: async fixture => {
        const no = await posted(fixture)
        const changes = `jsonb_build_object(${prefixed('consumption_no')}, 'business_date', x.business_date - n, 'consumption_status', (array['posted', 'accruing'])[1 + n % 2], 'posted_time', case when n % 2 = 0 then x.posted_time end, 'quantity', 1 + n % 4, 'reversed_quantity', 0, ${maybe('balance_after', 'n % 4')})`
        await copied(fixture, 'consumption_record', `consumption_no = '${no}'`, changes)
      },
      means: { consumptionNo: named('consumptionNo') },
    },
    {
      list: consumption.events,
      key: 'eventNo',
      ownedBy: 'consumptionNo',
      fill: async fixture => {
        const no = await accruing(fixture)
        const changes = `jsonb_build_object('event_no', 100000 + n, ${prefixed('subject_no')}, ${at('event_time')})`
        await copied(
          fixture,
          'consumption_event',
          `event_no = (select min(event_no) from consumption_event where consumption_no = '${no}')`,
          changes,
        )
      },
    },
  ],
  records: [
    {
      fields: ['eventNo'],
      table: 'consumption_event',
      key: 'event_no',
      owners: sql`select event_no::text as no, merchant_no, null::text[] as holders from consumption_event`,
      unheld: true,
    },
    {
      fields: ['consumptionNo'],
      table: 'consumption_record',
      key: 'consumption_no',
      make: accruing,
      owners: sql`select consumption_no as no, merchant_no, null::text[] as holders from consumption_record`,
      unheld: true,
    },
  ],
  ways: [
    way('what was used is counted twice, posted, and given back in two parts', async fixture => {
      const no = await accruing(fixture)
      await uses(fixture, 'M1')
      await fixture.tick('consumption.accrue')
      await fixture.pass(24 * 60)
      await fixture.tick('consumption.post')
      const { quantity } = await fixture.one(
        sql<{ quantity: number }>`select quantity from consumption_record where consumption_no = ${no}`,
      )
      await fixture.agree(await asked(fixture, no, 1))
      await fixture.agree(await asked(fixture, no, quantity - 1))
    }),
  ],
  calls: [
    { call: consumption.summary, about: 'adds up what the reader sees; asked for in the test of the noun' },
    { call: consumption.dearest, about: 'lists what the reader sees; asked for in the test of the noun' },
    { call: consumption.statement, about: 'the month of a merchant; asked for out of reach in the test of the noun' },
    { call: consumption.statementFile, about: 'the same as a file' },
  ],
})

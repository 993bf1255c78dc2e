import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { holdersOf } from '../../../testing/order-lists.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { lateFeed } from './jobs.ts'

const { nameList } = contract
let made = 0
const phone = () => `25677${String(1_000_000 + ++made)}`
const effects = { black: 'refuse', grey: 'review', white: 'skip' } as const
type Kind = keyof typeof effects

/** A list of phones, in force. */
const listOf = async (fixture: Fixture, listKind: Kind, change: object = {}): Promise<string> => {
  const form = { nameListName: `List ${++made}`, listEffect: effects[listKind], defaultMonths: 12, ...change }
  const asked = { dimension: 'phone', listKind, ...form }
  const { key } = await done(fixture, nameList.save, asked)
  await done(fixture, nameList.state, { nameListNo: key, enabled: true, version: 0 })
  return String(key)
}

const addTo = async (fixture: Fixture, listKind: Kind, change: object = {}, ofList: object = {}) => {
  const nameListNo = await listOf(fixture, listKind, ofList)
  const evidence = listKind === 'black' ? { evidenceFile: await readyFile(fixture.db, fixture.boss.userNo) } : {}
  const answer = await done(fixture, nameList.add, {
    nameListNo,
    values: phone(),
    reasonCode: 'fraud',
    ...evidence,
    ...change,
  })
  return { nameListNo, approvalNo: answer.approvalNo }
}

const entryOf = async (fixture: Fixture, nameListNo: string): Promise<string> => {
  const { no } = await fixture.one(
    sql<{
      no: string
    }>`select item_no as no from name_list_item where name_list_no = ${nameListNo} order by created_time desc limit 1`,
  )
  return no
}
const entry = async (fixture: Fixture, kind: Kind, change: object = {}, ofList: object = {}) =>
  entryOf(fixture, (await addTo(fixture, kind, change, ofList)).nameListNo)

const inHours = (fixture: Fixture, hours: number) =>
  new Date(fixture.clock.now().getTime() + hours * 3_600_000).toISOString()

/** Asks for the removal of an entry of a black list. */
const removal = async (fixture: Fixture): Promise<string> => {
  const itemNo = await entry(fixture, 'black')
  await done(fixture, nameList.removeItems, { itemNos: [itemNo], reason: 'it was somebody else' })
  const { no } = await fixture.one(
    sql<{
      no: string
    }>`select approval_no as no from approval where object_no = ${itemNo} and approval_status = 'pending'`,
  )
  return no
}

export default facts({
  machines: {
    nameListItem: {
      row: {
        itemNo: 'NI1',
        nameListNo: 'NLF',
        valueHash: 'hash',
        valueSealed: 'sealed',
        displayValue: '25********78',
        reasonCode: 'fraud',
        listSource: 'manual',
        createdBy: 'U1',
        createdByName: 'Person U1',
        createdTime: '2026-03-02T07:00:00Z',
        expireTime: '2027-03-02T07:00:00Z',
      },
    },
  },
  around: tx =>
    tx
      .exec(sql`
      insert into name_list (name_list_no, enabled, name_list_name, list_kind, dimension, list_effect, default_months, created_time, updated_by, updated_time)
      values ('NLF', 'disabled', 'Fixture', 'grey', 'phone', 'review', 12, now(), 'U1', now()) on conflict do nothing`)
      .then(() => undefined),
  commands: [
    {
      call: nameList.extend,
      make: async fixture => {
        const no = await entry(fixture, 'grey', {}, { merchantNo: 'M1' })
        return { no, input: { itemNos: [no], expireTime: inHours(fixture, 400 * 24) } }
      },
      race: { again: true },
    },
    {
      call: nameList.removeItems,
      make: async fixture => {
        const no = await entry(fixture, 'grey', {}, { merchantNo: 'M1' })
        return { no, input: { itemNos: [no], reason: 'asked by the customer' } }
      },
    },
  ],
  beginnings: [
    {
      call: nameList.add,
      input: async fixture => ({ nameListNo: await listOf(fixture, 'grey'), values: phone(), reasonCode: 'other' }),
    },
    {
      call: nameList.items.importing!.command,
      input: async fixture => {
        const bytes = Buffer.from(
          `nameListNo,listValue,reason,remark\n${await listOf(fixture, 'grey')},${phone()},fraud,\n`,
        )
        return { uploadNo: await fixture.uploaded(fixture.boss, { purpose: 'import', fileName: 'list.csv', bytes }) }
      },
    },
  ],
  ways: [
    way('an entry of a list ends, is extended and is taken away', async fixture => {
      const short = { expireTime: inHours(fixture, 1) }
      const [itemNo, gone] = [await entry(fixture, 'grey', short), await entry(fixture, 'grey', short)]
      await fixture.pass(2 * 60)
      await fixture.tick('listExpire')
      await done(fixture, nameList.extend, { itemNos: [itemNo], expireTime: inHours(fixture, 48) })
      await done(fixture, nameList.removeItems, { itemNos: [gone], reason: 'over' })
    }),
    way('a customer comes onto the list of late payers and leaves it', async fixture => {
      await fixture.disbursed()
      const nameListNo = await listOf(fixture, 'grey', { dimension: 'customerNo' })
      const feeds = (key: string | null) =>
        fixture.exec(sql`update name_list set feed_key = ${key} where name_list_no = ${nameListNo}`)
      const late = (days: number) =>
        fixture.exec(sql`update loan_order set overdue_days = ${days} where order_status = 'funds_disbursed'`)
      await feeds(lateFeed)
      await late(61)
      await fixture.tick('listFeed')
      await late(0)
      await fixture.tick('listFeed')
      // One of them ends before it leaves.
      await late(61)
      await fixture.tick('listFeed')
      await fixture.exec(
        sql`update name_list_item set expire_time = ${inHours(fixture, 0)} where name_list_no = ${nameListNo} and item_status = 'active'`,
      )
      await fixture.tick('listExpire')
      await late(0)
      await fixture.tick('listFeed')
      await feeds(null)
    }),
  ],
  approvals: [
    { action: 'nameListItem.add', ask: async fixture => String((await addTo(fixture, 'white')).approvalNo) },
    { action: 'nameListItem.remove', ask: removal },
  ],
  lists: [
    {
      list: nameList.page,
      key: 'nameListNo',
      of: 'company',
      fill: async fixture => {
        const nameListNo = await listOf(fixture, 'grey')
        const changes = `jsonb_build_object(${prefixed('name_list_no')}, 'name_list_name', 'List copy ' || n, ${at('updated_time')}, 'dimension', (array['phone', 'deviceId'])[1 + n % 2], 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
        await copied(fixture, 'name_list', `name_list_no = '${nameListNo}'`, changes)
      },
      means: {
        nameListName: (row, text: string) => String(row.nameListName).toLowerCase().includes(text.toLowerCase()),
      },
    },
    {
      list: nameList.items,
      key: 'itemNo',
      of: 'company',
      fill: async fixture => {
        const itemNo = await entry(fixture, 'grey')
        const changes = `jsonb_build_object(${prefixed('item_no')}, 'value_hash', x.value_hash || n, ${at('created_time')}, ${at('expire_time')}, 'times_hit', n % 4, 'reason_code', (array['fraud', 'court', 'other'])[1 + n % 3])`
        await copied(fixture, 'name_list_item', `item_no = '${itemNo}'`, changes)
      },
      // Nothing of a value is shown that it could be found by.
      means: { listValue: () => false },
    },
    {
      list: nameList.hits,
      key: 'listHitNo',
      ownedBy: 'orderNo',
      fill: async (fixture, { waiting, paid }) => {
        const itemNo = await entry(fixture, 'grey')
        for (const orderNo of [waiting, paid])
          await fixture.exec(sql`
            insert into name_list_item select (jsonb_populate_record(x, jsonb_build_object('item_no', x.item_no || ${orderNo} || n, 'value_hash', x.value_hash || ${orderNo} || n))).*
            from name_list_item x, generate_series(1, 25) n where x.item_no = ${itemNo}`)
        for (const orderNo of [waiting, paid])
          await fixture.exec(sql`
            insert into name_list_hit (list_hit_no, item_no, order_no, list_effect, hit_at)
            select ${`NH${orderNo}`} || n, ${itemNo} || ${orderNo} || n, ${orderNo}, (array['review', 'flag'])[1 + n % 2], ${fixture.clock.now()}::timestamptz - make_interval(hours => n % 5) from generate_series(1, 25) n`)
      },
    },
  ],
  records: [
    { fields: ['nameListNo'], table: 'name_list', key: 'name_list_no' },
    { fields: ['itemNo', 'itemNos'], table: 'name_list_item', key: 'item_no' },
    {
      fields: ['listHitNo'],
      table: 'name_list_hit',
      key: 'list_hit_no',
      make: async (fixture, _, { orderNo }) => {
        const itemNo = await entry(fixture, 'grey')
        const listHitNo = `NH${orderNo}`
        await fixture.exec(sql`
          insert into name_list_hit (list_hit_no, item_no, order_no, list_effect, hit_at)
          values (${listHitNo}, ${itemNo}, ${orderNo}, 'review', ${fixture.clock.now()})`)
        return listHitNo
      },
      owners: sql`select h.list_hit_no as no, o.merchant_no, ${holdersOf} as holders from name_list_hit h join loan_order o using (order_no)`,
    },
  ],
  calls: Object.values(nameList)
    .filter(call => !('row' in call) || call.path !== nameList.hits.path)
    .map(call => ({
      call: call as never,
      about: 'lists for all are ours; those of a merchant are asked for in the test of the noun',
    })),
})

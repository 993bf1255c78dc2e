import { sql } from 'kysely'
import { nameLists } from '../../../core/contract/risk/name-list.ts'
import type { ListDimension } from '../../../core/rules/text/name-list.ts'
import { addDays, startOfEatDay } from '../../../core/rules/time.ts'
import type { Database, Tx } from '../../db/database.ts'
import { newNo } from '../../money/numbers.ts'
import { type Actor, system } from '../../rights/actor.ts'
import { create, transition } from '../../states/transition.ts'
import { feed, lateFeed } from '../../systems/risk/name-list/jobs.ts'
import { lookAt, type NameList, putOn } from '../../systems/risk/name-list/store.ts'
import { type ListValues, listValues } from '../../systems/risk/name-list/value.ts'
import { randomFrom } from '../random.ts'

const lists = [
  ['FRAUD_PHONE', 'black', 'phone', 'refuse', 'fraud', 140],
  ['FRAUD_DEVICE', 'black', 'deviceId', 'refuse', 'fraud', 80],
  ['STAFF_RELATED', 'black', 'idNumber', 'review', 'staff_related', 12],
  ['SHARED_WALLET', 'grey', 'walletAccount', 'review', 'identity_misuse', 60],
  ['PARTNER_WATCH', 'grey', 'phone', 'flag', 'other', 100],
  ['TRUSTED', 'white', 'phone', 'skip', 'trusted', 40],
] as const

/** Phones that a partner asked to watch a month ago, and the orders that have met them since: a flag changes no decision. */
const writeHits = async (tx: Tx, values: ListValues, actor: Actor): Promise<void> => {
  const list = await tx.one(sql<NameList>`select * from name_list where name_list_name = 'PARTNER_WATCH'`)
  const met = await tx.rows(sql<{ orderNo: string; phone: string; machineTime: string }>`
    select distinct on (oc.phone) o.order_no, oc.phone, o.machine_time
    from loan_order o join order_customer oc on oc.customer_no = o.customer_no and oc.merchant_no = o.merchant_no
    where o.machine_time > ${tx.now}::timestamptz - interval '20 days'
    order by oc.phone, o.machine_time desc limit 15`)
  for (const { orderNo, phone, machineTime } of met) {
    const found = await lookAt(tx, values, list, phone)
    if (found.outcome !== 'added') continue
    const itemNo = await putOn(tx, values, list, found, { reasonCode: 'other', listSource: 'manual' }, actor)
    await tx.flush()
    await tx.exec(sql`
      update name_list_item set created_time = ${tx.now}::timestamptz - interval '30 days', times_hit = 1, last_hit = ${machineTime} where item_no = ${itemNo}`)
    tx.append('nameListHit', {
      listHitNo: newNo('NH', tx.now),
      itemNo,
      orderNo,
      listEffect: 'flag',
      hitAt: machineTime,
    })
  }
}

/** Lists of a lender that has been at it for a while, with entries that end soon, and one that a feed fills. */
const writeNameLists = async (tx: Tx, secretKey: Buffer): Promise<void> => {
  const [actor, random] = [system('demo'), randomFrom(77)]
  const values = listValues(secretKey)
  const newList = async (list: NameList & { listEffect: string }) => {
    const item = { ...list, createdTime: tx.now, updatedBy: actor.no, updatedTime: tx.now }
    await create(tx, nameLists.machine, item, { event: 'item.create' }, actor)
    await transition(
      tx,
      nameLists.machine,
      { ...item, enabled: 'disabled', version: 0 },
      { event: 'item.enable' },
      actor,
    )
  }
  const digits = (n: number) => Array.from({ length: n }, () => random.int(0, 9)).join('')
  const drawn: Partial<Record<ListDimension, () => string>> = {
    phone: () => `25679${digits(7)}`,
    walletAccount: () => `25674${digits(7)}`,
    deviceId: () => `DEV-${digits(10)}`,
    idNumber: () => `CM${digits(8)}X${digits(3)}`,
  }
  const base = { merchantNo: null, defaultMonths: 12 }
  await newList({
    ...base,
    nameListNo: 'NL-LATE',
    nameListName: 'LATE_BEFORE',
    listKind: 'grey',
    dimension: 'customerNo',
    listEffect: 'review',
    feedKey: lateFeed,
  })
  for (const [at, [nameListName, listKind, dimension, listEffect, reasonCode, count]] of lists.entries()) {
    const list = { ...base, nameListNo: `NL-${at + 1}`, nameListName, listKind, dimension, listEffect, feedKey: null }
    await newList(list)
    await tx.flush()
    for (let n = 0; n < count; n++) {
      const found = await lookAt(tx, values, list, drawn[dimension]?.() ?? '')
      if (found.outcome !== 'added') continue
      const expireTime = n % 20 === 0 ? startOfEatDay(addDays(tx.today, 1 + (n % 6))) : null
      await putOn(tx, values, list, found, { reasonCode, listSource: 'manual', expireTime }, actor)
    }
  }
  // The same phone on a black and on a white list.
  const both = '256790000001'
  for (const no of ['NL-1', 'NL-6']) {
    const list = await tx.one(sql<NameList>`select * from name_list where name_list_no = ${no}`)
    const found = await lookAt(tx, values, list, both)
    if (found.outcome === 'added')
      await putOn(tx, values, list, found, { reasonCode: 'other', listSource: 'manual' }, actor)
  }
  await writeHits(tx, values, actor)
  await feed(values).run(tx, { date: tx.today })
}

/** Writes them where there are none yet: they are sealed with the key of the installation, which the filling does not know. */
export const keepNameLists = (db: Database, secretKey: Buffer): Promise<void> =>
  db.withTx(async tx => {
    if (!(await tx.maybe(sql`select 1 from name_list limit 1`))) await writeNameLists(tx, secretKey)
  })

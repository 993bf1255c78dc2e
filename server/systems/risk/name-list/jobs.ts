import { sql } from 'kysely'
import type { Scheduled } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { type Item, lookAt, type NameList, putOn, takeOff } from './store.ts'
import type { ListValues } from './value.ts'

/** Entries whose time is over, at the start of the EAT day. */
export const expiry: Scheduled = {
  job: 'listExpire',
  every: { dailyAt: '00:05' },
  async run(tx, { date }) {
    const due = await tx.rows(
      sql<Item>`select * from name_list_item where item_status = 'active' and expire_time <= ${tx.now} order by item_no limit 5000 for update`,
    )
    const actor = system(`listExpire ${date}`)
    for (const item of due) await transition(tx, 'nameListItem', item, { event: 'clock.expire' }, actor)
    return { expired: due.length }
  },
}

/** Days overdue from which a customer is looked at again. */
export const lateDays = 60
/** The feed of customers who are that late. */
export const lateFeed = 'late60'

/** Customers more than 60 days overdue come onto the list that they are fed to, and leave it once they are not. */
export const feed = (values: ListValues): Scheduled => ({
  job: 'listFeed',
  every: { dailyAt: '03:00' },
  async run(tx, { date }) {
    const counts = { added: 0, removed: 0 }
    const list = await tx.maybe(sql<NameList>`
      select * from name_list where feed_key = ${lateFeed} and enabled = 'enabled' and deleted_time is null`)
    if (!list) return counts
    const actor = system(`listFeed ${date}`)
    const late = await tx.rows(sql<{ customerNo: string }>`
      select distinct customer_no from loan_order where order_status = 'funds_disbursed' and overdue_days > ${lateDays} order by customer_no`)
    for (const { customerNo } of late) {
      const found = await lookAt(tx, values, list, customerNo)
      if (found.outcome !== 'added') continue
      await putOn(tx, values, list, found, { reasonCode: 'bad_debt', listSource: 'feed' }, actor)
      counts.added++
    }
    const still = new Set(late.map(({ customerNo }) => values.hash('customerNo', customerNo.toUpperCase())))
    const fed = await tx.rows(sql<Item>`
      select * from name_list_item where name_list_no = ${list.nameListNo} and list_source = 'feed' and item_status in ('active', 'expired') for update`)
    for (const item of fed.filter(one => !still.has(one.valueHash))) {
      await takeOff(tx, item, 'not late any more', 'system', actor)
      counts.removed++
    }
    return counts
  },
})

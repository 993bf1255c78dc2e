import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { countOf, many, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { done } from '../../../testing/acts.ts'
import { facts, type House, way } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { ofOrders, orderRows } from '../../../testing/order-lists.ts'

const { audit } = contract

const active = sql`audit_task_status in ('assigned', 'opened')`

const auditors = new WeakMap<House, Promise<Person[]>>()
/** People who may be given orders; those with a small queue come first. */
const auditorsOf = (house: House): Promise<Person[]> => {
  const known = auditors.get(house)
  if (known) return known
  const made = Promise.all(many(3, () => house.reviewer({ perms: [] })))
  auditors.set(house, made)
  return made
}

const handedTo = (house: House, orderNo: string, to: Person, force = false) =>
  done(house, audit.allot, { orderNos: [orderNo], auditorNos: [to.userNo], force })

export default facts({
  commands: [
    {
      call: audit.allot,
      make: async house => {
        const no = await house.queueUp()
        const { userNo } = await house.reviewer({ perms: [], merchants: ['M2', 'M1'] })
        return { no, input: { orderNos: [no], auditorNos: [userNo] } }
      },
      race: { drop: ['drop index if exists audit_task_active'] },
    },
    {
      call: audit.unallot,
      make: async house => {
        const no = await house.allotted()
        return { no, input: { orderNos: [no] } }
      },
    },
  ],
  ways: [
    way('an order is handed to another auditor, before and after it was opened', async house => {
      const orderNo = await house.allotted()
      await handedTo(house, orderNo, house.second)
      await done(house, audit.open, { orderNo }, house.second)
      await done(house, audit.open, { orderNo }, house.second)
      await done(house, audit.open, { orderNo, force: true })
      await handedTo(house, orderNo, house.boss, true)
    }),
  ],
  lists: [
    {
      list: audit.allotList,
      key: 'orderNo',
      coarse: ['waitingMinutes'],
      means: ofOrders,
      holds: { key: 'orderNo', query: orderRows },
    },
  ],
  calls: [
    { call: audit.allot, needs: ({ as }) => ({ auditorNos: [as.userNo] }) },
    {
      call: audit.allotAuditors,
      leavesOut: ({ data }) => (data as { list: { eligible: number }[] }).list.every(row => row.eligible === 0),
    },
    { call: audit.autoAllot, about: 'takes what waits within the scope; its rows are those of the list' },
  ],
  races: [
    {
      name: 'an order that is handed over',
      rule: 'V21, M11: one auditor holds an order',
      available: 1,
      async make(house, parallel) {
        const orderNo = await house.queueUp()
        const people = await auditorsOf(house)
        const tries = many(parallel, i => () => {
          const { userNo } = people[i % people.length]!
          return house.call(audit.allot, { orderNos: [orderNo], auditorNos: [userNo] }, { as: house.boss })
        })
        const taken = () => countOf(house, sql`select 1 from audit_task where order_no = ${orderNo} and ${active}`)
        return { tries, taken }
      },
      kept: {
        by: rowsAndVersions,
        drop: ['drop index if exists audit_task_active'],
        at: /select o\.\* from loan_order/,
      },
    },
    {
      name: 'the queue of an auditor',
      rule: 'M11: no more orders than the queue takes',
      available: 3,
      async make(house, parallel) {
        const [person] = await auditorsOf(house)
        const { userNo } = person!
        const open = () => countOf(house, sql`select 1 from audit_task where auditor_no = ${userNo} and ${active}`)
        const before = await open()
        const orders: string[] = []
        for (let n = 0; n < 6; n++) orders.push(await house.queueUp())
        await house.exec(sql`update audit_person set queue_cap = ${before + 3} where user_no = ${userNo}`)
        return {
          tries: many(
            parallel,
            i => () =>
              house.call(audit.allot, { orderNos: [orders[i % 6]!], auditorNos: [userNo] }, { as: house.boss }),
          ),
          taken: async () => (await open()) - before,
          after: () =>
            house.exec(sql`update audit_person set queue_cap = 10000 where user_no = ${userNo}`).then(() => undefined),
        }
      },
      kept: { by: rowsAndVersions, at: /as open_count/ },
    },
  ],
})

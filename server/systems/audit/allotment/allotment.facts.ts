import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { countOf, many, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { done } from '../../../testing/acts.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { ofOrders, orderRows } from '../../../testing/order-lists.ts'

const { audit } = contract

const active = sql`audit_task_status in ('assigned', 'opened')`

const auditors = new WeakMap<Fixture, Promise<Person[]>>()
/** People who may be given orders; those with a small queue come first. */
const auditorsOf = (fixture: Fixture): Promise<Person[]> => {
  const known = auditors.get(fixture)
  if (known) return known
  const made = Promise.all(many(3, () => fixture.reviewer({ perms: [] })))
  auditors.set(fixture, made)
  return made
}

const handedTo = (fixture: Fixture, orderNo: string, to: Person, force = false) =>
  done(fixture, audit.allot, { orderNos: [orderNo], auditorNos: [to.userNo], force })

export default facts({
  commands: [
    {
      call: audit.allot,
      make: async fixture => {
        const no = await fixture.queueUp()
        const { userNo } = await fixture.reviewer({ perms: [], merchants: ['M2', 'M1'] })
        return { no, input: { orderNos: [no], auditorNos: [userNo] } }
      },
      race: { drop: ['drop index if exists audit_task_active'] },
    },
    {
      call: audit.unallot,
      make: async fixture => {
        const no = await fixture.allotted()
        return { no, input: { orderNos: [no] } }
      },
    },
  ],
  ways: [
    way('an order is handed to another auditor, before and after it was opened', async fixture => {
      const orderNo = await fixture.allotted()
      await handedTo(fixture, orderNo, fixture.second)
      await done(fixture, audit.open, { orderNo }, fixture.second)
      await done(fixture, audit.open, { orderNo }, fixture.second)
      await done(fixture, audit.open, { orderNo, force: true })
      await handedTo(fixture, orderNo, fixture.boss, true)
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
    { call: audit.autoSwitch, about: 'switches automatic allotment on or off for all who review' },
    { call: audit.allot, needs: ({ as }) => ({ auditorNos: [as.userNo] }) },
    {
      call: audit.allotAuditors,
      leavesOut: ({ data }) => (data as { list: { fitting: number }[] }).list.every(row => row.fitting === 0),
    },
    { call: audit.autoAllot, about: 'takes what waits within the scope; its rows are those of the list' },
  ],
  races: [
    {
      name: 'an order that is handed over',
      rule: 'V21, M11: one auditor holds an order',
      available: 1,
      async make(fixture, parallel) {
        const orderNo = await fixture.queueUp()
        const people = await auditorsOf(fixture)
        const tries = many(parallel, i => () => {
          const { userNo } = people[i % people.length]!
          return fixture.call(audit.allot, { orderNos: [orderNo], auditorNos: [userNo] }, { as: fixture.boss })
        })
        const taken = () => countOf(fixture, sql`select 1 from audit_task where order_no = ${orderNo} and ${active}`)
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
      async make(fixture, parallel) {
        const [person] = await auditorsOf(fixture)
        const { userNo } = person!
        const open = () => countOf(fixture, sql`select 1 from audit_task where auditor_no = ${userNo} and ${active}`)
        const before = await open()
        const orders: string[] = []
        for (let n = 0; n < 6; n++) orders.push(await fixture.queueUp())
        await fixture.exec(sql`update audit_person set queue_cap = ${before + 3} where user_no = ${userNo}`)
        return {
          tries: many(
            parallel,
            i => () =>
              fixture.call(audit.allot, { orderNos: [orders[i % 6]!], auditorNos: [userNo] }, { as: fixture.boss }),
          ),
          taken: async () => (await open()) - before,
          after: () =>
            fixture
              .exec(sql`update audit_person set queue_cap = 10000 where user_no = ${userNo}`)
              .then(() => undefined),
        }
      },
      kept: { by: rowsAndVersions, at: /as open_count/ },
    },
  ],
})

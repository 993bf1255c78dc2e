import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import type { Person } from '../../server/testing/kit.ts'
import { application, send } from '../../server/testing/partner.ts'
import type { House } from '../contract/house.ts'
import { countOf, many, type Resource, rows, rowsAndVersions, won } from './resource.ts'

const { audit, common, leave, loan } = contract

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

let applicants = 0

const applied = (house: House, n: number, body: unknown) => many(n, () => () => send(house, body))

export const reviewResources: Resource[] = [
  {
    name: 'the decision on what waits for a second person',
    rule: 'X30, M74: approved, rejected or withdrawn, by one person, once',
    available: 1,
    async make(house, parallel) {
      const { approvalNo } = await house.requested()
      const input = { approvalNo, version: 0 }
      const proof = { 'x-step-up': await house.stepUp(house.second) }
      const ways = [
        () => house.call(common.approve, input, { as: house.second, headers: proof }),
        () => house.call(common.reject, { ...input, reason: 'not so' }, { as: house.second }),
        () => house.call(common.withdraw, input, { as: house.boss }),
      ]
      return { tries: many(parallel, i => ways[i % ways.length]!) }
    },
    kept: { by: rowsAndVersions, at: /select \* from approval where approval_no/ },
  },
  {
    name: 'the request for a second person',
    rule: 'M74: one request of a kind waits for a record',
    available: 1,
    async make(house, parallel) {
      const { loanCode } = await house.disbursed()
      const version = await house.versionOf('loanCode', loanCode)
      const input = { loanCode, version, reason: 'wrong customer' }
      return {
        tries: many(parallel, () => () => house.call(loan.cancelPaid, input, { as: house.boss })),
        taken: () =>
          countOf(house, sql`select 1 from approval where object_no = ${loanCode} and approval_status = 'pending'`),
      }
    },
    kept: { by: rowsAndVersions, drop: ['drop index if exists approval_pending'] },
  },
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
    kept: { by: rowsAndVersions, drop: ['drop index if exists audit_task_active'], at: /select o\.\* from loan_order/ },
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
          i => () => house.call(audit.allot, { orderNos: [orders[i % 6]!], auditorNos: [userNo] }, { as: house.boss }),
        ),
        taken: async () => (await open()) - before,
        after: () =>
          house.exec(sql`update audit_person set queue_cap = 10000 where user_no = ${userNo}`).then(() => undefined),
      }
    },
    kept: { by: rowsAndVersions, at: /as open_count/ },
  },
  {
    name: 'the lease of a task',
    rule: 'X29, M11: one person has a task open',
    available: 1,
    async make(house, parallel) {
      const [holder] = await auditorsOf(house)
      const orderNo = await house.allotted('M1', holder)
      const people = [house.boss, house.second]
      return {
        tries: many(parallel, i => async () => {
          const as = people[i % 2]!
          return { ...(await house.call(audit.open, { orderNo }, { as })), text: as.userNo }
        }),
        taken: async told => new Set(told.filter(won).map(one => one.text)).size,
      }
    },
    kept: { by: rowsAndVersions, at: /select t\.\* from audit_task/ },
  },
  {
    name: 'a day of leave',
    rule: 'M72: leave of one person does not overlap',
    available: 1,
    async make(house, parallel) {
      const day = Date.parse('2026-06-01T06:00:00Z') + ++applicants * 86_400_000
      const [startTime, endTime] = [day, day + 3_600_000].map(at => new Date(at).toISOString())
      const input = { leaveType: 'annual' as const, startTime: startTime!, endTime: endTime! }
      return { tries: many(parallel, () => () => house.call(leave.apply, input, { as: house.boss })) }
    },
    kept: { by: rows, at: /from leave_apply\s+where user_no/ },
  },
  {
    name: 'the order behind a number of a partner',
    rule: 'M10: an application under one number is one order',
    available: 1,
    async make(house, parallel) {
      const body = application(90_000 + ++applicants)
      return {
        tries: applied(house, parallel, body),
        taken: () => countOf(house, sql`select 1 from loan_order where third_order_no = ${body.thirdOrderNo}`),
      }
    },
    at: /insert into idempotency/,
    kept: {
      by: rows,
      drop: [
        'alter table idempotency drop constraint if exists idempotency_pkey',
        'alter table loan_order drop constraint loan_order_merchant_no_third_order_no_key',
      ],
    },
  },
]

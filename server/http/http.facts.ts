import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import { countOf, many, rows } from '../../tests/races/resource.ts'
import { facts } from '../testing/facts.ts'

const { audit, leave } = contract
let days = 0

export default facts({
  races: [
    {
      name: 'the key of a command',
      rule: 'R1: one effect, and the same bytes for all',
      available: 1,
      async make(fixture, parallel) {
        const start = Date.parse('2027-01-04T06:00:00Z') + ++days * 86_400_000
        const [startTime, endTime] = [start, start + 3_600_000].map(at => new Date(at).toISOString())
        const input = { leaveType: 'annual', startTime, endTime }
        const key = randomUUID()
        const apply = () => fixture.ask(leave.apply, input, { as: fixture.second, key })
        return {
          tries: many(parallel, () => apply),
          taken: async all => new Set(all.map(one => one.text)).size,
        }
      },
      at: /insert into idempotency/,
      kept: { by: rows, drop: ['alter table idempotency drop constraint if exists idempotency_pkey'] },
    },
    {
      name: 'the key of a command on many rows',
      rule: 'R1: one effect, and the same bytes for all',
      available: 1,
      async make(fixture, parallel) {
        const orderNo = await fixture.queueUp()
        const key = randomUUID()
        const input = { orderNos: [orderNo], auditorNos: [fixture.second.userNo] }
        return {
          tries: many(parallel, () => () => fixture.ask(audit.allot, input, { as: fixture.boss, key })),
          taken: async all =>
            Math.max(
              new Set(all.map(one => one.text)).size,
              await countOf(fixture, sql`select 1 from audit_task where order_no = ${orderNo}`),
            ),
        }
      },
      at: /insert into idempotency/,
      kept: { by: rows, drop: ['alter table idempotency drop constraint if exists idempotency_pkey'] },
    },
  ],
})

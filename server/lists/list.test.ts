import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import { memberLevels } from '../../core/contract/order/levels.ts'
import { orderStatusTypes, statusesOfType } from '../../core/contract/order/order-filters.ts'
import { statesOf } from '../../core/rules/machines/machine.ts'
import { order as orderMachine } from '../../core/rules/machines/order/order.ts'
import { sum } from '../../core/rules/money.ts'
import { eatDate } from '../../core/rules/time.ts'
import { orderManageModule } from '../systems/audit/order-list/order-manage.ts'
import { type Kit, openKit, type Person } from '../testing/kit.ts'

/** Lists find the keys of many rows in another way than those of few: here, many begins early. */
const cap = vi.hoisted(() => 40)
vi.mock('../../core/contract/endpoint.ts', async original => ({
  ...(await original<typeof import('../../core/contract/endpoint.ts')>()),
  countCap: cap,
}))

type Row = {
  orderNo: string
  thirdOrderNo: string
  merchantNo: string
  orderStatus: string
  productNo: string
  loanAmount: string
  actualLoanAmount: string
  applyTime: string
  payoutTime: string | null
  auditTime: string | null
  auditorNo: string | null
  refuseCode: string | null
  overdue: boolean
  overdueDays: number
  customerName: string
  phone: string
  memberLevel: string
  appName: string
  holders: string[]
}

const { audit } = contract
const statuses = statesOf(orderMachine)
let kit: Kit
let rows: Row[]
const people: Record<string, { person: Person; sees: (row: Row) => boolean }> = {}

const orders = (auditors: readonly string[]) => sql`
  insert into loan_order (order_no, third_order_no, merchant_no, customer_no, order_status, product_no, terms, requested_amount, loan_amount, actual_loan_amount, term, installment_count, loan_kind,
    apply_time, status_time, audit_time, payout_time, auditor_no, refuse_code, overdue, overdue_days, payout_type, payout_subtype, cardholder_name)
  select 'LO' || lpad((n * 37 % 211)::text, 3, '0'), 'T' || n, 'M' || m, 'C' || (n * 7 % 30), (${[...statuses]}::text[])[1 + n * 5 % ${statuses.length}], 'P' || m, '{}', 0, (1 + n % 9) * 50000, (1 + n % 9) * 49999.5, 14, 2,
    case when n % 3 = 0 then 'first' else 'repeat' end, t, t, case when n % 4 > 0 then t + interval '1 hour' end, case when n % 2 = 0 then t + n % 3 * interval '1 day' end,
    case when n % 5 > 0 then (${[...auditors]}::text[])[1 + n % ${auditors.length}] end, case when n % 7 = 0 then 'RC' || n % 3 end, n % 6 = 0, n % 6 * (n % 4), 'wallet', 'mtn', 'Grace Nakato'
  from (select n, 1 + (n % 3 = 0)::int as m, timestamptz '2026-02-01 20:00Z' + n % 40 * interval '9 hours' as t from generate_series(1, 200) n) drawn`

beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [orderManageModule({} as never)] })
  const perms = ['audit:manage:page']
  const all = await kit.person({ perms, limit: 'all' })
  const org = await kit.person({ perms, limit: 'org_below', dept: 'D2' })
  const merchant = await kit.person({ perms, limit: 'own_merchants', merchants: ['M1'] })
  const dept = await kit.person({ perms, limit: 'dept', dept: 'D1' })
  const own = await kit.person({ perms, limit: 'own' })
  const floor = [all, merchant, dept, own].map(one => one.userNo)
  Object.assign(people, {
    all: { person: all, sees: () => true },
    org: { person: org, sees: (row: Row) => row.merchantNo === 'M2' },
    merchant: { person: merchant, sees: (row: Row) => row.merchantNo === 'M1' },
    dept: { person: dept, sees: (row: Row) => row.holders.some(no => floor.includes(no)) },
    own: { person: own, sees: (row: Row) => row.holders.includes(own.userNo) },
  })
  await kit.db.withTx(async tx => {
    await tx.exec(sql`
      insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, member_level, register_time)
      select 'C' || n, (array['Grace Nakato', 'grace 100%', 'GR_ce Okello', 'Moses Kato'])[1 + n % 4], 'CM' || n, '25677000000' || n % 9, 0, 0, 'V' || 1 + n % 4, ${tx.now} from generate_series(0, 29) n`)
    await tx.exec(orders([...floor, org.userNo]))
    await tx.exec(sql`
      insert into audit_task (audit_task_no, order_no, audit_task_status, auditor_no, audit_step, allot_time)
      select 'AT' || i || order_no, order_no, 'submitted', case when i = 1 then auditor_no else ${own.userNo} end, i, apply_time
      from loan_order cross join generate_series(1, 2) i where auditor_no is not null and (i = 1 or overdue)`)
  })
  rows = await kit.db.read(tx =>
    tx.rows(sql<Row>`
      select o.*, c.customer_name, c.phone, c.member_level, m.app_name, array(select auditor_no from audit_task t where t.order_no = o.order_no) as holders
      from loan_order o join customer c using (customer_no) join merchant m using (merchant_no)`),
  )
})
afterAll(() => kit.close())

type Filters = { [K in keyof typeof checks]?: never }
const within = <T extends string | number>(value: T | null, [from, to]: readonly [T | null, T | null]) =>
  value === null ? from === null && to === null : (from === null || value >= from) && (to === null || value <= to)
const onDays = (time: string | null, days: readonly [string | null, string | null]) =>
  within(time && eatDate(time), days)

/** What each filter means, said once more. */
const checks = {
  orderNo: (row: Row, text: string) => text.split(/[ ,]+/).includes(row.orderNo),
  customerName: (row: Row, text: string) => row.customerName.toLowerCase().startsWith(text.toLowerCase()),
  phone: (row: Row, phone: string) => row.phone === phone,
  merchantNo: (row: Row, list: string[]) => list.length === 0 || list.includes(row.merchantNo),
  orderStatus: (row: Row, list: string[]) => list.length === 0 || list.includes(row.orderStatus),
  orderStatusType: (row: Row, type: keyof typeof statusesOfType) =>
    (statusesOfType[type] as readonly string[]).includes(row.orderStatus),
  memberLevel: (row: Row, list: string[]) => list.length === 0 || list.includes(row.memberLevel),
  auditorNo: (row: Row, list: string[]) => list.length === 0 || list.includes(row.auditorNo ?? ''),
  refuseCode: (row: Row, code: string) => row.refuseCode === code,
  appName: (row: Row, name: string) => row.appName === name,
  overdue: (row: Row, overdue: boolean) => row.overdue === overdue,
  overdueDays: (row: Row, range: [number | null, number | null]) => within(row.overdueDays, range),
  loanAmount: (row: Row, [from, to]: [string | null, string | null]) =>
    within(Number(row.loanAmount), [from && Number(from), to && Number(to)] as never),
  applyTime: (row: Row, days: [string | null, string | null]) => onDays(row.applyTime, days),
  payoutTime: (row: Row, days: [string | null, string | null]) => onDays(row.payoutTime, days),
}

const range = <T>(value: fc.Arbitrary<T>) => fc.tuple(fc.option(value), fc.option(value))
const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 4 })
const number = fc.integer({ min: 0, max: 215 }).map(n => `LO${String(n).padStart(3, '0')}`)
const day = fc.integer({ min: 0, max: 24 }).map(n => `2026-02-${String(n + 1).padStart(2, '0')}`)
const filters = fc.record(
  {
    orderNo: fc.array(number, { minLength: 1, maxLength: 9 }).map(list => list.join(', ')),
    customerName: fc.constantFrom('gr', 'GRACE', 'grace 1', 'gr_', 'grace 100%', 'mo', 'ace'),
    phone: fc.integer({ min: 0, max: 9 }).map(n => `25677000000${n}`),
    merchantNo: some(['M1', 'M2', 'M9']),
    orderStatus: some(statuses),
    orderStatusType: fc.constantFrom(...orderStatusTypes.values),
    memberLevel: some(memberLevels.values),
    auditorNo: some(['U1', 'U2', 'U3', 'U5']),
    refuseCode: fc.constantFrom('RC0', 'RC1', 'RC7'),
    appName: fc.constantFrom('BodaCash', 'Nothing'),
    overdue: fc.boolean(),
    overdueDays: range(fc.integer({ min: 0, max: 16 })),
    loanAmount: range(fc.integer({ min: 0, max: 10 }).map(n => `${n * 50000}.00`)),
    applyTime: range(day),
    payoutTime: range(day),
  },
  { requiredKeys: [] },
)
/** Mostly few filters: with many there is nothing left to put in order. */
const fewFilters = fc
  .tuple(filters, some(Object.keys(checks)))
  .map(([all, names]) => Object.fromEntries(Object.entries(all).filter(([name]) => names.slice(0, 3).includes(name))))
const who = fc.constantFrom('all', 'all', 'org', 'merchant', 'dept', 'own')
const sort = fc.constantFrom(...audit.manageList.sort.flatMap(name => [name, `-${name}`]))

const kept = (name: string, given: Filters) =>
  rows
    .filter(row => people[name]?.sees(row))
    .filter(row =>
      Object.entries(given).every(([key, value]) => checks[key as keyof typeof checks](row, value as never)),
    )

const ordered = (found: readonly Row[], by: string) => {
  const name = by.replace('-', '') as 'applyTime' | 'payoutTime' | 'auditTime' | 'loanAmount' | 'overdueDays'
  const way = by.startsWith('-') ? -1 : 1
  const sorted = (row: Row) => (name === 'loanAmount' ? Number(row.loanAmount) : row[name])
  return [...found].sort((a, b) => {
    const [x, y] = [sorted(a), sorted(b)]
    if (x !== y && (x === null || y === null)) return x === null ? 1 : -1
    return way * (x === y ? (a.orderNo < b.orderNo ? -1 : 1) : x! < y! ? -1 : 1)
  })
}

describe('a list', () => {
  it('shows what filtering and sorting everything by hand shows, page by page', async () => {
    const asked = fc.record({
      name: who,
      given: fewFilters,
      sort,
      pageSize: fc.constantFrom(10, 20),
      pageNum: fc.integer({ min: 1, max: 22 }),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ name, given, sort: by, pageSize, pageNum }) => {
        const found = ordered(kept(name, given as Filters), by)
        const last = Math.ceil(found.length / pageSize) + 1
        const page = 1 + ((pageNum - 1) % Math.max(1, last))
        const input = { ...given, sort: by, pageSize, pageNum: page } as never
        const { code, data } = await kit.call(audit.manageList, input, { as: people[name]?.person })
        expect(code).toBe(0)
        expect(data.list.map(row => row.orderNo)).toEqual(
          found.slice((page - 1) * pageSize, page * pageSize).map(row => row.orderNo),
        )
        expect(data.total).toBe(Math.min(found.length, cap))
        for (const row of data.list) {
          const { customerName, appName, memberLevel } = rows.find(one => one.orderNo === row.orderNo) ?? {}
          expect(row).toMatchObject({ customerName, appName, memberLevel })
        }
      }),
      { numRuns: 300 },
    )
  })

  it('goes on from the rows of a page, both ways, while others come and go', async () => {
    const steps = fc.array(
      fc.record({
        back: fc.boolean(),
        flip: fc.uniqueArray(fc.integer({ min: 0, max: 199 }), { maxLength: 12 }),
      }),
      { minLength: 1, maxLength: 8 },
    )
    const current = () => kept('all', { overdue: false as never })
    const numbers = (found: readonly Row[], by: string) => ordered(found, by).map(row => row.orderNo)
    const rowOf = (orderNo: string | undefined) => rows.find(row => row.orderNo === orderNo) as Row
    await fc.assert(
      fc.asyncProperty(sort, steps, async (by, walk) => {
        const input = { overdue: false, sort: by as '-applyTime', pageSize: 10 } as const
        const as = people.all?.person
        let { data: page } = await kit.call(audit.manageList, input, { as })
        expect(page.list.map(row => row.orderNo)).toEqual(numbers(current(), by).slice(0, 10))
        for (const { back, flip } of walk) {
          const { next, previous } = page
          const way = back && previous ? { before: previous } : next ? { after: next } : null
          if (!way) break
          const from = rowOf('after' in way ? page.list.at(-1)?.orderNo : page.list[0]?.orderNo)
          for (const row of flip.map(at => rows[at] as Row)) {
            row.overdue = !row.overdue
            await kit.db.withTx(tx =>
              tx.exec(sql`update loan_order set overdue = ${row.overdue} where order_no = ${row.orderNo}`),
            )
          }
          page = (await kit.call(audit.manageList, { ...input, pageNum: 9, ...way }, { as })).data
          const all = numbers([...current().filter(row => row !== from), from], by)
          const place = all.indexOf(from.orderNo)
          const rest = 'after' in way ? all.slice(place + 1) : all.slice(0, place)
          const wanted = 'after' in way ? rest.slice(0, 10) : rest.slice(-10)
          expect(page.list.map(row => row.orderNo)).toEqual(wanted)
          if ('after' in way) expect(page.next === null).toBe(rest.length <= 10)
          else expect(page.previous === null).toBe(rest.length <= 10)
          if (wanted.length === 0) break
        }
      }),
      { numRuns: 40 },
    )
  })

  it('refuses a place of another order, one it did not give out, and two at once', async () => {
    const as = people.all?.person
    const given = { sort: '-applyTime', pageSize: 10 } as const
    const { next } = (await kit.call(audit.manageList, given, { as })).data
    const cursor = next as string
    const wrong = [
      { ...given, sort: 'applyTime' as const, after: cursor },
      { ...given, after: 'LO1' },
      { ...given, before: Buffer.from('["-applyTime",true,"no time","LO1"]').toString('base64url') },
      { ...given, after: Buffer.from('["-applyTime",true,7,"LO1"]').toString('base64url') },
      { ...given, after: cursor, before: cursor },
    ]
    for (const input of wrong) expect((await kit.call(audit.manageList, input, { as })).code).toBe(40001)
    expect((await kit.call(audit.manageList, { ...given, after: cursor }, { as })).code).toBe(0)
  })

  it('adds up what it shows, and counts the other statuses too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record({ name: who, given: fewFilters }), async ({ name, given }) => {
        const { orderStatus: _, orderStatusType: __, ...others } = given
        const found = kept(name, given as Filters)
        const byStatus: Record<string, number> = {}
        for (const row of kept(name, others as Filters))
          byStatus[row.orderStatus] = (byStatus[row.orderStatus] ?? 0) + 1
        const { data } = await kit.call(audit.manageSum, { filters: given }, { as: people[name]?.person })
        expect(data).toEqual({
          count: found.length,
          loanAmount: sum(found.map(row => row.loanAmount)),
          actualLoanAmount: sum(found.map(row => row.actualLoanAmount)),
          overdue: found.filter(row => row.overdue).length,
          byStatus,
        })
      }),
      { numRuns: 100 },
    )
  })
})

import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Session } from '../session/session.ts'
import { type Kit, openKit } from '../testing/kit.ts'
import type { Limit } from './held-rights.ts'
import { limitFor, orderHolder, scope } from './scope.ts'

/** Writes conditions as text. */
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

let kit: Kit
/** People of the head office (D0), of the review floor below it (D1), and of another floor (D2). */
let people: { head: string; mine: string; colleague: string; other: string }
beforeAll(async () => {
  kit = await openKit({ modules: [] })
  const of = async (dept: string) => (await kit.person({ perms: [], dept })).userNo
  people = { head: await of('D0'), mine: await of('D1'), colleague: await of('D1'), other: await of('D2') }
})
afterAll(() => kit.close())

/** Somebody of the review floor with two merchants, whose organisation has one more. */
const caller = (limit: Limit, more: Partial<Session> = {}) =>
  ({
    userNo: people.mine,
    deptNo: 'D1',
    deptsBelow: ['D1', 'D2'],
    merchants: ['M1', 'M2'],
    orgMerchants: ['M1', 'M3'],
    limitOf: new Map(),
    widest: limit,
    ...more,
  }) as unknown as Session

const holders = ['head', 'mine', 'colleague', 'other'] as const
/** What the caller sees of a row of each merchant in each hand, as `M1 mine`. */
const seen = async (session: Session, perm?: string) => {
  const rows = ['M1', 'M2', 'M3', 'M4'].flatMap(merchant =>
    holders.map(name => ({ merchant, holder: people[name], name })),
  )
  const found = await kit.db.read(tx =>
    tx.rows(
      sql<{ merchant: string; name: string }>`
      select o.merchant, o.name from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o (merchant text, holder text, name text)
      where ${scope(session, { merchant: 'o.merchant', holder: person => person(sql`o.holder`), ...(perm ? { perm } : {}) })}`,
    ),
  )
  return found.map(({ merchant, name }) => `${merchant} ${name}`).sort()
}
const each = (merchants: string[], names: readonly string[]) =>
  merchants.flatMap(m => names.map(name => `${m} ${name}`)).sort()

it.each<[Limit, string[], readonly string[]]>([
  ['all', ['M1', 'M2', 'M3', 'M4'], holders],
  ['org_below', ['M1', 'M3'], holders],
  ['own_merchants', ['M1', 'M2'], holders],
  ['dept_below', ['M1', 'M2'], ['mine', 'colleague', 'other']],
  ['dept', ['M1', 'M2'], ['mine', 'colleague']],
  ['own', ['M1', 'M2'], ['mine']],
])('the rule %s shows rows of %j in the hands of %j, and no other', async (limit, merchants, names) => {
  expect(await seen(caller(limit))).toEqual(each(merchants, names))
})

it('a caller who stands behind a partner sees the rows of its merchants only, whatever the rule says', async () => {
  expect(await seen(caller('all', { onlyMerchants: ['M2', 'M4'] }))).toEqual(each(['M2', 'M4'], holders))
  expect(await seen(caller('own', { onlyMerchants: ['M2', 'M4'] }))).toEqual(['M2 mine'])
  expect(await seen(caller('all', { onlyMerchants: [] }))).toEqual([])
})

it('a page has its own rule; where it has none, and for a single record, the widest holds', async () => {
  const session = caller('own_merchants', { limitOf: new Map<string, Limit>([['loan:page', 'own']]) })
  expect(limitFor(session, 'loan:page')).toBe('own')
  expect(limitFor(session, 'repay:page')).toBe('own_merchants')
  expect(limitFor(session)).toBe('own_merchants')
  expect(await seen(session, 'loan:page')).toEqual(each(['M1', 'M2'], ['mine']))
  expect(await seen(session)).toEqual(each(['M1', 'M2'], holders))
})

it('an order is held by the auditors of its tasks', () => {
  const condition = orderHolder('o')(userNo => sql`${userNo} = 'U1'`)
  const { sql: text } = condition.compile(compiler)
  expect(text).toBe(
    `exists (select 1 from audit_task held where held.order_no = "o"."order_no" and held.auditor_no = 'U1')`,
  )
})

import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Tx } from '../db/database.ts'
import { rightsNow } from '../session/session.ts'
import { openKit, type Person } from '../testing/kit.ts'

let kit: Awaited<ReturnType<typeof openKit>>
let person: Person
beforeAll(async () => {
  kit = await openKit({ modules: [], handmade: true })
})
afterAll(() => kit.close())
beforeEach(async () => {
  person = await kit.person({ perms: ['audit:order:page', 'audit:order:pass'], limit: 'org_below' })
})

const write = (...statements: RawBuilder<unknown>[]) =>
  kit.db.withTx(async tx => {
    for (const statement of statements) await tx.exec(statement)
  })
const rightsIn = async (tx: Tx) => {
  const now = await rightsNow(tx, person.userNo, 'en')
  if (!now) throw new Error('the person may not work')
  return now
}
const rights = () => kit.db.read(rightsIn)
const role = () => `R${person.userNo}`
const page = () => `N${person.userNo}`

/** Statements that it takes to know what the person may do. */
const statements = () =>
  kit.db.read(async tx => {
    const rows = vi.fn(tx.rows)
    const one = vi.fn(tx.one)
    const maybe = vi.fn(tx.maybe)
    await rightsIn({ ...tx, rows, one, maybe } as Tx)
    return rows.mock.calls.length + one.mock.calls.length + maybe.mock.calls.length
  })

test('what somebody may do is read once, and the next call reads only who they are', async () => {
  expect(await statements()).toBeGreaterThan(1)
  expect(await statements()).toBe(1)
  await write(sql`update role set role_name = 'another' where role_no = ${role()}`)
  expect(await statements()).toBeGreaterThan(1)
})

const changes: [string, () => RawBuilder<unknown>[], (held: Awaited<ReturnType<typeof rights>>) => void][] = [
  [
    'a button taken from the role',
    () => [sql`delete from role_menu where role_no = ${role()} and menu_no = ${`${page()}-1`}`],
    held => expect([...held.perms]).not.toContain('audit:order:pass'),
  ],
  [
    'a button that means another operation',
    () => [sql`update menu set perms = 'fund:payout:send' where menu_no = ${`${page()}-1`}`],
    held => expect([...held.perms]).toContain('fund:payout:send'),
  ],
  [
    'a role taken from the person',
    () => [sql`delete from user_role where user_no = ${person.userNo}`],
    held => expect(held.perms.size).toBe(0),
  ],
  [
    'user 5: the nature of the role',
    () => [sql`update role set role_nature = 'outsourced' where role_no = ${role()}`],
    held => expect(held.widest).toBe('own_merchants'),
  ],
  [
    'values that the role may see',
    () => [sql`update role set sensitive_perms = '{}' where role_no = ${role()}`],
    held => expect(held.desensitized).toBe(true),
  ],
  [
    'the data rule of the page',
    () => [sql`update role_menu set limit_type = 'own' where role_no = ${role()} and menu_no = ${page()}`],
    held => expect(held.limitOf.get('audit:order:page')).toBe('own'),
  ],
  [
    'a department below',
    () => [
      sql`insert into dept (dept_no, dept_name, org_no, parent_dept_no) select ${`X${person.userNo}`}, 'below', org_no, dept_no from dept where dept_no = 'D1'`,
    ],
    held => expect(held.deptsBelow).toContain(`X${person.userNo}`),
  ],
  [
    'a merchant that comes to the company',
    () => [
      sql`insert into merchant (merchant_no, merchant_name, app_name, org_no)
        select ${`X${person.userNo}`}, ${person.userNo}, 'app', org_no from dept where dept_no = 'D1'`,
    ],
    held => expect(held.orgMerchants).toContain(`X${person.userNo}`),
  ],
  [
    'the person in another department',
    () => [
      sql`insert into dept (dept_no, dept_name, org_no) select ${`Y${person.userNo}`}, 'elsewhere', org_no from dept where dept_no = 'D1'`,
      sql`update app_user set dept_no = ${`Y${person.userNo}`} where user_no = ${person.userNo}`,
    ],
    held => expect(held.deptsBelow).toEqual([`Y${person.userNo}`]),
  ],
  [
    'a merchant of the person alone',
    () => [sql`delete from user_merchant where user_no = ${person.userNo} and merchant_no = 'M2'`],
    held => expect(held.merchants).toEqual(['M1']),
  ],
]
test.each(changes)('%s is seen by the next call', async (_, change, expected) => {
  const before = await rights()
  expect(() => expected(before)).toThrow()
  await write(...change())
  expected(await rights())
})

test('a company that comes below brings its merchants', async () => {
  const { orgMerchants } = await rights()
  await write(
    sql`insert into org (org_no, org_name, company_code, parent_org_no) select 'OX', 'below', (select company_code from org limit 1), org_no from dept where dept_no = 'D1'`,
    sql`insert into merchant (merchant_no, merchant_name, app_name, org_no) values ('MX', 'MX', 'app', 'OX')`,
  )
  expect((await rights()).orgMerchants.toSorted()).toEqual([...orgMerchants, 'MX'].toSorted())
  await write(sql`update org set parent_org_no = null where org_no = 'OX'`)
  expect((await rights()).orgMerchants.toSorted()).toEqual(orgMerchants.toSorted())
})

test('what a transaction saw and took back is not kept', async () => {
  const take = sql`delete from user_role where user_no = ${person.userNo}`
  const undone = kit.db.withTx(async tx => {
    await tx.exec(take)
    expect((await rightsIn(tx)).perms.size).toBe(0)
    throw new Error('taken back')
  })
  await expect(undone).rejects.toThrow('taken back')
  expect((await rights()).perms.size).toBeGreaterThan(0)
  await write(take)
  expect((await rights()).perms.size).toBe(0)
})

test('what is changed after it was read within a transaction is read again', async () => {
  await kit.db.withTx(async tx => {
    await tx.exec(sql`update role set role_name = 'one' where role_no = ${role()}`)
    expect((await rightsIn(tx)).perms.size).toBeGreaterThan(0)
    await tx.exec(sql`delete from user_role where user_no = ${person.userNo}`)
    expect((await rightsIn(tx)).perms.size).toBe(0)
  })
  expect((await rights()).perms.size).toBe(0)
})

test('two databases of a process are not mixed up', async () => {
  const other = await openKit({ modules: [], handmade: true })
  try {
    const theirs = await other.person({ perms: ['fund:payout:send'] })
    for (let n = theirs.userNo; n !== person.userNo; ) n = (await other.person({ perms: ['fund:payout:send'] })).userNo
    expect([...(await rights()).perms]).not.toContain('fund:payout:send')
    const seen = await other.db.read(tx => rightsNow(tx, person.userNo, 'en'))
    expect([...(seen?.perms ?? [])]).toContain('fund:payout:send')
  } finally {
    await other.close()
  }
})

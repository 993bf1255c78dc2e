import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import { base, type ListEndpoint } from '../../core/contract/endpoint.ts'
import { newNo } from '../../server/money/numbers.ts'
import { all } from '../../server/testing/all-facts.ts'
import type { Person } from '../../server/testing/kit.ts'
import { application, send } from '../../server/testing/partner.ts'
import { writesOf } from '../../server/testing/writes.ts'
import { type Fixture, openFixture } from '../contract/fixture.ts'

// Abuse that no test beside its mechanism asks for; the others are named after their numbers where they stand.
const { audit, common, role, people, user } = contract

let fixture: Fixture
let foreign: string
let own: string
let brand: Person

beforeAll(async () => {
  fixture = await openFixture({ handmade: true })
  foreign = await fixture.queueUp('M1')
  own = await fixture.queueUp('M2')
  brand = await fixture.reviewer({ merchants: ['M2'], limit: 'own_merchants', sensitive: [], dept: 'D2' })
})
afterAll(() => fixture.close())

const ask = async (path: string, init: RequestInit) => {
  const answer = await fixture.app.request(base + path, init)
  return (await answer.json()) as { code: number; data: unknown }
}

describe('B3: a token', () => {
  const self = user.self.path
  it.each([
    ['in the query', () => ask(`${self}?token=${brand.token}`, {})],
    ['in a cookie', () => ask(self, { headers: { cookie: `token=${brand.token}` } })],
    [
      'in the body',
      () =>
        ask(audit.manageList.path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token: brand.token }),
        }),
    ],
  ])('%s opens nothing', async (_, asked) => {
    expect(await asked()).toMatchObject({ code: -10, data: null })
  })
})

it('C7: a form of another page, which can send no header, changes nothing', async () => {
  const written = await writesOf(fixture.db)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
    expect(
      await ask(audit.cancel.path, {
        method: 'POST',
        headers: { 'content-type': type, cookie: `token=${brand.token}` },
        body: JSON.stringify({ orderNo: own, reason: 'customer', version: 0 }),
      }),
      type,
    ).toMatchObject({ code: -10 })
  expect(await written()).toEqual([])
})

describe('D2: a wider filter', () => {
  const list = async (filters: object) => fixture.ask(audit.manageList, filters as never, { as: brand })
  const numbers = ({ data }: { data: unknown }) =>
    (data as { list: { orderNo: string }[] }).list.map(row => row.orderNo)

  it('adds no row of another merchant', async () => {
    expect(numbers(await list({ merchantNo: ['M1', 'M2'] }))).toEqual([own])
    expect(numbers(await list({ merchantNo: ['M1'] }))).toEqual([])
    expect(numbers(await list({ orderNo: foreign }))).toEqual([])
  })

  it('that is empty is no filter, and within the scope all the same', async () => {
    expect(numbers(await list({ merchantNo: [] }))).toEqual([own])
  })

  it.each([[{ 'merchantNo[]': ['M1'] }], [{ scope: 'all' }], [{ orgNo: null }]])(
    'that is unknown is refused: %j',
    async filters => {
      expect((await list(filters)).code).toBe(40001)
    },
  )

  it('of nobody’s merchants is an empty list, never all', async () => {
    const none = await fixture.reviewer({ merchants: ['M2'], limit: 'own_merchants', dept: 'D2' })
    await fixture.exec(sql`delete from user_merchant where user_no = ${none.userNo}`)
    const { data } = await fixture.ask(audit.manageList, { merchantNo: ['M1'] } as never, { as: none })
    expect((data as { list: unknown[] }).list).toEqual([])
  })
})

it('D9: nobody freezes themselves or takes their own last right to keep roles', async () => {
  const self = fixture.boss.userNo
  const frozen = await fixture.ask(people.freeze, { userNos: [self], reason: 'x' } as never, { as: fixture.boss })
  expect(frozen.data).toMatchObject({ ok: 0, fail: 1 })
  const { version } = (await fixture.call(role.detail, { roleNo: `R${self}` }, { as: fixture.boss })).data
  const nothing = { roleNo: `R${self}`, version, permissions: [], dataRules: [], sensitivePerms: [] }
  const { count } = await fixture.one(
    sql<{
      count: number
    }>`select count(distinct ur.user_no)::int as count from user_role ur join role_menu using (role_no) join menu using (menu_no) where perms = 'role:manage'`,
  )
  const answer = await fixture.ask(role.permissions, nothing as never, { as: fixture.boss })
  if (count === 1) expect(answer.code).not.toBe(0)
  else expect([0, 40301, 40901]).toContain(answer.code)
})

it('D12: numbers of a day neither follow one another nor are likely to be guessed', () => {
  const now = new Date('2026-03-02T07:00:00Z')
  const made = Array.from({ length: 200 }, () => newNo('LO', now))
  expect(new Set(made).size).toBe(200)
  const sorted = [...made].sort()
  expect(sorted).not.toEqual(made)
  expect(made.every(no => /^LO260302[0-9A-HJKMNP-TV-Z]{8}$/.test(no))).toBe(true)
})

describe('E6: numbers that no amount has', () => {
  it.each(['1e400', 'NaN', 'Infinity', '-0', '9007199254740993.001', '1'.repeat(31), '0x10', '１２'])(
    'are refused: %s',
    async loanAmount => {
      const written = await writesOf(fixture.db)
      const body = application(55_000, { loanAmount } as never)
      expect((await send(fixture, body)).code).toBe(40001)
      expect(await written()).toEqual([])
    },
  )

  it.each([[2 ** 53], [1.5], [-1]])('are no place in a list: %s', async pageNum => {
    expect((await fixture.ask(audit.manageList, { pageNum } as never, { as: brand })).code).toBe(40001)
  })
})

it('L1: no list hands out a phone or an identity number in full, to any reader', async () => {
  const customers = await fixture.rows(sql<{ phone: string; idNumber: string }>`select phone, id_number from customer`)
  const secrets = customers.flatMap(one => [one.phone, one.idNumber])
  for (const { list } of all.lists as readonly { list: ListEndpoint }[]) {
    const answer = await fixture.ask(list, { pageSize: 100 } as never, { as: brand })
    if (answer.code !== 0) continue
    const text = JSON.stringify(answer.data)
    expect(
      secrets.filter(secret => text.includes(secret)),
      list.path,
    ).toEqual([])
  }
})

it('L13: people whom a customer named are no column of any file', () => {
  // Whom a merchant names as its own contact is no customer's.
  const exported = (all.lists as readonly { list: ListEndpoint }[]).filter(
    ({ list }) => list.exporting && list.path !== '/merchant/config/page',
  )
  for (const { list } of exported)
    expect(
      Object.keys(list.row.shape).filter(name => /contact(Name|Phone)/.test(name)),
      list.path,
    ).toEqual([])
  expect(Object.keys(common.reveal.input.shape)).toContain('objectNo')
})

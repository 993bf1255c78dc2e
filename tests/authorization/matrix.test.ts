import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract, endpoints } from '../../core/contract/contract.ts'
import { type Endpoint, type ListEndpoint, results } from '../../core/contract/endpoint.ts'
import { all, ofCall, ofList } from '../../server/testing/all-facts.ts'
import type { Person } from '../../server/testing/kit.ts'
import { writesOf } from '../../server/testing/writes.ts'
import { changedOf, chosen, replayed } from '../chosen.ts'
import { everyPerm, everySight, type Fixture, type MerchantNo, openFixture } from '../contract/fixture.ts'
import type { Heard } from '../contract/http.ts'
import { fieldsOf, type Input, inputOf } from '../contract/inputs.ts'
import { foreignRows } from '../reach.ts'
import { sayLeftOut, shuffled } from '../sampling.ts'
import { isFull } from '../sizes.ts'

const staff = endpoints.filter(({ endpoint }) => endpoint.auth === 'staff')

/** The records that a test makes of each merchant, by the input fields that name them. */
const makeable = all.records.filter(({ make }) => make)
/** What a field of a call names: several nouns may call theirs alike. */
const recordOf = (endpoint: Endpoint, field: string) =>
  makeable.find(one => one.fields.includes(field) && (one.under === undefined || endpoint.path.startsWith(one.under)))
type Records = Readonly<Record<string, string>>
const placeOf = ({ fields, under = '' }: (typeof makeable)[number]) => `${fields[0]}${under}`

const isRequired = ({ input }: Endpoint, name: string) =>
  !input.safeParse({ ...inputOf({ input }), [name]: undefined }).success
/** The field that names the record of a call: the first that it cannot do without, or whose neighbours its noun fills. */
const keyOf = ({ endpoint }: (typeof staff)[number]) =>
  fieldsOf(endpoint)
    .map(field => field.name)
    .find(field => recordOf(endpoint, field) && (isRequired(endpoint, field) || ofCall(endpoint).needs))

/** Every call that asks for a right is asked without it; records and data rules are asked of so many calls. */
const onRecords = staff.flatMap(one => {
  const key = keyOf(one)
  return key ? [{ ...one, key }] : []
})
const overAlls = staff.filter(
  one => !one.endpoint.audit && !one.endpoint.on && !keyOf(one) && !ofCall(one.endpoint).about,
)
/** Whether each row of a list belongs to a merchant. */
const isOwned = (endpoint: Endpoint) => 'defaultSort' in endpoint && (ofList(endpoint).of ?? 'merchant') === 'merchant'

/** Fields that name records which nobody holds as their work, and whether a list shows such; products are nobody's either. */
const unheld = new Set(all.records.filter(one => one.unheld).flatMap(({ fields }) => fields))
const isUnheld = (endpoint: Endpoint) => {
  if (!('defaultSort' in endpoint)) return endpoint === contract.common.products
  const { key, ownedBy = key } = ofList(endpoint)
  return unheld.has(ownedBy)
}
const ofMerchants: readonly string[] = ['own merchants', 'organisation below']

const limits = ['own', 'dept', 'dept_below', 'own_merchants', 'org_below'] as const
const strangers = ['own', 'dept', 'dept_below', 'own merchants', 'organisation below'] as const

const onRecord = chosen('authorization of records', onRecords)
const overAll = chosen('authorization of lists', overAlls)
const inFull = changedOf('authorization', onRecord)
/** Whether a record is asked for within every data rule, or within one by the seed. */
const every = (endpoint: Endpoint) => isFull || inFull.has(endpoint)
if (!isFull)
  sayLeftOut('authorization in part', `all data rules but two of ${onRecord.length - inFull.size} calls on a record`)

let fixture: Fixture
let foreign: Records
/** Records of another merchant of the caller's organisation. */
let sibling: Records
let people: Map<string, Person>
type Owner = { no: string; merchantNo: MerchantNo }
const merchantOf = new Map<string, MerchantNo>()

/** A whole life of records of a merchant. */
const live = async (merchantNo: MerchantNo): Promise<Records> => {
  await fixture.queueUp(merchantNo)
  await fixture.opened(merchantNo)
  await fixture.sent(merchantNo)
  const paid = await fixture.repaid(merchantNo)
  const records: Record<string, string> = {}
  for (const one of makeable) records[placeOf(one)] = await one.make!(fixture, merchantNo, paid)
  return records
}

const learn = async () => {
  for (const { owners } of all.records)
    for (const { no, merchantNo } of owners ? await fixture.rows(owners as RawBuilder<Owner>) : [])
      merchantOf.set(no, merchantNo)
}

beforeAll(async () => {
  fixture = await openFixture()
  await fixture.addSibling()
  foreign = await live('M1')
  await live('M2')
  sibling = await live('M3')
  await learn()
  const sensitive = ['pii:unmask', 'pii:reveal:phone', ...everySight]
  const given = { perms: everyPerm, sensitive, dept: 'D2' }
  const made = await Promise.all(
    limits.map(limit =>
      fixture.reviewer({ ...given, limit, merchants: limit.startsWith('own_') ? ['M2'] : ['M2', 'M1'] }),
    ),
  )
  people = new Map<string, Person>([
    ...strangers.map((name, at) => [name, made[at]!] as const),
    ['nothing at all', await fixture.person({ perms: [], dept: 'D2' })],
    ['everything', fixture.boss],
  ])
})
afterAll(() => fixture.close())

const who = (name: string) => people.get(name)!
const rowsOf = (heard: Heard) =>
  ((heard.data as { list?: Record<string, unknown>[] } | null)?.list ?? []) as Record<string, unknown>[]
/** Numbers by which a row of an answer may be known; `value` is what a choice offers. */
const numberFields = [...all.records.map(({ fields }) => fields[0]!), 'value']
/** Merchants of the rows of an answer: by the field that its noun names where it has one, for numbers of other nouns may be alike. */
const merchantsIn = (endpoint: Endpoint, heard: Heard) => {
  const ownedBy = 'defaultSort' in endpoint ? ofList(endpoint).ownedBy : undefined
  const fields = (row: Record<string, unknown>) => (ownedBy && row[ownedBy] != null ? [ownedBy] : numberFields)
  return new Set(rowsOf(heard).flatMap(row => fields(row).flatMap(field => merchantOf.get(String(row[field])) ?? [])))
}

/** Balances of our own accounts are the same for every reader; everything else in an answer has an owner. */
const seen = ({ code, data }: Heard): unknown =>
  JSON.parse(
    JSON.stringify({ code, data }, (name, value) => (name === 'balance' || name === 'enough' ? undefined : value)),
  )

describe.each(staff.filter(({ endpoint }) => endpoint.perm))('$name', ({ endpoint }) => {
  it('user 3: is refused to a person without the right', async () => {
    const heard = await fixture.ask(endpoint, inputOf(endpoint), { as: who('nothing at all') })
    expect(heard).toMatchObject({ code: 40301, data: null })
  })
})

describe.each(staff.filter(({ endpoint }) => endpoint.stepUp === true))('$name', ({ endpoint }) => {
  it('is refused without step-up to a person who has the right, and changes nothing', async () => {
    const written = await writesOf(fixture.db)
    const ask = (headers: Record<string, string>) =>
      fixture.ask(endpoint, inputOf(endpoint), { as: who('everything'), unproven: true, headers })
    for (const proof of ['', 'x'.repeat(43)])
      expect(await ask({ 'x-step-up': proof })).toMatchObject({ code: 40302, data: { perm: endpoint.perm } })
    expect(await written()).toEqual([])
    expect((await ask({ 'x-step-up': await fixture.stepUp(fixture.boss) })).code).not.toBe(40302)
  })
})

describe.each(overAll)('$name', ({ endpoint }) => {
  const required = Object.fromEntries(
    Object.entries(inputOf(endpoint)).filter(([field]) => isRequired(endpoint, field)),
  )
  const input: Input = 'pageSize' in inputOf(endpoint) || 'row' in endpoint ? { ...required, pageSize: 100 } : required
  const lists = 'row' in endpoint
  /** The answer, of a list with the rows of all its pages. */
  const ask = async (as: string): Promise<Heard> => {
    const first = await fixture.ask(endpoint, input, { as: who(as) })
    let data = first.data as { list: unknown[]; next?: string | null } | null
    const rows = [...(lists && data ? data.list : [])]
    for (let pageNum = 2; lists && data?.next; pageNum++) {
      const further = { ...input, pageNum, after: data.next }
      data = (await fixture.ask(endpoint, further, { as: who(as) })).data as typeof data
      rows.push(...(data?.list ?? []))
    }
    return lists && first.data ? { ...first, data: { ...first.data, list: rows } } : first
  }

  it('shows rows of every merchant to a person who may see all', async () => {
    const heard = await ask('everything')
    expect(heard.code, heard.text).toBe(0)
    if (isOwned(endpoint) && rowsOf(heard).length > 0)
      expect([...merchantsIn(endpoint, heard)].sort()).toEqual(['M1', 'M2', 'M3'])
  })

  it.each(['own merchants', 'organisation below'])('shows no foreign row within %s, and the own ones', async rule => {
    const heard = await ask(rule)
    expect(heard.code, heard.text).toBe(0)
    expect([...merchantsIn(endpoint, heard)]).not.toContain('M1')
    if (rule === 'own merchants') expect([...merchantsIn(endpoint, heard)]).not.toContain('M3')
    else if (isOwned(endpoint)) expect([...merchantsIn(endpoint, heard)]).toContain('M3')
    if (isOwned(endpoint)) expect([...merchantsIn(endpoint, heard)]).toContain('M2')
  })

  if (lists && !isUnheld(endpoint))
    it.each(['own', 'dept', 'dept_below'])('shows nothing within %s to a person who holds nothing', async rule => {
      const heard = await ask(rule)
      expect(heard.code, heard.text).toBe(0)
      expect(rowsOf(heard)).toEqual([])
      expect(heard.data).toMatchObject({ total: 0 })
    })
})

it('user 4, D3: tells nobody, in no list and in no total, what happens to records out of reach', async () => {
  const inputs = new Map(
    overAll.map(({ name, endpoint }) => [
      name,
      Object.fromEntries(Object.entries(inputOf(endpoint)).filter(([field]) => isRequired(endpoint, field))),
    ]),
  )
  // The looking itself is noted, where it is a search.
  inputs.set('common.accessLog', { objectType: 'order' })
  const look = async () => {
    const answers: Record<string, unknown> = {}
    for (const rule of strangers)
      for (const { name, endpoint } of overAll.filter(one => ofMerchants.includes(rule) || !isUnheld(one.endpoint)))
        answers[`${name} ${rule}`] = seen(await fixture.ask(endpoint, inputs.get(name)!, { as: who(rule) }))
    return answers
  }
  // What waits to be sent is sent: it would be meanwhile.
  await fixture.worker.drain()
  const before = await look()
  await live('M1')
  expect(await look()).toEqual(before)
})

// Before calls on records are made: one of them pauses the channels.
it('lets nobody agree to what they asked for themselves, or reject it', async () => {
  const { approve, reject } = contract.common
  const { approvalNo } = await fixture.requested()
  const written = await writesOf(fixture.db, ['role_menu'])
  const decision = { approvalNo, version: 0 }
  expect((await fixture.ask(approve, decision, { as: fixture.boss })).code).toBe(40301)
  expect((await fixture.ask(reject, { ...decision, reason: 'mine' }, { as: fixture.boss })).code).toBe(40301)
  expect((await fixture.ask(contract.common.withdraw, decision, { as: fixture.second })).code).toBe(40301)
  await fixture.without(fixture.second, ['fund:cancelPay:check'], async () => {
    expect((await fixture.ask(approve, decision, { as: fixture.second })).code).toBe(40301)
  })
  expect(await written()).toEqual([])
})

describe.each(onRecord)('$name of a record', ({ name, endpoint, key }) => {
  replayed('tests/authorization/matrix.test.ts', '')
  const { needs, leavesOut } = ofCall(endpoint)
  const ask = (no: string, as: Person) => {
    const input = { ...inputOf(endpoint), ...needs?.({ as, made: foreign }) }
    return fixture.ask(endpoint, { ...input, [key]: key.endsWith('s') ? [no] : no }, { as })
  }
  const found = (of = foreign) => of[placeOf(recordOf(endpoint, key)!)]!
  const said = (heard: Heard) =>
    endpoint.output === results && heard.code === 0
      ? (heard.data as { rows: { code: number; msg: string }[] }).rows[0]!
      : heard

  const others = strangers
    .filter(rule => ofMerchants.includes(rule) || !unheld.has(key))
    .map(rule => [rule, 'of another organisation'] as const)
  const nearby = ['own merchants', 'of another merchant'] as const
  const scopes = every(endpoint) ? [...others, nearby] : [shuffled(name, others, ([rule]) => rule)[0]!, nearby]
  it.each(scopes)('D1: does not tell it from one that there is not, within %s, where it is %s', async (rule, whose) => {
    const written = await writesOf(fixture.db)
    const theirs = found(whose === 'of another merchant' ? sibling : foreign)
    const [stranger, nobody] = [await ask(theirs, who(rule)), await ask('NO0000', who(rule))]
    if (leavesOut) {
      expect(leavesOut(stranger), stranger.text).toBe(true)
    } else {
      const { code, msg } = said(stranger)
      expect({ code, msg }, stranger.text.slice(0, 300)).toEqual({ code: 40401, msg: said(nobody).msg })
      expect(said(nobody).code).toBe(40401)
    }
    expect(await written()).toEqual([])
  })

  it('finds it for a person who may see all', async () => {
    expect(said(await ask(found(), who('everything'))).code).not.toBe(40401)
  })
})

it('covers every call of staff, as one over all records or as one on a record, where its noun does not say why not', () => {
  const covered = new Set([...overAlls, ...onRecords].map(({ endpoint }) => endpoint))
  const begins = new Set(all.beginnings.map(({ call }) => call))
  const left = staff.filter(({ endpoint }) => !covered.has(endpoint) && !begins.has(endpoint))
  expect(left.filter(({ endpoint }) => !ofCall(endpoint).about).map(({ name }) => name)).toEqual([])
})

it('D3: lets no file be written of rows that its list does not show', async () => {
  const owned = staff.map(({ endpoint }) => endpoint as ListEndpoint).filter(isOwned)
  const listOf = new Map<unknown, ListEndpoint>(owned.map(list => [list.exporting, list]))
  for (const { name, endpoint } of staff) {
    const list = listOf.get(endpoint)
    if (!list) continue
    const input = { ...inputOf(endpoint), filters: {}, reason: 'monthly report' }
    const counted = async (rule: string) => {
      await fixture.worker.drain()
      const { code, data, text } = await fixture.ask(endpoint, input, { as: who(rule) })
      expect(code, `${name} ${text}`).toBe(0)
      return (data as { rowCount: number }).rowCount
    }
    if (!isUnheld(list))
      for (const rule of ['own', 'dept', 'dept_below']) expect(await counted(rule), `${name} ${rule}`).toBe(0)
    const [mine, ours, all] = [
      await counted('own merchants'),
      await counted('organisation below'),
      await counted('everything'),
    ]
    expect(mine, name).toBeGreaterThan(0)
    expect(ours, name).toBeGreaterThan(mine)
    expect(all, name).toBeGreaterThan(ours)
  }
})

it('D4: shows a person who is limited to their own work exactly that', async () => {
  const person = who('own')
  const orderNo = await fixture.allotted('M1', person)
  const { audit, order } = contract
  for (const endpoint of [audit.manageList, audit.allotList, audit.selfList]) {
    const heard = await fixture.ask(endpoint, {}, { as: person })
    expect(rowsOf(heard).map(row => row.orderNo)).toEqual([orderNo])
  }
  expect((await fixture.ask(order.summary, { orderNo }, { as: person })).code).toBe(0)
  expect((await fixture.ask(order.summary, { orderNo: foreign.orderNo! }, { as: person })).code).toBe(40401)
})

it('shows nobody a row that the data rule keeps from them, by a second reading of the rule', async () => {
  const { asked, rows, foreign } = await foreignRows(fixture.db, fixture.lists)
  expect(foreign).toEqual([])
  expect(asked).toBeGreaterThan(0)
  expect(rows).toBeGreaterThan(0)

  const open = fixture.lists.map(listed => ({
    ...listed,
    source: (at: Parameters<typeof listed.source>[0]) => ({ ...listed.source(at), where: sql`true` }),
  }))
  const leaked = await foreignRows(fixture.db, open)
  expect(new Set(leaked.foreign.map(({ list }) => list)).size).toBeGreaterThan(5)
})

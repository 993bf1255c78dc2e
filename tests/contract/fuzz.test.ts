import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codes } from '../../core/contract/codes.ts'
import { endpoints } from '../../core/contract/contract.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { all, ofCall } from '../../server/testing/all-facts.ts'
import { writesOf } from '../../server/testing/writes.ts'
import { chosen } from '../chosen.ts'
import { seed } from '../sampling.ts'
import { sizeOf } from '../sizes.ts'
import { type Fixture, openFixture } from './fixture.ts'
import type { Heard } from './http.ts'
import { readBack, type Shot, shotOf } from './shots.ts'

const cases = sizeOf('cases', 50)

const catalogue = new Set<number>(Object.values(codes))

let fixture: Fixture
let known: Record<string, unknown[]>

const numbers = async (table: string, column: string): Promise<string[]> =>
  (await fixture.rows(sql<{ no: string }>`select ${sql.ref(column)} as no from ${sql.table(table)} limit 40`)).map(
    row => row.no,
  )

const learn = async () => {
  known = {
    objectType: ['order'],
    auditorNos: [fixture.boss.userNo, fixture.second.userNo],
    version: [0, 1, 2, 3, 4, 5],
  }
  for (const { fields, table, key } of all.records) {
    const there = await numbers(table, key)
    for (const field of fields) known[field] = there
  }
}

beforeAll(async () => {
  fixture = await openFixture({ handmade: true })
  const paid = await fixture.repaid()
  for (const { make } of all.records) await make?.(fixture, 'M1', paid)
  await fixture.receivedFlow()
  await fixture.sent()
  await fixture.waitingForFile()
  await fixture.opened('M2')
  await learn()
})
afterAll(() => fixture.close())

/** What a search for a person leaves behind is not what it does. */
const noted = ['access_log', 'security_log']

const revive = (userNo: string) =>
  fixture.exec(
    sql`update session set ended_time = null, last_seen_time = ${fixture.clock.now()} where user_no = ${userNo}`,
  )

/** Whether a call gets as far as its handler; what its path holds is not what its body says. */
const isFit = (endpoint: Endpoint, shot: Shot) => {
  if (endpoint.method !== 'POST') return true
  const inPath = Object.keys(shot.input).filter(name => endpoint.path.includes(`{${name}}`))
  const read = readBack(shot)
  const whole = inPath.length
    ? { ...(read as object), ...Object.fromEntries(inPath.map(name => [name, shot.input[name]])) }
    : read
  return endpoint.input.safeParse(whole).success
}

/** What is wrong with an answer, or nothing. */
const flawOf = (endpoint: Endpoint, shot: Shot, heard: Heard): string | null => {
  const { code, status, msg, data, headers } = heard
  if (status >= 500 || code === codes.internal) return `${status} ${code}`
  if (!catalogue.has(code)) return `an unknown code ${code}`
  if (typeof msg !== 'string' || (code !== codes.ok && !/\S/.test(msg))) return 'no words'
  if (headers.get('cache-control') !== 'no-store' || headers.get('x-content-type-options') !== 'nosniff')
    return 'headers'
  if (({} as { polluted?: unknown }).polluted !== undefined) return 'polluted prototypes'
  if (code !== codes.ok) return null
  if (!endpoint.file && !endpoint.output.safeParse(data).success) return 'an answer that its schema refuses'
  if (!isFit(endpoint, shot)) return 'accepts what its schema refuses'
  return null
}

const shown = ({ kind, input, asked }: Shot, heard: Heard) =>
  `${kind}: ${JSON.stringify({ input, ...asked, ...(asked.body instanceof Uint8Array ? { body: asked.body.toString() } : {}) }).slice(0, 600)} → ${heard.text.slice(0, 300)}`

/** Calls that end sessions come last: the one that they end may be that of the others' caller. */
const endsSession = ({ endpoint }: (typeof endpoints)[number]) => Number(ofCall(endpoint).ends ?? false)
const inOrder = [...chosen('fuzz', endpoints)].sort((a, b) => endsSession(a) - endsSession(b))

describe.each(inOrder)('$name', one => {
  const { name, endpoint } = one

  it(`stands ${cases} calls of any kind: no fault of its own, no effect of what it refuses`, async () => {
    const { ends, remembers } = ofCall(endpoint)
    const as = ends ? fixture.second : fixture.boss
    const wrong: string[] = []
    const again = `npm run fuzz -- --seed ${seed} --cases ${cases} --endpoint ${name}`
    const isRead = (endpoint.method === 'GET' && !endpoint.writes) || 'names' in endpoint || 'defaultSort' in endpoint
    const written = await writesOf(fixture.db, noted)
    const compare = async (what: string) => {
      const changed = await written()
      if (changed.length) wrong.push(`${changed} changed, ${what}`)
    }
    for (let index = 0; index < cases; index++) {
      const shot = shotOf(one, { seed, index, known })
      const heard = await fixture.ask(endpoint, shot.input, { as, ...shot.asked })
      const flaw = flawOf(endpoint, shot, heard)
      const tokens = shot.asked.headers && ('token' in shot.asked.headers || 'authorization' in shot.asked.headers)
      const signedOut = heard.code === codes.signedOut && !tokens && !ends
      if (flaw || signedOut) wrong.push(`case ${index}, ${flaw ?? 'signed out'}, ${shown(shot, heard)}`)
      if (ends) await revive(as.userNo)
      if (isRead || remembers) continue
      if (heard.code === codes.ok) await written()
      else if (isFit(endpoint, shot)) await compare(`refused case ${index}, ${shown(shot, heard)}`)
    }
    if (!remembers) await compare('by one of all')
    expect(wrong, again).toEqual([])
  })
})

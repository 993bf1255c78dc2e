import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../core/contract/contract.ts'
import { type Endpoint, results } from '../../core/contract/endpoint.ts'
import { isKey } from '../../core/i18n/server.ts'
import { type Machine, rowsOf } from '../../core/rules/machines/machine.ts'
import { type MachineName, machineOf, machines, nameOf } from '../../core/rules/machines/machines.ts'
import { configVersion } from '../../core/rules/machines/operation/config-version.ts'
import { runInvariants } from '../../server/invariants/invariants.ts'
import { all } from '../../server/testing/all-facts.ts'
import type { Made } from '../../server/testing/facts.ts'
import type { Person } from '../../server/testing/kit.ts'
import { writesOf } from '../../server/testing/writes.ts'
import { changedOf, replayed } from '../chosen.ts'
import { everyPerm, type Fixture, openFixture } from '../contract/fixture.ts'
import type { Heard } from '../contract/http.ts'
import { fieldsOf, type Input } from '../contract/inputs.ts'
import { sayLeftOut, shuffled } from '../sampling.ts'
import { isFull } from '../sizes.ts'

/** Instances of a machine have a suite of their own, which their nouns run (`configSuite`). */
const named = endpoints.filter(({ endpoint }) => endpoint.on && !endpoint.on.machine.of && endpoint.auth === 'staff')
const machineNamed = ({ on }: Endpoint) => nameOf(on!.machine) as MachineName
const creates = ({ on }: Endpoint) =>
  on!.machine.rows.filter(row => row.event === on!.event).every(row => row.from.includes('∅'))
const onRecords = named.filter(({ endpoint }) => !creates(endpoint))

/** States in which the command may do what it says, under its own code where rows of its event differ in it. */
const legalStates = ({ on, perm }: Endpoint): string[] => {
  const m = on!.machine
  const rows = (state: string) => rowsOf(m, state, on!.event).filter(row => !row.refused)
  const ownRows = (state: string) => rows(state).filter(row => row.perm?.replace('{ns}', 'postloan') === perm)
  const byPerm = m.rows.some(row => row.event === on!.event && row.perm === perm)
  return Object.keys(m.states).filter(state => (byPerm ? ownRows(state) : rows(state)).length > 0)
}

type Outcome = { code: number; msg: string; data: unknown }
/** What came of the one row that was asked for. */
const outcomeOf = (endpoint: Endpoint, heard: Heard): Outcome =>
  endpoint.output === results && heard.code === 0
    ? { ...(heard.data as { rows: Outcome[] }).rows[0]!, data: null }
    : heard

const inFull = changedOf('machines', onRecords)
if (!isFull) sayLeftOut('machines', `all states that refuse it but two, of ${onRecords.length - inFull.size} commands`)

let fixture: Fixture
let foreigner: Person
beforeAll(async () => {
  fixture = await openFixture()
  foreigner = await fixture.person({ perms: everyPerm, limit: 'own_merchants', merchants: ['M2'] })
})
afterAll(() => fixture.close())

it('knows how to make a record for every command that fires an event on one, and for no other', () => {
  expect(all.commands.map(one => one.call.path).sort()).toEqual(onRecords.map(({ endpoint }) => endpoint.path).sort())
})

describe.each(onRecords)('$name', ({ name, endpoint }) => {
  replayed('tests/machines/through-http.test.ts', '')
  const { key } = endpoint.on!
  const machine = machineNamed(endpoint)
  const m = machineOf(machine)
  const legal = legalStates(endpoint)
  const wrong = Object.keys(m.states).filter(state => !legal.includes(state))
  const illegal = isFull || inFull.has(endpoint) ? wrong : shuffled(name, wrong, state => state).slice(0, 2)
  const { make, fires } = all.commands.find(one => one.call === endpoint)!
  const batch = endpoint.output === results

  let made: Made
  let written: () => Promise<string[]>
  const ask = (input: Input = made.input, as = made.as ?? fixture.boss, requestId: string = randomUUID()) =>
    fixture.ask(endpoint, input, { as, headers: { 'x-request-id': requestId } })
  const saysNo = (heard: Heard, code: number) => {
    const { msg, ...outcome } = outcomeOf(endpoint, heard)
    expect(outcome.code, heard.text.slice(0, 400)).toBe(code)
    expect(isKey(msg) || !/\S/.test(msg) || msg.includes('{'), msg).toBe(false)
  }
  const refused = async (heard: Heard, code: number) => {
    saysNo(heard, code)
    expect(await written()).toEqual([])
  }

  beforeAll(async () => {
    made = await make(fixture)
    written = await writesOf(fixture.db, ['role_menu'])
  })

  it(`is refused in ${illegal.length} of ${wrong.length} states with 40901, and changes nothing`, async () => {
    const started = await fixture.statusOf(machine, made.no)
    expect(legal).toContain(started)
    for (const state of illegal) {
      await fixture.force(machine, made.no, state)
      await written()
      const heard = await ask()
      saysNo(heard, 40901)
      expect(await written(), state).toEqual([])
      if (!batch) expect(heard.data, state).toMatchObject({ status: expect.stringMatching(/^[a-z_]+$/) })
    }
    await fixture.force(machine, made.no, started)
    await written()
  })

  const { perm } = endpoint
  if (perm)
    it('is refused to a person with every right but its own, and changes nothing', () =>
      fixture
        .without(made.as ?? fixture.boss, [perm], async () => saysNo(await ask(), 40301))
        .then(async () => expect(await written()).toEqual([])))

  if (fieldsOf(endpoint).some(field => field.name === 'version'))
    it('is refused with another version than the present one, and changes nothing', async () => {
      const { version } = made.input as { version: number }
      for (const other of [version + 1, version - 1, version + 1000])
        await refused(await ask({ ...made.input, version: other }), 40902)
    })

  it('says the same to a stranger as of a number that there is not, and changes nothing', async () => {
    const unknown = { ...made.input, [key]: Array.isArray(made.input[key]) ? ['NO00000000'] : 'NO00000000' }
    const nowhere = await ask(unknown)
    await refused(nowhere, 40401)
    const stranger = await ask(made.input, foreigner)
    await refused(stranger, 40401)
    expect(outcomeOf(endpoint, stranger).msg).toBe(outcomeOf(endpoint, nowhere).msg)
    expect(stranger.data === null || batch).toBe(true)
  })

  it('succeeds, and leaves its transition and its audit line under the id of the request', async () => {
    const requestId = `request-${randomUUID()}`
    const heard = await ask(made.input, undefined, requestId)
    expect(outcomeOf(endpoint, heard).code, heard.text.slice(0, 400)).toBe(0)
    const transitions = await fixture.rows(
      sql<{
        machine: string
        event: string
      }>`select machine, event from state_transition where request_id = ${requestId}`,
    )
    const { machine: written, event } = fires ?? { machine: m.id, event: endpoint.on!.event }
    expect(transitions).toContainEqual({ machine: written, event })
    const lines = await fixture.rows(
      sql<{ action: string; actor: string }>`select action, actor from audit_log where request_id = ${requestId}`,
    )
    const by = (made.as ?? fixture.boss).userNo
    if (endpoint.audit) expect(lines).toContainEqual({ action: endpoint.audit, actor: by })
    else expect(lines).toEqual([])
  })
})

const begins = (call: Endpoint) => {
  const found = all.beginnings.find(one => one.call === call)
  if (!found) throw new Error(`no facts of how ${call.path} begins a record`)
  return found.input(fixture)
}

describe.each(named.filter(({ endpoint }) => creates(endpoint)))('$name', ({ endpoint }) => {
  beforeAll(() => fixture.worker.drain())

  it('makes a record, with its transition and its audit line under the id of the request', async () => {
    const requestId = `request-${randomUUID()}`
    const heard = await fixture.ask(endpoint, await begins(endpoint), {
      as: fixture.boss,
      headers: { 'x-request-id': requestId },
    })
    expect(heard.code, heard.text).toBe(0)
    const written = await fixture.rows(
      sql<{
        machine: string
        event: string
        fromState: string
      }>`select machine, event, from_state from state_transition where request_id = ${requestId}`,
    )
    const made = { machine: endpoint.on!.machine.id, event: endpoint.on!.event, fromState: '∅' }
    // Machines that share a table begin together: each has the one row that creates it. Records of others may move with it.
    const beside = new Set<string>(
      Object.values<Machine>(machines).flatMap(m => (m.table === endpoint.on!.machine.table ? [m.id] : [])),
    )
    const together = written.filter(one => beside.has(one.machine))
    expect(together.filter(one => one.machine === made.machine && one.event !== 'attach')).toEqual([made])
    expect(together.every(one => one.event === 'attach' || one.fromState === '∅')).toBe(true)
    expect(
      await fixture.rows(sql<{ action: string }>`select action from audit_log where request_id = ${requestId}`),
    ).toEqual(endpoint.audit ? [{ action: endpoint.audit }] : [])
  })
})

describe.each(all.ways)('$name', ({ walk }) => {
  it('goes along rows of its machines', () => walk(fixture))
})

describe('rows of machines that have tables', () => {
  const legal = Object.entries<Machine>(machines)
    .filter(([, { leased }]) => !leased)
    .flatMap(([name, m]) =>
      m.rows
        .filter(row => !row.refused)
        .flatMap(row =>
          row.from.map(from => ({ name, id: m.id, from, event: row.event, to: row.to === '=' ? from : row.to })),
        ),
    )
  type Step = (typeof legal)[number]
  const undriven = Object.entries(all.machines).flatMap(([name, one]) =>
    Object.values(one.undriven ?? {}).flatMap(rows => rows.map(row => `${name} ${row}`)),
  )
  const waits = (step: Step) => undriven.includes(said(step))

  const said = (step: Step) => `${step.name} ${step.from} ${step.event} ${step.to}`

  it('are all driven through HTTP, but those whose noun says why not', async () => {
    const written = await fixture.rows(
      sql<{
        line: string
      }>`select distinct concat_ws(' ', machine, from_state, event, to_state) as line from state_transition where request_id <> 'fixture'`,
    )
    const lines = written.map(row => row.line)
    /** Where a row leads back to what another machine has kept, any end is its own. */
    const isDriven = ({ id, from, event, to }: Step) =>
      to.startsWith('=')
        ? lines.some(line => line.startsWith(`${id} ${from} ${event} `))
        : lines.includes(`${id} ${from} ${event} ${to}`)
    expect(legal.filter(step => !isDriven(step) && !waits(step)).map(said)).toEqual([])
    expect(legal.filter(step => isDriven(step) && waits(step)).map(said)).toEqual([])
    expect(legal.filter(isDriven).length).toBeGreaterThan(legal.length / 2)
  })

  /** Items of configurations are driven by their own suite; their versions along the ways of their nouns. */
  const dated = [
    ...new Map(
      endpoints.flatMap(({ endpoint }) => (endpoint.on ? [endpoint.on.machine] : [])).map(m => [m.id, m]),
    ).values(),
  ].filter(m => m.of === configVersion.name)
  it.each(dated.map(m => [m.id, m] as const))('of %s are all driven through HTTP too', async (id, m) => {
    const written = await fixture.rows(
      sql<{
        line: string
      }>`select distinct concat_ws(' ', from_state, event, to_state) as line from state_transition where machine = ${id}`,
    )
    const lines = new Set(written.map(row => row.line))
    const steps = m.rows
      .filter(row => !row.refused)
      .flatMap(row => row.from.map(from => `${from} ${row.event} ${row.to === '=' ? from : row.to}`))
    expect(steps.filter(line => !lines.has(line))).toEqual([])
  })

  it('that wait are rows that there are', () => {
    expect(undriven.length).toBe(new Set(undriven).size)
    expect(undriven.filter(one => !legal.some(step => said(step) === one))).toEqual([])
  })
})

it('leaves books, states and files of which every invariant holds', async () => {
  expect(await fixture.db.read(runInvariants)).toEqual([])
})

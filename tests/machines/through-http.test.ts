import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../core/contract/contract.ts'
import { type Endpoint, results } from '../../core/contract/endpoint.ts'
import { isKey } from '../../core/i18n/server.ts'
import { type Machine, rowsOf } from '../../core/rules/machines/machine.ts'
import { machines } from '../../core/rules/machines/machines.ts'
import { runInvariants } from '../../server/invariants.ts'
import type { Person } from '../../server/testing/kit.ts'
import { everyPerm, type House, openHouse } from '../contract/house.ts'
import type { Heard } from '../contract/http.ts'
import { fieldsOf, type Input, inputOf } from '../contract/inputs.ts'
import { tablesHash } from '../contract/tables.ts'
import { notDriven } from './not-driven.ts'
import { type Made, scenes } from './scenes.ts'
import { payoutWays } from './ways/payout.ts'
import { platformWays } from './ways/platform.ts'
import { reconWays } from './ways/recon.ts'
import { repayWays } from './ways/repay.ts'
import { reviewWays } from './ways/review.ts'

/** What a command writes where it is not the event that its button asks for, and why. */
const otherEvent: Record<string, { machine?: string; event?: string; why: string }> = {
  'loan.userInfo': { why: 'the new account is only written down; the code is made anew by the next command' },
  'loan.cancelPaid': { machine: 'M74', event: 'approval.submit', why: 'a second person must agree first' },
  'repay.rollback': { machine: 'M74', event: 'approval.submit', why: 'a second person must agree first' },
  'recon.adjust': { machine: 'M74', event: 'approval.submit', why: 'a second person must agree first' },
  'recon.unblock': { machine: 'M74', event: 'approval.submit', why: 'a second person must agree first' },
  'repay.flowVoid': { machine: 'M74', event: 'approval.submit', why: 'a second person must agree first' },
  'audit.submit': { machine: 'M11', event: 'task.submit', why: 'the order moves with it' },
}

const named = endpoints.filter(({ endpoint }) => endpoint.on && endpoint.auth === 'staff')
const creates = ({ on }: Endpoint) =>
  (machines[on!.machine] as Machine).rows.filter(row => row.event === on!.event).every(row => row.from.includes('∅'))
const onRecords = named.filter(({ endpoint }) => !creates(endpoint))

/** States in which the command may do what it says, under its own code where rows of its event differ in it. */
const legalStates = ({ on, perm }: Endpoint): string[] => {
  const m: Machine = machines[on!.machine]
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

let house: House
let foreigner: Person
const hash = () => tablesHash(house.db)
beforeAll(async () => {
  house = await openHouse()
  foreigner = await house.person({ perms: everyPerm, limit: 'own_merchants', merchants: ['M2'] })
}, 60_000)
afterAll(() => house.close())

it('has a scene for every command that fires an event on a record, and for no other', () => {
  expect(scenes.map(scene => scene.endpoint.path).sort()).toEqual(onRecords.map(({ endpoint }) => endpoint.path).sort())
})

describe.each(onRecords)('$name', ({ name, endpoint }) => {
  const { machine, key } = endpoint.on!
  const m: Machine = machines[machine]
  const legal = legalStates(endpoint)
  const illegal = Object.keys(m.states).filter(state => !legal.includes(state))
  const { make } = scenes.find(scene => scene.endpoint === endpoint)!
  const batch = endpoint.output === results

  let made: Made
  let before: Record<string, string>
  const ask = (input: Input = made.input, as = made.as ?? house.boss, requestId: string = randomUUID()) =>
    house.ask(endpoint, input, { as, headers: { 'x-request-id': requestId } })
  const saysNo = (heard: Heard, code: number) => {
    const { msg, ...outcome } = outcomeOf(endpoint, heard)
    expect(outcome.code, heard.text.slice(0, 400)).toBe(code)
    expect(isKey(msg) || !/\S/.test(msg) || msg.includes('{'), msg).toBe(false)
  }
  const refused = async (heard: Heard, code: number) => {
    saysNo(heard, code)
    expect(await hash()).toEqual(before)
  }

  beforeAll(async () => {
    made = await make(house)
    before = await hash()
  }, 30_000)

  it(`is refused in ${illegal.length} of ${illegal.length + legal.length} states with 40901, and changes nothing`, async () => {
    const started = await house.statusOf(machine, made.no)
    expect(legal).toContain(started)
    for (const state of illegal) {
      await house.force(machine, made.no, state)
      const heard = await ask()
      saysNo(heard, 40901)
      if (!batch) expect(heard.data, state).toMatchObject({ status: expect.stringMatching(/^[a-z_]+$/) })
    }
    await house.force(machine, made.no, started)
    expect(await hash()).toEqual(before)
  })

  const { perm } = endpoint
  if (perm)
    it('is refused to whoever holds every right but its own, and changes nothing', () =>
      house
        .without(made.as ?? house.boss, [perm], async () => saysNo(await ask(), 40301))
        .then(async () => expect(await hash()).toEqual(before)))

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
    const transitions = await house.rows(
      sql<{
        machine: string
        event: string
      }>`select machine, event from state_transition where request_id = ${requestId}`,
    )
    const expected = otherEvent[name]
    if (!expected) expect(transitions).toContainEqual({ machine: m.id, event: endpoint.on!.event })
    else if (expected.event) expect(transitions).toContainEqual({ machine: expected.machine, event: expected.event })
    else expect(transitions).toEqual([])
    const lines = await house.rows(
      sql<{ action: string; actor: string }>`select action, actor from audit_log where request_id = ${requestId}`,
    )
    const by = (made.as ?? house.boss).userNo
    if (endpoint.audit) expect(lines).toContainEqual({ action: endpoint.audit, actor: by })
    else expect(lines).toEqual([])
  })
})

const beginning = async ({ on, input }: Endpoint): Promise<Input> => {
  switch (on?.machine) {
    case 'exportJob':
      return { ...inputOf({ input }), filters: {}, reason: 'monthly report' }
    case 'importJob':
      return { uploadNo: await house.released() }
    case 'upload':
      return { purpose: 'import', fileName: 'leads.csv', size: 2_048, sha256: '0'.repeat(64) }
    case 'leave':
      return { leaveType: 'sick', startTime: '2026-01-05T05:00:00Z', endTime: '2026-01-05T14:00:00Z' }
    default:
      return {
        paymentChannel: 'mtn_momo',
        serialNo: 'SN-NEW',
        amount: '50000.00',
        entryTime: house.clock.now().toISOString(),
        fundAccountNo: 'FA1',
      }
  }
}

describe.each(named.filter(({ endpoint }) => creates(endpoint)))('$name', ({ endpoint }) => {
  beforeAll(() => house.worker.drain())

  it('makes a record, with its transition and its audit line under the id of the request', async () => {
    const requestId = `request-${randomUUID()}`
    const heard = await house.ask(endpoint, await beginning(endpoint), {
      as: house.boss,
      headers: { 'x-request-id': requestId },
    })
    expect(heard.code, heard.text).toBe(0)
    const written = await house.rows(
      sql<{
        machine: string
        event: string
        fromState: string
      }>`select machine, event, from_state from state_transition where request_id = ${requestId}`,
    )
    const made = { machine: machines[endpoint.on!.machine].id, event: endpoint.on!.event, fromState: '∅' }
    expect(written.filter(one => one.event !== 'attach')).toEqual([made])
    expect(
      await house.rows(sql<{ action: string }>`select action from audit_log where request_id = ${requestId}`),
    ).toEqual(endpoint.audit ? [{ action: endpoint.audit }] : [])
  })
})

describe.each([...reviewWays, ...payoutWays, ...repayWays, ...platformWays, ...reconWays])('$name', ({ walk }) => {
  it('goes along rows of its machines', () => walk(house), 60_000)
})

describe('rows of machines that have tables', () => {
  const platform = ['idempotencyRecord', 'outboxMessage', 'jobRun']
  const legal = Object.entries<Machine>(machines)
    .filter(([name]) => !platform.includes(name))
    .flatMap(([name, m]) =>
      m.rows
        .filter(row => !row.refused)
        .flatMap(row =>
          row.from.map(from => ({ name, id: m.id, from, event: row.event, to: row.to === '=' ? from : row.to })),
        ),
    )
  type Step = (typeof legal)[number]
  const waits = ({ name, from, event, to }: Step) =>
    Object.values(notDriven).some(of => of[name]?.includes(`${from} ${event} ${to}`))

  it('are all driven through HTTP, but those that wait for their part of the house', async () => {
    const written = await house.rows(
      sql<{
        line: string
      }>`select distinct concat_ws(' ', machine, from_state, event, to_state) as line from state_transition where request_id <> 'fixture'`,
    )
    const lines = new Set(written.map(row => row.line))
    const isDriven = ({ id, from, event, to }: Step) => lines.has(`${id} ${from} ${event} ${to}`)
    const said = (step: Step) => `${step.name} ${step.from} ${step.event} ${step.to}`
    expect(legal.filter(step => !isDriven(step) && !waits(step)).map(said)).toEqual([])
    expect(legal.filter(step => isDriven(step) && waits(step)).map(said)).toEqual([])
    expect({ legal: legal.length, driven: legal.filter(isDriven).length }).toEqual({ legal: 248, driven: 187 })
  })

  it('that wait are rows that there are', () => {
    const named = Object.values(notDriven).flatMap(of => Object.values(of).flat())
    expect(named.length).toBe(new Set(named).size)
    expect(legal.filter(waits).length).toBe(named.length)
  })
})

it('leaves books, states and files of which every invariant holds', async () => {
  expect(await house.db.read(runInvariants)).toEqual([])
})

import { describe, expect, it } from 'vitest'
import { dictionaries } from '../../core/contract/dictionaries.ts'
import { absent, can, eventsOf, type Machine, rowsOf } from '../../core/rules/machines/machine.ts'
import { type MachineName, machines } from '../../core/rules/machines/machines.ts'

/** Pairs of state and event, the state before a row exists among them: how many may happen, and how many have no row. */
const expected: Record<MachineName, { legal: number; illegal: number }> = {
  order: { legal: 44, illegal: 320 },
  auditTask: { legal: 8, illegal: 22 },
  loanCode: { legal: 26, illegal: 116 },
  gatewayAttempt: { legal: 14, illegal: 46 },
  confirmRecord: { legal: 6, illegal: 19 },
  plan: { legal: 13, illegal: 35 },
  flow: { legal: 16, illegal: 74 },
  repaymentRecord: { legal: 10, illegal: 22 },
  overpayment: { legal: 8, illegal: 12 },
  approval: { legal: 7, illegal: 49 },
  idempotencyRecord: { legal: 6, illegal: 12 },
  outboxMessage: { legal: 7, illegal: 28 },
  jobRun: { legal: 7, illegal: 28 },
  reconItem: { legal: 3, illegal: 9 },
  exportJob: { legal: 7, illegal: 35 },
  upload: { legal: 11, illegal: 53 },
  importJob: { legal: 9, illegal: 63 },
  announcement: { legal: 12, illegal: 36 },
  leave: { legal: 4, illegal: 11 },
  embedToken: { legal: 5, illegal: 20 },
  mfa: { legal: 8, illegal: 24 },
}

/** Rows whose only job is to refuse: 40901 too, with words of their own. */
const refusing: Partial<Record<MachineName, number>> = { loanCode: 2, flow: 1, repaymentRecord: 1 }

const all = Object.entries(machines) as [MachineName, Machine][]
const pairsOf = (m: Machine) =>
  [absent, ...Object.keys(m.states)].flatMap(from => eventsOf(m).map(event => ({ from, event })))
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/** States that can come to be, starting from nothing. */
const reachable = (m: Machine): Set<string> => {
  const seen = new Set<string>([absent])
  for (let before = 0; before !== seen.size; ) {
    before = seen.size
    for (const row of m.rows) if (row.from.some(from => seen.has(from)) && !row.to.startsWith('=')) seen.add(row.to)
  }
  return seen
}

describe.each(all)('%s', (name, m) => {
  const states = Object.keys(m.states)
  const { legal, illegal } = expected[name]

  it(`has ${legal} legal pairs of state and event, ${refusing[name] ?? 0} that always refuse and ${illegal} illegal ones`, () => {
    const pairs = pairsOf(m)
    const rowless = pairs.filter(({ from, event }) => rowsOf(m, from, event).length === 0)
    const may = pairs.filter(({ from, event }) => can(m, from, event))
    expect({ legal: may.length, illegal: rowless.length }).toEqual({ legal, illegal })
    expect(pairs.length - may.length - rowless.length).toBe(refusing[name] ?? 0)
  })

  it('names the states of its dictionary, and no others', () => {
    expect(new Set(states)).toEqual(new Set(dictionaries[m.dict as keyof typeof dictionaries]))
  })

  it('leads from states that there are to states that there are', () => {
    for (const row of m.rows) {
      for (const from of row.from) expect([absent, ...states], row.event).toContain(from)
      if (!row.to.startsWith('=')) expect(states, row.event).toContain(row.to)
    }
  })

  it('can come into every state', () => {
    expect(states.filter(state => !reachable(m).has(state))).toEqual([])
  })

  it('leaves no terminal state', () => {
    const left = m.rows.filter(row => row.to !== '=' && row.from.some(from => m.states[from]?.terminal))
    expect(left).toEqual([])
  })

  it('ends only in states that say so, or that an event leads out of', () => {
    const stuck = states.filter(
      state => !m.states[state]?.terminal && !m.rows.some(row => row.from.includes(state) && row.to !== '='),
    )
    expect(stuck).toEqual([])
  })

  it('is never created by an event of a row that exists', () => {
    for (const row of m.rows.filter(one => one.from.includes(absent)))
      expect(row.to.startsWith('='), row.event).toBe(false)
  })

  it('tells rows of one state and event apart by their guard', () => {
    for (const { from, event } of pairsOf(m)) {
      const guards = rowsOf(m, from, event).map(row => row.as)
      expect(new Set(guards).size, `${from} ${event}`).toBe(guards.length)
      if (guards.length > 1) expect(guards, `${from} ${event}`).not.toContain(undefined)
    }
  })
})

it('has an id, a name and a table for each machine', () => {
  for (const key of ['id', 'name', 'table'] as const) expect(new Set(all.map(([, m]) => m[key])).size).toBe(all.length)
})

it('refuses 1034 illegal pairs in all', () => {
  expect(sum(Object.values(expected).map(one => one.illegal))).toBe(1034)
  expect(
    sum(all.map(([, m]) => pairsOf(m).filter(({ from, event }) => rowsOf(m, from, event).length === 0).length)),
  ).toBe(1034)
})

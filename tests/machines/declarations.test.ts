import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { dictionaries } from '../../core/contract/dictionaries.ts'
import { allMachines, systems } from '../../core/rules/machines/all-machines.ts'
import { absent, can, eventsOf, type Machine, rowsOf } from '../../core/rules/machines/machine.ts'
import { machines } from '../../core/rules/machines/machines.ts'
import { counts } from './counts.ts'

/** Numbers that no machine has: they were given up while the machines were thought out. */
const gaps = [15, 16, 17, 18, 19, 22, 24, 25, 26, 27, 28, 29]

/** Rows whose only job is to refuse: 40901 too, with words of their own. */
const refusing: Record<string, number> = {
  loanCode: 2,
  flow: 1,
  repaymentRecord: 1,
  walletWithdrawal: 1,
  language: 1,
}

/** A code in which a screen may put its own part, and what rights are called that depend on a record. */
const code = /^(\{(ns|area|tpl|shelf)\}|[a-z][A-Za-z]*)(:[a-z][A-Za-z]*)+$/
const dependent = ['(perm of the action)', '(perm of the action):check', '(handling permission of the type)']

const all = Object.entries(allMachines)
const pairsOf = (m: Machine) =>
  [absent, ...Object.keys(m.states)].flatMap(from => eventsOf(m).map(event => ({ from, event })))
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
const kebab = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** States that can come to be, starting from nothing. */
const reachable = (m: Machine): Set<string> => {
  const seen = new Set<string>([absent])
  for (let before = 0; before !== seen.size; ) {
    before = seen.size
    for (const row of m.rows) if (row.from.some(from => seen.has(from)) && !row.to.startsWith('=')) seen.add(row.to)
  }
  return seen
}

const measured = (name: string, m: Machine) => {
  const pairs = pairsOf(m)
  const legal = pairs.filter(({ from, event }) => can(m, from, event)).length
  const illegal = pairs.filter(({ from, event }) => rowsOf(m, from, event).length === 0).length
  expect(pairs.length - legal - illegal, name).toBe(refusing[name] ?? 0)
  const transitions = sum(m.rows.map(row => row.from.length))
  return { states: Object.keys(m.states).length, transitions, legal, illegal }
}

describe.each(all)('%s', (name, m) => {
  const states = Object.keys(m.states)

  it('has the states, the transitions, the legal and the illegal pairs that are expected', () => {
    expect(measured(name, m)).toEqual(counts[name])
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

  it('names events and rights as they are named everywhere', () => {
    for (const { event, perm = 'system' } of m.rows) {
      expect(event).toMatch(/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)?$/)
      if (!['system', 'anon', ...dependent].includes(perm))
        for (const one of perm.split(' or ')) expect(one, event).toMatch(code)
    }
  })
})

describe.each(Object.entries(machines))('%s, which has a table,', (name, m) => {
  it('is among all machines, and its dictionary names its states and no others', () => {
    expect(allMachines[name]).toBe(m)
    expect(new Set(Object.keys(m.states))).toEqual(new Set(dictionaries[m.dict as keyof typeof dictionaries]))
  })
})

it('numbers the machines from M01 to M106, each once', () => {
  const numbers = all.map(([, m]) => Number(m.id.slice(1))).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 106 }, (_, at) => at + 1).filter(one => !gaps.includes(one)))
  for (const [, m] of all) expect(m.id).toMatch(/^M\d{2,3}$/)
})

it('has a name and a status column for each machine', () => {
  expect(new Set(all.map(([, m]) => m.name)).size).toBe(all.length)
  expect(new Set(all.map(([, m]) => `${m.table}.${m.status}`)).size).toBe(all.length)
})

it('keeps each machine in a file of its own, in the folder of its system', () => {
  const root = path.join(import.meta.dirname, '../../core/rules/machines')
  const folders = readdirSync(root, { withFileTypes: true }).filter(entry => entry.isDirectory())
  expect(folders.map(folder => folder.name).sort()).toEqual(Object.keys(systems).sort())
  for (const [system, own] of Object.entries(systems)) {
    const files = readdirSync(path.join(root, system)).sort()
    expect(files).toEqual(
      Object.keys(own)
        .map(name => `${kebab(name)}.ts`)
        .sort(),
    )
  }
})

it('allows 753 pairs of state and event of 94 machines, and refuses 2678 that have no row and 6 that have one', () => {
  const totals = { machines: 94, states: 401, rows: 771, transitions: 950, legal: 753, illegal: 2678, refusing: 6 }
  const of = (what: 'states' | 'transitions' | 'legal' | 'illegal') =>
    sum(all.map(([name, m]) => measured(name, m)[what]))
  expect({
    machines: all.length,
    states: of('states'),
    rows: sum(all.map(([, m]) => m.rows.length)),
    transitions: of('transitions'),
    legal: of('legal'),
    illegal: of('illegal'),
    refusing: sum(Object.values(refusing)),
  }).toEqual(totals)
})

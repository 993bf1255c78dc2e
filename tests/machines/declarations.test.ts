import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { allMachines, systems } from '../../core/rules/machines/all-machines.ts'
import { absent, can, eventsOf, type Machine, rowsOf } from '../../core/rules/machines/machine.ts'
import { machines } from '../../core/rules/machines/machines.ts'

/** A code in which a screen may put its own part, and what rights are called that depend on a record. */
const code = /^(\{(ns|area|tpl|shelf)\}|[a-z][A-Za-z]*)(:[a-z][A-Za-z]*)+$/
const dependent = ['(perm of the action)', '(perm of the action):check', '(handling permission of the type)']

const all = Object.entries(allMachines)
const pairsOf = (m: Machine) =>
  [absent, ...Object.keys(m.states)].flatMap(from => eventsOf(m).map(event => ({ from, event })))
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

describe.each(all)('%s', (_, m) => {
  const states = Object.keys(m.states)

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
  it('is among all machines', () => {
    expect(allMachines[name]).toBe(m)
  })
})

it('numbers each machine once', () => {
  for (const [, m] of all) expect(m.id).toMatch(/^M\d{2,3}$/)
  expect(new Set(all.map(([, m]) => m.id)).size).toBe(all.length)
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

it('answers of every pair of state and event whether it is allowed, refused with a row or without one', () => {
  for (const [name, m] of all)
    for (const { from, event } of pairsOf(m)) {
      const rows = rowsOf(m, from, event)
      expect(can(m, from, event), `${name} ${from} ${event}`).toBe(rows.some(row => !row.refused))
      if (rows.some(row => row.refused)) expect(rows, `${name} ${from} ${event}`).toHaveLength(1)
    }
})

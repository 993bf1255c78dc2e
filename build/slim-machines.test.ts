import { expect, test } from 'vitest'
import { can, eventsOf, type Machine } from '../core/rules/machines/machine.ts'
import { machines } from '../core/rules/machines/machines.ts'
import { slim } from './slim-machines.ts'

const all = Object.values(machines) as readonly Machine[]

/** Events of which no row is for people. */
const automatic = (m: Machine, event: string) =>
  m.rows.filter(row => row.event === event).every(row => row.perm === 'system')

test('a browser allows what people may do exactly where the server does', () => {
  let asked = 0
  for (const m of all) {
    const browser = slim(m) as unknown as Machine
    for (const state of Object.keys(m.states)) {
      for (const event of eventsOf(m).filter(one => !automatic(m, one))) {
        const own = m.rows.filter(row => row.event === event && row.perm !== 'system')
        const allowed = can({ ...m, rows: own }, state, event)
        expect([m.name, state, event, can(browser, state, event)]).toEqual([m.name, state, event, allowed])
        asked += 1
      }
    }
  }
  expect(asked).toBeGreaterThan(200)
})

test('it has every state with its colour, and nothing that only jobs do', () => {
  for (const m of all) {
    const browser = slim(m) as unknown as Machine
    expect(browser.states).toEqual(m.states)
    for (const event of eventsOf(m).filter(one => automatic(m, one))) expect(eventsOf(browser)).not.toContain(event)
  }
})

import path from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../core/contract/contract.ts'
import { can, eventsOf, type Machine, type Row } from '../core/rules/machines/machine.ts'
import { machines } from '../core/rules/machines/machines.ts'
import { isPressed, slim, slimMachines } from './slim-machines.ts'

const all = Object.entries(machines) as [string, Machine][]
const inBrowser = (name: string, m: Machine) => slim(name, m) as unknown as Machine
const pressed = (name: string, m: Machine, event: string) =>
  (m.rows as readonly Row[]).filter(row => row.event === event && isPressed(name, row))

test('a browser allows what people may do exactly where the server does', () => {
  let asked = 0
  for (const [name, m] of all) {
    for (const state of Object.keys(m.states)) {
      for (const event of eventsOf(m).filter(one => pressed(name, m, one).length)) {
        const allowed = can({ ...m, rows: pressed(name, m, event) }, state, event)
        expect([name, state, event, can(inBrowser(name, m), state, event)]).toEqual([name, state, event, allowed])
        asked += 1
      }
    }
  }
  expect(asked).toBeGreaterThan(200)
})

test('every command that names an event is allowed in the states in which the server takes it', () => {
  const named = endpoints.flatMap(({ name, endpoint }) => (endpoint.on ? [{ name, on: endpoint.on }] : []))
  expect(named.length).toBeGreaterThan(30)
  for (const { name, on } of named) {
    const m = machines[on.machine] as Machine
    for (const state of Object.keys(m.states))
      expect([name, state, can(inBrowser(on.machine, m), state, on.event)]).toEqual([
        name,
        state,
        can(m, state, on.event),
      ])
  }
})

test('it has every state with its colour, and nothing that only jobs do', () => {
  for (const [name, m] of all) {
    expect(inBrowser(name, m).states).toEqual(
      Object.fromEntries(Object.entries(m.states).map(([state, { tone }]) => [state, { tone }])),
    )
    for (const event of eventsOf(m).filter(one => !pressed(name, m, one).length))
      expect(eventsOf(inBrowser(name, m))).not.toContain(event)
  }
})

const transform = slimMachines().transform as unknown as (code: string, id: string) => Promise<{ code: string } | null>
const inRules = (file: string) => path.join(import.meta.dirname, '../core/rules/machines', file)

test('the build strips every declaration, leaves the list of them alone and lets no other machine in', async () => {
  expect((await transform('', inRules('order/order.ts')))?.code).not.toMatch(/perm|table|system/)
  for (const file of ['machine.ts', 'machines.ts']) expect(await transform('', inRules(file))).toBe(null)
  await expect(transform('', inRules('all-machines.ts'))).rejects.toThrow('a browser asks machines.ts')
})

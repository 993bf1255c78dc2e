import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rollup'
import { endpoints } from '../core/contract/contract.ts'
import type { Machine, Row } from '../core/rules/machines/machine.ts'

const declared = /[\\/]core[\\/]rules[\\/]machines[\\/][\w-]+[\\/][\w-]+\.ts$/

const everyMachine = /[\\/]core[\\/]rules[\\/]machines[\\/]all-machines\.ts$/

const commanded = new Set(endpoints.map(({ endpoint: { on } }) => on && `${on.machine}/${on.event}`))

/** Whether people make an event happen: by a right of its own, or by a command that names it. */
export const isPressed = (name: string, { event, perm }: Row): boolean =>
  perm !== 'system' || commanded.has(`${name}/${event}`)

/** What a browser asks of the machine of this name: the colours of its states, and in which of them somebody may do what. */
export const slim = (name: string, { status, dict, states, rows }: Machine) => {
  const pressed = new Map<string, Set<string>>()
  for (const row of rows as readonly Row[]) {
    const { event, from } = row
    if (row.refused || !isPressed(name, row)) continue
    pressed.set(event, new Set([...(pressed.get(event) ?? []), ...from]))
  }
  const tones = Object.fromEntries(Object.entries(states).map(([state, { tone }]) => [state, { tone }]))
  return { status, dict, states: tones, rows: [...pressed].map(([event, from]) => ({ event, from: [...from] })) }
}

/** Machines without what only the server asks of them: tables, rights, targets, what jobs and other machines do. */
export const slimMachines = (): Plugin => ({
  name: 'slim-machines',
  async transform(_code, id) {
    if (everyMachine.test(id)) throw new Error(`${id} has machines that no endpoint names: a browser asks machines.ts`)
    if (!declared.test(id)) return null
    const exported: Record<string, Machine> = await import(pathToFileURL(id).href)
    const lines = Object.entries(exported).map(([name, m]) => `export const ${name} = ${JSON.stringify(slim(name, m))}`)
    return { code: lines.join('\n'), map: null }
  },
})

import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rollup'
import type { Machine, Row } from '../core/rules/machines/machine.ts'

const declared = /[\\/]core[\\/]rules[\\/]machines[\\/](?!machines?\.ts)[\w-]+\.ts$/

/** What a browser asks of a machine: the colours of its states, and in which of them somebody may do what. */
export const slim = ({ status, dict, states, rows }: Machine) => {
  const pressed = new Map<string, Set<string>>()
  for (const { event, from, perm, refused } of rows as readonly Row[]) {
    if (perm === 'system' || refused) continue
    pressed.set(event, new Set([...(pressed.get(event) ?? []), ...from]))
  }
  return { status, dict, states, rows: [...pressed].map(([event, from]) => ({ event, from: [...from] })) }
}

/** Machines without what only the server asks of them: tables, rights, targets, what jobs and other machines do. */
export const slimMachines = (): Plugin => ({
  name: 'slim-machines',
  async transform(_code, id) {
    if (!declared.test(id)) return null
    const exported: Record<string, Machine> = await import(pathToFileURL(id).href)
    const lines = Object.entries(exported).map(([name, m]) => `export const ${name} = ${JSON.stringify(slim(m))}`)
    return { code: lines.join('\n'), map: null }
  },
})

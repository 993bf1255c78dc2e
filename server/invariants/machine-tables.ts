import { endpoints } from '../../core/contract/contract.ts'
import { absent, type Machine as Declared, rowsOf, same } from '../../core/rules/machines/machine.ts'
import { type MachineName, machines } from '../../core/rules/machines/machines.ts'

/** Machines whose state is written by `transition` alone; the platform keeps its own for keys, messages and jobs. */
const outside: readonly MachineName[] = ['idempotencyRecord', 'outboxMessage', 'jobRun']

/** A machine with its table, as the rules of states read it. */
export type Machine = {
  id: string
  table: string
  key: string
  status: string
  part?: Declared['part']
  /** How the cause of a journal may call it. */
  names: string[]
  /** Every step it allows; `to` is null where the target is a remembered state. */
  steps: { from: string; event: string; to: string | null }[]
}

const stepsOf = (m: Declared): Machine['steps'] =>
  [absent, ...Object.keys(m.states)].flatMap(from =>
    [...new Set(m.rows.map(row => row.event))].flatMap(event =>
      rowsOf(m, from, event)
        .filter(row => !row.refused)
        .map(({ to }) => ({ from, event, to: to === same ? from : to.startsWith('=') ? null : to })),
    ),
  )

/** Machines that stand for several tables, once for each that a command names. */
export const instances: readonly Declared[] = [
  ...new Map(
    endpoints.flatMap(({ endpoint: { on } }) => (on?.machine.of ? [[on.machine.id, on.machine] as const] : [])),
  ).values(),
]

const declared: readonly (readonly [name: string, m: Declared])[] = [
  ...Object.entries(machines as Record<MachineName, Declared>).filter(
    ([name]) => !outside.includes(name as MachineName),
  ),
  ...instances.map(m => [m.table, m] as const),
]

/** Every machine that has a table. */
export const machineTables: readonly Machine[] = declared.map(([name, m]) => ({
  id: m.id,
  table: m.table,
  key: m.key,
  status: m.status,
  ...(m.part ? { part: m.part } : {}),
  names: [...new Set([m.table, m.of ? m.table : m.name, name])],
  steps: stepsOf(m),
}))

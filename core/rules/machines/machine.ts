/** What a status means to the eye, the same on every screen. */
export type Tone = 'wait' | 'progress' | 'good' | 'attention' | 'bad' | 'ended'

/** The state before a row exists. */
export const absent = '∅'
/** The target of a row that leaves the state as it is. */
export const same = '='

/** One legal move: from states, by an event, to a state. */
export type Row<S extends string = string> = {
  from: readonly (S | typeof absent)[]
  event: string
  /** A state, `=` for unchanged, or `=field` for the state that the caller names (a remembered one). */
  to: S | typeof same | `=${string}`
  /** Which of several rows of one event applies; the caller decides by its guard. */
  as?: string
  /**
   * The operation code, or several with ` or `; `system` for jobs, callbacks and other machines, `anon` before sign-in; absent where no right is
   * asked for. What stands in braces differs by screen: `{ns}`, `{area}`, `{tpl}`, `{shelf}`.
   */
  perm?: string
  /** The row exists to say no: it is always refused. */
  refused?: true
}

/** A state machine. The server's guard, the buttons, the documentation and the tests derive from it. */
export type Machine<S extends string = string> = {
  id: `M${number}` | `M${number}.${string}`
  name: string
  title: string
  /** Where the status lives; `{…}` where several tables have one of their own. */
  table: string
  key: string
  status: string
  /** The dictionary that names its states. */
  dict: string
  states: Readonly<Record<S, { tone: Tone; terminal?: true }>>
  rows: readonly Row<NoInfer<S>>[]
  /** The platform moves its rows with leases of its own; `transition()` moves all others. */
  leased?: true
  /** The name of the machine that this one is an {@link instance} of. */
  of?: string
  /** Of a table that holds the items of several: what tells its own rows from those of the others. */
  part?: Part
}

/** The rows of a table that have a value in a column. `name` stands for the table in identities. */
export type Part = { name: string; column: string; value: string }

/** Declares a machine; the states of its rows are checked by type. */
export const machine = <const S extends string>(declaration: Machine<S>): Machine<S> => declaration

/**
 * A machine that stands for several tables, as it is for one of them. Its identity names the table, so that history and invariants tell
 * the instances apart. `perms` says what stands for the parts in braces, or for a whole code: `{ '{area}': 'org:sensitiveWord' }`.
 */
export const instance = <S extends string>(
  m: Machine<S>,
  own: { table: string; key: string; perms: Readonly<Record<string, string>>; part?: Part },
): Machine<S> => ({
  ...m,
  id: `${m.id as `M${number}`}.${own.part?.name ?? own.table}`,
  of: m.name,
  ...(own.part ? { part: own.part } : {}),
  table: own.table,
  key: own.key,
  rows: m.rows.map(row => (row.perm === undefined ? row : { ...row, perm: filled(row.perm, own.perms) })),
})

/** A machine that lacks some events: those of its rows that no table of an instance knows. */
export const without = <S extends string>(m: Machine<S>, events: readonly string[]): Machine<S> => ({
  ...m,
  rows: m.rows.filter(row => !events.includes(row.event)),
})

const filled = (perm: string, perms: Readonly<Record<string, string>>) =>
  Object.entries(perms).reduce((code, [part, own]) => code.replace(part, own), perm)

/** Rows that lead out of a state by an event. */
export const rowsOf = (m: Machine, from: string, event: string): readonly Row[] =>
  m.rows.filter(row => row.event === event && (row.from as readonly string[]).includes(from))

/**
 * Whether an event may happen in a state: what the server asks before it acts and a button before it is enabled. Where rows of the event
 * are divided between codes, a holder of `perm` has those of that code.
 */
export const can = (m: Machine, from: string, event: string, perm?: string): boolean => {
  const divided = perm !== undefined && m.rows.some(row => row.event === event && row.perm === perm)
  return rowsOf(m, from, event).some(row => !row.refused && (!divided || row.perm === perm))
}

/** The names of a machine's states. */
export type StateOf<M> = M extends Machine<infer S> ? S : never

/** The states of a machine, in the order of its declaration. */
export const statesOf = <S extends string>(m: Machine<S>): [S, ...S[]] => Object.keys(m.states) as [S, ...S[]]

/** The events of a machine, each once, in the order of its rows. */
export const eventsOf = (m: Machine): readonly string[] => [...new Set(m.rows.map(row => row.event))]

/** The state a row leads to; `remembered` is what the caller names for a `=field` target. */
export const targetOf = (row: Row, from: string, remembered?: string): string => {
  if (row.to === same) return from
  if (!row.to.startsWith('=')) return row.to
  if (!remembered) throw new Error(`${row.event} leads to a remembered state and none was named`)
  return remembered
}

/** What a status means to the eye, the same on every screen. */
export type Tone = 'wait' | 'progress' | 'good' | 'attention' | 'bad' | 'ended'

/** The state before a row exists. */
export const absent = '∅'
/** The target of a row that leaves the state as it is. */
export const same = '='

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

export type Machine<S extends string = string> = {
  id: `M${number}`
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
}

export const machine = <const S extends string>(declaration: Machine<S>): Machine<S> => declaration

/** Rows that lead out of a state by an event. */
export const rowsOf = (m: Machine, from: string, event: string): readonly Row[] =>
  m.rows.filter(row => row.event === event && (row.from as readonly string[]).includes(from))

/** Whether an event may happen in a state: what the server asks before it acts and a button before it is enabled. */
export const can = (m: Machine, from: string, event: string): boolean =>
  rowsOf(m, from, event).some(row => !row.refused)

export const eventsOf = (m: Machine): readonly string[] => [...new Set(m.rows.map(row => row.event))]

/** The state a row leads to; `remembered` is what the caller names for a `=field` target. */
export const targetOf = (row: Row, from: string, remembered?: string): string => {
  if (row.to === same) return from
  if (!row.to.startsWith('=')) return row.to
  if (!remembered) throw new Error(`${row.event} leads to a remembered state and none was named`)
  return remembered
}

import type { BlockedBy } from '../../core/contract/blocked.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { can } from '../../core/rules/machines/machine.ts'
import { type MachineName, nameOf } from '../../core/rules/machines/machines.ts'
import type { Tx } from '../db/database.ts'
import { Fault, stateConflict } from '../http/fault.ts'
import type { Session } from '../session/session.ts'

/** Who asks; jobs and approvals that are executed have no session. */
export type Asker = { tx: Tx; session: Session | null }

type Declared<F> = {
  /** Reads the facts that decide, by key; records that do not exist are left out. */
  read: (tx: Tx, keys: readonly string[]) => Promise<ReadonlyMap<string, F>>
  /** The states of a record, by machine. */
  states: (facts: F) => Partial<Record<MachineName, string>>
  /** Whether a second person has yet to decide something about the record. */
  waits?: (facts: F) => boolean
  commands: readonly {
    command: Endpoint
    /** The refusal beyond that of the command's machine, checked before it; null where there is none. */
    refuses?: (facts: F, at: Asker) => Fault | null
    /** It changes nothing that a second person decides about. */
    evenWhileWaiting?: true
  }[]
}

/** The two sides of a noun's refusals: the handler's check and the row's `blockedBy`. */
export type Blocks<F> = {
  /** Throws the refusal of a command for its record. Call it with the record locked. */
  check: (at: Asker, command: Endpoint, key: string) => Promise<F>
  /** The `blockedBy` of rows for the commands that their reader may give, in the order of the keys. */
  of: (at: { tx: Tx; session: Session }, keys: readonly string[]) => Promise<readonly BlockedBy[]>
}

/** Whether the machine of a command has a row for the state that a record is in. */
const byMachine = ({ on, perm }: Endpoint, states: Partial<Record<MachineName, string>>): Fault | null => {
  const state = on && !on.machine.of ? states[nameOf(on.machine) as MachineName] : undefined
  if (!on || state === undefined) return null
  return can(on.machine, state, on.event, perm) ? null : stateConflict(state, on.machine.dict)
}

const holds = ({ perms }: Session, { perm, anyPerm }: Endpoint) =>
  (!perm || perms.has(perm)) && (!anyPerm || anyPerm.some(code => perms.has(code)))

/** Refusals that are said, not thrown: nobody reads where they were made, and looking that up for each row costs more than the rest. */
const withoutStacks = <T>(say: () => T): T => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return say()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/**
 * Says once, for one noun, why a record does not take a command: the handlers refuse by it, and the rows carry it, so that a button is
 * disabled with the same reason.
 */
export const blocks = <F>({ read, states, waits, commands }: Declared<F>): Blocks<F> => {
  /** The refusals of a row beyond those of its states, which the button knows by the machine. */
  const beyond = (one: Declared<F>['commands'][number], facts: F, at: Asker): Fault | null =>
    one.refuses?.(facts, at) ??
    (waits?.(facts) && !one.evenWhileWaiting && !byMachine(one.command, states(facts))
      ? new Fault('stateConflict', 'errors.approvalWaits')
      : null)
  return {
    async check(at, command, key) {
      const facts = (await read(at.tx, [key])).get(key)
      const one = commands.find(declared => declared.command === command)
      if (!facts || !one) throw new Error(`${command.path} says nothing of ${key}`)
      const refusal = beyond(one, facts, at) ?? byMachine(command, states(facts))
      if (refusal) throw refusal
      return facts
    },
    async of(at, keys) {
      const own = commands.filter(({ command }) => holds(at.session, command))
      if (own.length === 0 || keys.length === 0) return keys.map(() => ({}))
      const found = await read(at.tx, keys)
      const said = (facts: F): BlockedBy =>
        Object.fromEntries(
          own.flatMap(one => {
            const refusal = beyond(one, facts, at)
            return refusal && one.command.audit
              ? [[one.command.audit, { reason: refusal.key, params: refusal.params }]]
              : []
          }),
        )
      return withoutStacks(() =>
        keys.map(key => {
          const facts = found.get(key)
          return facts ? said(facts) : {}
        }),
      )
    },
  }
}

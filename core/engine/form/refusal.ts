import { blockOf } from '../../contract/blocked.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Translate } from '../../element/i18n.ts'
import { dictText } from '../../i18n/plain.ts'
import { can } from '../../rules/machines/machine.ts'
import type { Action, LeftOut } from '../screen.ts'
import type { Row } from '../table/columns.ts'

type Command = Pick<Endpoint, 'perm' | 'anyPerm' | 'on' | 'audit'>

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The command that an action gives, or leads to. */
export const commandOf = (action: Action<Row>): Command | undefined => ('run' in action ? action.run : action.needs)

/** The words of a refusal: values that name a text are words too. */
export const said = (
  t: Translate,
  { reason, params }: { reason: string; params: Record<string, string | number> },
): string =>
  t.maybe(
    // What a command answers to somebody who saw another state; a row shows the one it is in.
    reason === 'errors.stateChanged' ? 'common.notInState' : reason,
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'string' && value.includes('.') ? (t.maybe(value) ?? value) : value,
      ]),
    ),
  ) ?? t('common.doesNotApply')

const byMachine = (t: Translate, { on, perm }: Command, row: Row): string | null => {
  if (!on) return null
  const m = on.machine
  const state = row[camel(m.status)]
  return typeof state === 'string' && !can(m, state, on.event, perm)
    ? t('common.notInState', { status: dictText(t, m.dict, state) })
    : null
}

/**
 * Why an action does not apply to a row; null when it does. The row says what the server would refuse (`blockedBy`), the machine what its
 * state forbids. A row that does not say so takes nothing while an approval waits.
 */
export const refusal = (t: Translate, action: Action<Row>, row: Row): string | null => {
  const command = commandOf(action)
  const block = blockOf(row, command)
  if (block) return said(t, block)
  const state = command && byMachine(t, command, row)
  if (state) return state
  if (!row.blockedBy && typeof row.pendingApproval === 'string') return t('common.pendingApproval')
  const fits = action.when?.(row) ?? true
  return fits === true ? null : t(fits || 'common.doesNotApply')
}

/** The rows that an action applies to, and those that it leaves out. */
export const divided = (t: Translate, action: Action<Row>, rows: readonly Row[], rowKey: string) => {
  const reasons = rows.map(row => refusal(t, action, row))
  return {
    fitting: rows.filter((_, at) => reasons[at] === null),
    left: rows.flatMap((row, at): LeftOut[] => {
      const reason = reasons[at]
      return typeof reason === 'string' ? [{ key: String(row[rowKey]), reason }] : []
    }),
  }
}

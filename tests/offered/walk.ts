import type { ReactElement } from 'react'
import { expect, it, vi } from 'vitest'
import { codes } from '../../core/contract/codes.ts'
import type { Endpoint, Envelope, Results } from '../../core/contract/endpoint.ts'
import { sample } from '../../core/contract/sample.ts'
import type { Action, CallAction, Listed, ListScreen, Screen } from '../../core/engine/screen.ts'
import type { Row } from '../../core/engine/table/columns.ts'
import { words as wordsIn } from '../../core/i18n/server.ts'
import type { Kit, Person } from '../../server/testing/kit.ts'

// Style sheets are made where a component's file is loaded; here nothing is drawn.
vi.stubGlobal(
  'CSSStyleSheet',
  class {
    replaceSync() {}
  },
)
const { inputOf } = await import('../../core/engine/form/ask/asked.ts')
const { commandOf, refusal } = await import('../../core/engine/form/refusal.ts')

export const words = wordsIn('en')

export type Props = { screen: ListScreen<Listed>; actions: Record<'row' | 'bulk', readonly Action<Row>[]> }
export const listOf = (screen: Screen): Props => (screen.render() as ReactElement<Props>).props

/** A record in some state, made for one call; who looks at it and acts on it. */
export type Scene = () => Promise<{ key: string; as: Person }>

type Walk = {
  kit: Pick<Kit, 'call'>
  list: Props
  /** Finds the row of a record. */
  row: (key: string, as: Person) => Promise<Row | undefined>
  scenes: Readonly<Record<string, Scene>>
  /** What a command is given besides what the engine gives it, where a sample would not do. */
  answers: (command: Endpoint, row: Row, as: Person) => Promise<object> | object
  /** What is typed is not worth a whole form here: a command that is offered may still object to it. */
  anyInput?: true
}

const refusedFor: readonly number[] = [codes.stateConflict, codes.versionConflict, codes.forbidden, codes.notFound]
const isRefused = ({ code, data }: Envelope): boolean =>
  refusedFor.includes(code) || ((data as Results | null)?.rows ?? []).some(row => refusedFor.includes(row.code))

const isDone = ({ code, data }: Envelope): boolean => code === codes.ok && !(data as Results | null)?.fail

const inputFor = async (action: Action<Row>, command: Endpoint, row: Row, as: Person, o: Walk) => {
  const given = 'run' in action ? inputOf(action as CallAction<Row>, [row], o.list.screen.rowKey) : {}
  const whole = sample(command.input) as Record<string, unknown>
  const asked = 'run' in action ? (action.ask ?? []) : []
  return {
    ...Object.fromEntries(asked.map(name => [name, whole[name]])),
    ...given,
    ...(await o.answers(command, row, as)),
  }
}

/** Presses every action of a list on a record in every state: what is offered is not refused for what the record is, and what is not offered would be. */
export const walk = (o: Walk): void => {
  const actions = o.list.actions.row.filter(action => commandOf(action)?.audit)
  for (const [name, scene] of Object.entries(o.scenes))
    for (const action of actions) {
      const command = commandOf(action) as Endpoint
      it(`${name}: ${command.audit}`, async () => {
        const { key, as } = await scene()
        const row = await o.row(key, as)
        expect(row).toBeDefined()
        const reason = refusal(words, action, row as Row)
        const input = await inputFor(action, command, row as Row, as, o)
        const answer = (await o.kit.call(command, input as never, { as })) as Envelope
        const outcome =
          isRefused(answer) || (reason && answer.msg === reason)
            ? 'refused'
            : isDone(answer) || o.anyInput
              ? 'done'
              : 'wrong'
        expect({ reason, outcome, answer }).toEqual({ reason, outcome: reason === null ? 'done' : 'refused', answer })
      })
    }
}

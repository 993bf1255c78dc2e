import { lazy, type ReactNode, Suspense } from 'react'
import { useMay } from '../client/providers.tsx'
import type { Endpoint } from '../contract/endpoint.ts'
import { useHost } from '../element/context.ts'
import { type Translate, useText } from '../element/i18n.ts'
import { dictText } from '../i18n/plain.ts'
import { can, type Machine } from '../rules/machines/machine.ts'
import { machines } from '../rules/machines/machines.ts'
import { Button, Flex, IconButton } from '../ui/basics.ts'
import { DropdownMenu } from '../ui/dropdown-menu.tsx'
import { Icon } from '../ui/icons.tsx'
import type { Row } from './columns.ts'
import type { Action } from './screen.ts'
import type { Chosen } from './use-chosen.ts'

type Any = Action<Row>

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const onOf = (action: Any): Endpoint['on'] => ('run' in action ? action.run.on : action.needs?.on)

/** Why an action does not apply to a row; null when it does. The machine says it, as on the server. */
export const refusal = (t: Translate, action: Any, row: Row): string | null => {
  const on = onOf(action)
  if (on) {
    const m: Machine = machines[on.machine]
    const state = row[camel(m.status)]
    if (typeof state === 'string' && !can(m, state, on.event))
      return t('common.notInState', { status: dictText(t, m.dict, state) })
  }
  if (typeof row.pendingApproval === 'string') return t('common.pendingApproval')
  return action.when && !action.when(row) ? t('common.doesNotApply') : null
}

/** The actions whose permission the caller holds; the others do not exist for them. */
export const useAllowed = (actions: readonly Any[]): readonly Any[] => {
  const may = useMay()
  return actions.filter(action => ('run' in action ? may.call(action.run) : !action.needs || may.call(action.needs)))
}

/** What was pressed: the action and the rows it is to act on. */
export type Pressed = { action: Any; rows: readonly Row[] }

/** Does what an action says at once where nothing is asked; otherwise hands it to the dialog. */
export const usePress = (ask: (pressed: Pressed) => void) => {
  const host = useHost()
  return (action: Any, rows: readonly Row[]) => {
    if ('go' in action) host.emit('mkopo-navigate', { ...action.go(rows[0] as Row), target: 'same' })
    else if ('press' in action) action.press(rows)
    else ask({ action, rows })
  }
}

const RowButton = ({
  action,
  row,
  press,
}: {
  action: Any
  row: Row
  press: (action: Any, rows: readonly Row[]) => void
}) => {
  const t = useText()
  const reason = refusal(t, action, row)
  return (
    <Button
      size="1"
      variant="ghost"
      color={action.tone === 'danger' ? 'red' : undefined}
      disabled={reason !== null}
      title={reason ?? undefined}
      onClick={() => press(action, [row])}
    >
      {t(action.label)}
    </Button>
  )
}

const visible = 2

/** Two actions of a row in sight, the rest in a menu. */
export const RowActions = ({
  actions,
  row,
  press,
}: {
  actions: readonly Any[]
  row: Row
  press: (action: Any, rows: readonly Row[]) => void
}): ReactNode => {
  const t = useText()
  const [first, rest] =
    actions.length > visible + 1 ? [actions.slice(0, visible), actions.slice(visible)] : [actions, []]
  return (
    <Flex gap="3" align="center" justify="end" wrap="nowrap">
      {first.map(action => (
        <RowButton key={action.label} action={action} row={row} press={press} />
      ))}
      {rest.length > 0 && (
        <DropdownMenu.Root>
          <DropdownMenu.Trigger>
            <IconButton size="1" variant="ghost" color="gray" aria-label={t('common.moreActions')}>
              <Icon name="more" />
            </IconButton>
          </DropdownMenu.Trigger>
          <DropdownMenu.Content size="1">
            {rest.map(action => {
              const reason = refusal(t, action, row)
              return (
                <DropdownMenu.Item
                  key={action.label}
                  color={action.tone === 'danger' ? 'red' : undefined}
                  disabled={reason !== null}
                  title={reason ?? undefined}
                  onSelect={() => press(action, [row])}
                >
                  {t(action.label)}
                </DropdownMenu.Item>
              )
            })}
          </DropdownMenu.Content>
        </DropdownMenu.Root>
      )}
    </Flex>
  )
}

export type Press = (action: Any, rows: readonly Row[]) => void

const ChosenBar = lazy(async () => ({ default: (await import('./list-work.ts')).ChosenBar }))

/** The line above the table: what can be done with the chosen rows, and with the list itself. Its room is always kept. */
export const ActionBar = ({
  bulk,
  toolbar,
  chosen,
  press,
  hits,
  views,
  children,
}: {
  bulk: readonly Any[]
  toolbar: readonly Any[]
  chosen: Chosen
  press: Press
  hits: ReactNode
  /** The views of the list. */
  views?: ReactNode
  children?: ReactNode
}) => {
  const t = useText()
  return (
    <Flex align="center" gap="3" className="mk-bar">
      {chosen.rows.length > 0 ? (
        <Suspense fallback={null}>
          <ChosenBar bulk={bulk} chosen={chosen} press={press} />
        </Suspense>
      ) : (
        <span className="mk-hits">{hits}</span>
      )}
      <Flex align="center" gap="2" ml="auto">
        {views}
        {toolbar.map(action => (
          <Button
            key={action.label}
            size="1"
            variant={action.tone === 'danger' ? 'soft' : 'surface'}
            color={action.tone === 'danger' ? 'red' : undefined}
            onClick={() => press(action, [])}
          >
            {t(action.label)}
          </Button>
        ))}
        {children}
      </Flex>
    </Flex>
  )
}

import type { ReactNode } from 'react'
import { useMay } from '../../client/providers.tsx'
import { useHost } from '../../element/context.ts'
import { useText } from '../../element/i18n.ts'
import { Button, Flex, IconButton } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import { DropdownMenu } from '../../ui/overlay/dropdown-menu.tsx'
import { ChosenBar } from '../list/chosen/chosen-bar.tsx'
import type { Press } from '../list/chosen/press.ts'
import type { Chosen } from '../list/chosen/use-chosen.ts'
import type { Action, LeftOut } from '../screen.ts'
import type { Row } from '../table/columns.ts'
import { refusal } from './refusal.ts'

type Any = Action<Row>

/** The actions whose permission the caller holds; the others do not exist for them. */
export const useAllowed = (actions: readonly Any[]): readonly Any[] => {
  const may = useMay()
  return actions.filter(action => ('run' in action ? may.call(action.run) : !action.needs || may.call(action.needs)))
}

/** What was pressed: the action, the rows it is to act on, and the chosen ones that it leaves out. */
export type Pressed = { action: Any; rows: readonly Row[]; left: readonly LeftOut[] }

/** Does what an action says at once where nothing is asked; otherwise hands it to the dialog. */
export const usePress = (ask: (pressed: Pressed) => void) => {
  const host = useHost()
  return (action: Any, rows: readonly Row[], left: readonly LeftOut[] = []) => {
    if ('go' in action) host.emit('mkopo-navigate', { ...action.go(rows[0] as Row), target: 'same' })
    else if ('press' in action) action.press(rows)
    else ask({ action, rows, left })
  }
}

type RowActionsProps = {
  actions: readonly Any[]
  row: Row
  press: Press
  /** How many stand in sight; in a table it is one, so that no column gives way to words. */
  visible?: number
  /** Why none of them can be pressed now. */
  off?: string | undefined
}

const RowButton = ({
  action,
  row,
  press,
  reason,
}: Omit<RowActionsProps, 'actions'> & { action: Any; reason: string | null }) => {
  const t = useText()
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

/** What cannot be pressed says why below its name. */
const RowItem = ({
  action,
  row,
  press,
  reason,
}: Omit<RowActionsProps, 'actions'> & { action: Any; reason: string | null }) => {
  const t = useText()
  return (
    <DropdownMenu.Item
      color={action.tone === 'danger' && reason === null ? 'red' : undefined}
      disabled={reason !== null}
      aria-label={t(action.label)}
      aria-description={reason ?? undefined}
      className={reason === null ? undefined : 'mk-off'}
      onSelect={() => press(action, [row])}
    >
      <span>
        {t(action.label)}
        {reason !== null && <small>{reason}</small>}
      </span>
    </DropdownMenu.Item>
  )
}

/** The first that can be pressed is the most likely; what harms is in sight only where nothing else can be done at all. */
const inSight = (all: readonly { action: Any; reason: string | null }[], visible: number) => {
  if (visible >= all.length && visible > 1) return all
  const live = all.filter(({ reason }) => reason === null)
  return all.length === 1 || visible > 1
    ? live.slice(0, visible)
    : live.filter(({ action }) => action.tone !== 'danger').slice(0, visible)
}

/** The action of a row that is live and most likely; the others in a menu, with the reasons of those that are not. */
export const RowActions = ({ actions, row, press, visible = 1, off }: RowActionsProps): ReactNode => {
  const t = useText()
  const all = actions.map(action => ({ action, reason: off ?? refusal(t, action, row) }))
  const first = inSight(all, visible)
  const rest = all.filter(one => !first.includes(one))
  return (
    <Flex gap="3" align="center" justify="end" wrap="nowrap">
      {first.map(({ action, reason }) => (
        <RowButton key={action.label} {...{ action, reason, row, press }} />
      ))}
      {rest.length > 0 && (
        <DropdownMenu.Root>
          <DropdownMenu.Trigger>
            <IconButton size="1" variant="ghost" color="gray" aria-label={t('common.moreActions')}>
              <Icon name="more" />
            </IconButton>
          </DropdownMenu.Trigger>
          <DropdownMenu.Content size="1" align="end">
            {rest.map(({ action, reason }) => (
              <RowItem key={action.label} {...{ action, reason, row, press }} />
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Root>
      )}
    </Flex>
  )
}

/** The line above the table: what can be done with the chosen rows, and with the list itself. Its room is always kept. */
export const ActionBar = ({
  bulk,
  toolbar,
  chosen,
  press,
  hits,
  off,
  views,
  children,
}: {
  bulk: readonly Any[]
  toolbar: readonly Any[]
  chosen: Chosen
  press: Press
  hits: ReactNode
  /** Why nothing can be done with the chosen rows now. */
  off?: string | undefined
  /** The views of the list. */
  views?: ReactNode
  children?: ReactNode
}) => {
  const t = useText()
  return (
    <Flex align="center" gap="3" className="mk-bar">
      {chosen.rows.length > 0 ? (
        <ChosenBar bulk={bulk} chosen={chosen} press={press} off={off} />
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

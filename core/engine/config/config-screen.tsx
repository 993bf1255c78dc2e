import { type ComponentType, lazy, type ReactNode } from 'react'
import { common } from '../../contract/common/common.ts'
import type { Config } from '../../contract/config.ts'
import type { Endpoint, FiltersOf, ListEndpoint, OutputOf, RowOf } from '../../contract/endpoint.ts'
import { useText } from '../../element/i18n.ts'
import type { Key } from '../../i18n/index.ts'
import { can, type Machine } from '../../rules/machines/machine.ts'
import { shortTime } from '../../rules/time.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { listScreen } from '../list/list-screen.ts'
import type { Action, CallAction, Column, DialogProps, OwnAction, Screen, Words } from '../screen.ts'
import type { Row } from '../table/columns.ts'
import { Dict } from '../table/value.tsx'
import type { FormMode } from './config-form.tsx'
import type { VersionPreview } from './version-form.tsx'
import { isOpenVersion } from './version-states.ts'

const ConfigForm = lazy(async () => ({ default: (await import('./config-form.tsx')).ConfigForm }))
const VersionForm = lazy(async () => ({ default: (await import('./version-form.tsx')).VersionForm }))
const ConfigDrawer = lazy(async () => ({ default: (await import('./config-drawer.tsx')).ConfigDrawer }))

type Name<T> = Extract<keyof T, string>
type Shown<C extends Config> = RowOf<C['calls']['page']>
type Confirm<R> = Key | ((rows: readonly R[]) => Words)

type Given<C extends Config> = {
  config: C
  /** Columns of the noun; status, who and when follow them. */
  columns: readonly Column<Shown<C>>[]
  more?: readonly Name<Shown<C>>[]
  filters: readonly Name<C['filters']>[]
  /** What the drawer shows of an item; its columns by default. */
  settings?: readonly Name<Shown<C>>[]
  /** Tabs of the drawer between settings and history. */
  tabs?: readonly { name: string; label: Key; body: (row: Shown<C>) => ReactNode }[]
  /** What each asks: it names the item, or how many there are, and what follows. */
  confirm: Readonly<Record<'enable' | 'disable' | 'delete', Confirm<Shown<C>>>>
  /** The same for several, where the config takes several. */
  confirmMany?: Readonly<Record<'enable' | 'disable' | 'delete', Confirm<Shown<C>>>>
  /** What the toast says of a save. */
  /** What a version would change, in words of the numbers that its effect call answers. */
  effect?: Key
  /** Below the fields of a draft: what it would mean. */
  draftPreview?: VersionPreview
  /** There are as many items as there are: none is made, copied, switched or deleted here. */
  settled?: true
  saved?: (answer: OutputOf<C['calls']['save']>) => Words
  /** Below the form: what the item will look like to those who meet it. */
  preview?: (values: Row) => ReactNode
  presets?: readonly { label: Key; filters: FiltersOf<C['calls']['page']>; counted?: true }[]
  toolbar?: readonly Action<never>[]
  /** Further actions on an item. */
  row?: readonly Action<Shown<C>>[]
  /** Further actions on chosen items. */
  bulk?: readonly Action<Shown<C>>[]
  /** A part of the list: the fields that all of its items have in common. They are filtered by, given to new items, and not asked for. */
  within?: Readonly<Row>
  /** Filters that the list begins with. */
  start?: Readonly<Row>
  also?: readonly Endpoint[]
}

const idOf = (column: Column<never>): string => (typeof column === 'string' ? column : (column as { id: string }).id)

/** The badge of what waits for a second person. */
const pending = {
  id: 'pendingApproval',
  cell: ({ pendingApproval }: Row) => (pendingApproval ? <Pending maker={String(pendingApproval)} /> : null),
}
/** The version that comes next, and when. */
const nextVersion = {
  id: 'nextStatus',
  cell: ({ nextStatus, nextTime }: Row) =>
    nextStatus ? (
      <>
        <Dict dict="CONFIG_VERSION_STATUS" value={String(nextStatus)} />
        {nextStatus === 'scheduled' && nextTime ? ` ${shortTime(String(nextTime))}` : null}
      </>
    ) : null,
}
const Pending = ({ maker }: { maker: string }) => (
  <StatusBadge tone="attention" label={useText()('config.pendingBy', { name: maker })} />
)

type Call = Endpoint & { on?: { event: string } }
const press = (run: unknown, action: Omit<CallAction<Row>, 'run'>): Action<Row> => ({ run: run as Call, ...action })

/** The declaration of any config screen. */
type Of = Omit<Given<Config>, 'columns'> & { columns: readonly Column<never>[] }

const titles: Record<FormMode, Key> = { new: 'config.new', edit: 'config.edit', copy: 'config.copy' }
/** The dialog of a new item, of one that is changed, or of a copy. */
const formOf =
  ({ config, within, saved, preview }: Of, mode: FormMode) =>
  ({ rows, close }: DialogProps<Row>) => (
    <ConfigForm
      config={config}
      mode={mode}
      row={rows[0] as Row | undefined}
      title={titles[mode]}
      within={within}
      preview={preview}
      done={saved as never}
      close={close}
    />
  )

/** Enable, disable and delete of one item. */
const pressesOf = ({ config: { events, key }, confirm }: Of) => {
  const one = (rows: readonly Row[]) => ({ [key]: rows[0]?.[key], version: rows[0]?.version })
  const switching = (to: 'enable' | 'disable') =>
    press(events[to], {
      label: `config.${to}`,
      input: rows => ({ ...one(rows), enabled: to === 'enable' }),
      confirm: confirm[to] as never,
      done: answer => ((answer as { approvalNo: string | null }).approvalNo ? 'config.sentForApproval' : 'common.done'),
    })
  const remove = press(events.remove, {
    label: 'config.delete',
    tone: 'danger',
    input: one,
    confirm: confirm.delete as never,
    done: 'common.done',
  })
  return { enable: switching('enable'), disable: switching('disable'), remove }
}

/** The same of several. */
const several = (
  { config: { events, key }, confirm, confirmMany }: Of,
  to: 'enable' | 'disable' | 'delete',
): Action<Row> =>
  press({ enable: events.enables, disable: events.disables, delete: events.removes }[to], {
    label: `config.${to}`,
    ...(to === 'delete' ? { tone: 'danger' } : {}),
    input: rows => ({
      [`${key}s`]: rows.map(row => row[key]),
      ...(to === 'delete' ? {} : { enabled: to === 'enable' }),
    }),
    confirm: (confirmMany?.[to] ?? confirm[to]) as never,
  })

/** The draft of an item is changed where there is one; where nothing is open, a new one begins. */
const versionActions = ({ config, draftPreview }: Of): Action<Row>[] => {
  const { versionSave } = config.calls as Record<string, Endpoint>
  const machine = config.versionMachine as Machine
  const form = {
    needs: { perm: versionSave?.perm, audit: versionSave?.audit },
    dialog: ({ rows, close }: DialogProps<Row>) => (
      <VersionForm config={config} no={String((rows[0] as Row)[config.key])} preview={draftPreview} close={close} />
    ),
  } as Pick<OwnAction<Row>, 'needs'> & { dialog: ComponentType<DialogProps<Row>> }
  const next = (row: Row) => String(row.nextStatus ?? '')
  return [
    { ...form, label: 'config.editVersion', when: row => can(machine, next(row), 'version.save') || 'config.noDraft' },
    { ...form, label: 'config.newVersion', when: row => !isOpenVersion(machine, next(row)) || 'errors.versionOpen' },
  ]
}

/** What may be done with an item. */
const actionsOf = (given: Of): Action<Row>[] => {
  const { config, settled } = given
  const { versionSave } = config.calls
  const { enable, disable, remove } = pressesOf(given)
  const own = (given.row ?? []) as readonly Action<Row>[]
  if (settled) return [...(versionSave ? versionActions(given) : []), ...own]
  return [
    ...(Object.keys(config.form).length
      ? [{ label: 'config.edit', needs: config.events.update, dialog: formOf(given, 'edit') } as Action<Row>]
      : []),
    ...(versionSave ? versionActions(given) : []),
    enable,
    disable,
    { label: 'config.copy', needs: config.events.create, dialog: formOf(given, 'copy') },
    remove,
    ...own,
  ]
}

const columnsOf = ({ config, columns }: Of) => [
  ...columns,
  ...(config.calls.versionSave ? ['effectiveTime', nextVersion] : []),
  ...['enabled', 'updatedBy', 'updatedTime'],
  ...(config.waits ? [pending] : []),
]

/** Calls of the drawer and of its dialogs. */
const callsOf = ({ config: { calls, waits }, also = [] }: Of) => [
  ...(calls.versionSave
    ? [calls.versionSave, calls.versions, calls.effect, calls.versionSubmit, calls.versionCancel]
    : []),
  ...(waits ? [common.approvals, common.approve, common.reject, common.withdraw] : []),
  calls.detail,
  calls.history,
  ...(calls.usedBy ? [calls.usedBy] : []),
  ...also,
]

const presetsOf = (given: Of) =>
  [
    { label: 'config.all', filters: {} },
    { label: 'config.enabledOnly', filters: { enabled: ['enabled'] } },
    { label: 'config.changedLately', filters: { updatedTime: 'last7' } },
    ...(given.config.waits ? [{ label: 'config.waitingForMe', filters: { waiting: true }, counted: true }] : []),
    ...((given.presets ?? []) as readonly { label: Key; filters: object }[]),
  ].map(preset => ({ ...preset, filters: { ...given.start, ...given.within, ...preset.filters } }))

/**
 * A config list: list and form, enable and disable with a confirmation that says what follows, copy, delete, and a drawer with settings,
 * uses and history; all of it drawn from its declaration.
 */
export const configScreen = <C extends Config>(noun: Given<C>): Screen => {
  const given = noun as unknown as Of
  const { config } = given
  const { events, calls, key } = config
  const row = actionsOf(given)
  const screen = listScreen({
    list: calls.page as unknown as ListEndpoint,
    rowKey: key as never,
    presets: presetsOf(given) as never,
    ...(given.within || given.start ? { start: { ...given.start, ...given.within } as never } : {}),
    filters: [...given.filters, ...(calls.versionSave ? ['nextStatus'] : []), 'enabled', 'updatedTime'] as never,
    columns: columnsOf(given) as never,
    ...(given.more ? { more: given.more as never } : {}),
    row: (() => row) as never,
    ...(config.bulk || given.bulk
      ? {
          bulk: (() => [
            ...(config.bulk ? (['enable', 'disable', 'delete'] as const).map(to => several(given, to)) : []),
            ...(given.bulk ?? []),
          ]) as never,
        }
      : {}),
    toolbar: (() => [
      ...(given.toolbar ?? []),
      ...(given.settled
        ? []
        : [{ label: 'config.new', needs: { ...events.create, on: undefined }, dialog: formOf(given, 'new') }]),
    ]) as never,
    head: ((item: Row) => <Dict dict={config.machine.dict} value={String(item.enabled)} />) as never,
    detail: ((item: Row, reload: () => void) => (
      <ConfigDrawer
        reload={reload}
        key={String(item[key])}
        config={config}
        row={item}
        settings={[...(given.settings ?? given.columns.map(idOf)), 'enabled', 'updatedBy', 'updatedTime']}
        tabs={(given.tabs ?? []) as never}
        effect={given.effect}
        preview={given.draftPreview}
      />
    )) as never,
    also: callsOf(given) as never,
  })
  const declared = Object.values(calls) as unknown as readonly Endpoint[]
  // A button gives one event of a call; what is documented and granted is the call.
  const asDeclared = (call: Endpoint) => declared.find(one => one.path === call.path) ?? call
  return { ...screen, calls: [...new Set(screen.calls.map(asDeclared))] }
}

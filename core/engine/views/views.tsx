import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../client/providers.tsx'
import type { ListState } from '../../client/url-state.ts'
import type { Endpoint, InputOf, OutputOf } from '../../contract/endpoint.ts'
import { type View, view } from '../../contract/portal/view.ts'
import { useText } from '../../element/i18n.ts'
import { Button, VisuallyHidden } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import { DropdownMenu } from '../../ui/overlay/dropdown-menu.tsx'
import { useCommand } from '../form/use-command.ts'
import { startOf } from '../list/list-state.ts'
import type { Listed, ListScreen } from '../screen.ts'
import { type Views as Known, useWidgetName } from './use-views.ts'
import { isChanged, lookOf } from './view-look.ts'
import { stateOfView } from './view-state.ts'

const NameView = lazy(async () => ({ default: (await import('./view-dialogs.tsx')).NameView }))
const DeleteView = lazy(async () => ({ default: (await import('./view-dialogs.tsx')).DeleteView }))

type Props = {
  screen: ListScreen<Listed>
  state: ListState
  /** The columns of the screen. */
  own: readonly string[]
  views: Known
  change: (by: Partial<ListState>) => void
}

/** Sends commands on views and reloads the views after each, also after a refusal. */
const useViewCommand = (reload: () => Promise<unknown>) => {
  const { send } = useCommand()
  return async <E extends Endpoint>(endpoint: E, input: InputOf<E>, done: string): Promise<OutputOf<E> | undefined> => {
    const outcome = await send(endpoint, input, { done: () => done })
    await reload()
    return outcome.is === 'done' ? outcome.answer : undefined
  }
}

const Choices = ({ views }: { views: readonly View[] }) => {
  const t = useText()
  const item = (one: View) => (
    <DropdownMenu.RadioItem key={one.viewNo} value={one.viewNo}>
      {one.viewName}
      <span className="mk-view-note">
        {[one.mine ? '' : one.ownerName, one.isDefault ? t('list.default') : ''].filter(Boolean).join(' · ')}
      </span>
    </DropdownMenu.RadioItem>
  )
  const groups = [
    { label: t('list.ownViews'), views: views.filter(one => one.mine) },
    { label: t('list.sharedViews'), views: views.filter(one => !one.mine) },
  ]
  return groups
    .filter(group => group.views.length > 0)
    .map(group => (
      <DropdownMenu.Group key={group.label}>
        <DropdownMenu.Label>{group.label}</DropdownMenu.Label>
        {group.views.map(item)}
      </DropdownMenu.Group>
    ))
}

/** Which view is shown, and whether the list differs from it. */
const useShown = ({ screen, state, own, views, change }: Props) => {
  const t = useText()
  const list = views.list ?? []
  const current = list.find(one => one.viewNo === state.view)
  const changed = current !== undefined && isChanged(screen.list, current, state, own)
  const look = lookOf(state, own)
  const name = current?.viewName ?? t('list.standard')
  const starts = current ? current.isDefault : !list.some(one => one.isDefault)
  const standard = () => change({ ...startOf(screen), columns: undefined, density: undefined, view: undefined })
  const show = (viewNo: string) => {
    const chosen = list.find(one => one.viewNo === viewNo)
    if (chosen) change(stateOfView(screen.list, chosen))
    else standard()
  }
  return { list, current, changed, look, name, starts, show }
}
type Shown = ReturnType<typeof useShown>

/** All that can be done with a view. */
const useDoings = ({ views, change }: Props, { look, name }: Shown) => {
  const t = useText()
  const widget = useWidgetName()
  const command = useViewCommand(views.reload)
  const saveAs = async (viewName: string) => {
    const input = { widget, viewName, ...look } as InputOf<typeof view.saveAs>
    const made = await command(view.saveAs, input, t('list.viewSaved', { name: viewName }))
    if (made) change({ view: made.viewNo })
    return made !== undefined
  }
  const save = (one: View, by: Partial<View>) => {
    const { viewNo, version, viewName, filters, columns, sort, density } = { ...one, ...by }
    const input = { viewNo, version, viewName, filters, columns, sort, density } as InputOf<typeof view.save>
    return command(view.save, input, t('list.viewSaved', { name: viewName }))
  }
  const remove = async ({ viewNo, version, viewName }: View) => {
    const done = await command(view.remove, { viewNo, version }, t('list.viewDeleted', { name: viewName }))
    if (done) change({ view: undefined })
  }
  const share = ({ viewNo, version, viewName, shared }: View) =>
    command(
      view.share,
      { viewNo, version, shared: !shared },
      t(shared ? 'list.viewUnshared' : 'list.viewShared', { name: viewName }),
    )
  const startWith = (viewNo: string | null) =>
    command(
      view.setDefault,
      { widget, viewNo },
      t('list.startsWith', { name: viewNo === null ? t('list.standard') : name }),
    )
  return { saveAs, save, remove, share, startWith }
}
type MenuProps = { views: Known; shown: Shown; doings: ReturnType<typeof useDoings>; ask: (what: Asking) => void }
type Asking = 'new' | 'rename' | 'delete' | null

const ShownName = ({ name, changed }: Pick<Shown, 'name' | 'changed'>) => {
  const t = useText()
  return (
    <DropdownMenu.Trigger>
      <Button size="1" variant="ghost" color="gray" className="mk-view">
        <VisuallyHidden>{t('list.view')}</VisuallyHidden>
        <span className="mk-view-name">{name}</span>
        {changed && (
          <span className="mk-view-changed" title={t('list.changed')}>
            <VisuallyHidden>{t('list.changed')}</VisuallyHidden>
          </span>
        )}
        <Icon name="chevronDown" size={12} />
      </Button>
    </DropdownMenu.Trigger>
  )
}

const OwnView = ({
  view: current,
  share,
  ask,
}: {
  view: View
  share: (view: View) => Promise<unknown>
  ask: MenuProps['ask']
}) => {
  const t = useText()
  const may = useMay()
  return (
    <>
      <DropdownMenu.Item onSelect={() => ask('rename')}>{t('list.renameView')}</DropdownMenu.Item>
      {may.call(view.share) && (
        <DropdownMenu.CheckboxItem checked={current.shared} onCheckedChange={() => void share(current)}>
          {t('list.shareView')}
        </DropdownMenu.CheckboxItem>
      )}
      <DropdownMenu.Item color="red" onSelect={() => ask('delete')}>
        {t('list.deleteView')}
      </DropdownMenu.Item>
    </>
  )
}

const Menu = ({ views, shown, doings: { save, share, startWith }, ask }: MenuProps) => {
  const t = useText()
  const { list, current, changed, look, starts, show } = shown
  return (
    <DropdownMenu.Content size="1" align="end">
      {views.failed && (
        <DropdownMenu.Item onSelect={() => void views.reload()}>{t('list.viewsFailed')}</DropdownMenu.Item>
      )}
      <DropdownMenu.RadioGroup value={current?.viewNo ?? ''} onValueChange={show}>
        <DropdownMenu.RadioItem value="">{t('list.standard')}</DropdownMenu.RadioItem>
        <Choices views={list} />
      </DropdownMenu.RadioGroup>
      <DropdownMenu.Separator />
      {changed && current && (
        <DropdownMenu.Item onSelect={() => show(current.viewNo)}>{t('list.revertView')}</DropdownMenu.Item>
      )}
      {changed && current?.mine && (
        <DropdownMenu.Item onSelect={() => void save(current, look)}>{t('list.saveView')}</DropdownMenu.Item>
      )}
      <DropdownMenu.Item onSelect={() => ask('new')}>{t('list.saveViewAs')}</DropdownMenu.Item>
      <DropdownMenu.CheckboxItem
        checked={starts}
        disabled={starts && !current}
        onCheckedChange={on => void startWith(on && current ? current.viewNo : null)}
      >
        {t('list.startWithView')}
      </DropdownMenu.CheckboxItem>
      {current?.mine && <OwnView view={current} share={share} ask={ask} />}
    </DropdownMenu.Content>
  )
}

/** The menu of a list's views: which one is shown, whether the list differs from it, and its commands. */
export const Views = (props: Props) => {
  const shown = useShown(props)
  const doings = useDoings(props, shown)
  const [asking, setAsking] = useState<Asking>(null)
  const { current, name, changed } = shown
  const { saveAs, save, remove } = doings
  return (
    <>
      <DropdownMenu.Root>
        <ShownName name={name} changed={changed} />
        <Menu views={props.views} shown={shown} doings={doings} ask={setAsking} />
      </DropdownMenu.Root>
      <Suspense fallback={null}>
        {asking === 'new' && <NameView onSave={saveAs} close={() => setAsking(null)} />}
        {asking === 'rename' && current && (
          <NameView
            name={current.viewName}
            onSave={async viewName => (await save(current, { viewName })) !== undefined}
            close={() => setAsking(null)}
          />
        )}
        {asking === 'delete' && current && (
          <DeleteView view={current} onDelete={() => remove(current)} close={() => setAsking(null)} />
        )}
      </Suspense>
    </>
  )
}

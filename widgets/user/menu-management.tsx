import { z } from 'zod'
import { common } from '../../core/contract/common/common.ts'
import { field } from '../../core/contract/fields.ts'
import { type MenuItem, menu, menuItem, menuRow, menuTypes } from '../../core/contract/user/menu.ts'
import { EntryName } from '../../core/engine/menu-drawing.tsx'
import { Dict } from '../../core/engine/table/value.tsx'
import { treeScreen } from '../../core/engine/tree/tree-screen.ts'
import { StatusBadge } from '../../core/ui/status-badge.tsx'
import { DriftDialog } from './menu/drift.tsx'
import { MenuDetail, menuHead } from './menu/menu-detail.tsx'
import { EditEntry, NewBelow, NewEntry } from './menu/menu-form.tsx'
import { MoveTo } from './menu/move.tsx'
import { PreviewDialog } from './menu/preview.tsx'

const has = (row: MenuItem, wanted: string) =>
  [row.menuName, row.menuNameEn, row.menuNameSw, row.perms ?? ''].some(one =>
    one.toLowerCase().includes(wanted.trim().toLowerCase()),
  )
const { on } = menu.state
const turning = (event: 'item.enable' | 'item.disable') => ({ ...menu.state, ...(on ? { on: { ...on, event } } : {}) })
const turned =
  (enabled: boolean) =>
  ([row]: readonly MenuItem[]) => ({ menuNo: row?.menuNo, version: row?.version, enabled })

/** Administrators say which entries the console shows, in which order and words, and which data rules a page allows. */
export default treeScreen({
  tree: menu.tree,
  fields: menuRow,
  rowKey: 'menuNo',
  parentKey: 'parentNo',
  filters: {
    search: field.text().optional(),
    menuType: z.array(field.dict(menuTypes)).optional(),
    enabled: z.array(field.state(menuItem)).optional(),
    onlyDrift: field.flag().optional(),
  },
  hits: (row, { search, menuType, enabled, onlyDrift }) =>
    has(row, search ?? '') &&
    (!menuType?.length || menuType.includes(row.menuType)) &&
    (!enabled?.length || enabled.includes(row.enabled)) &&
    (!onlyDrift || row.drift !== null),
  columns: [
    { id: 'shownName', cell: (row: MenuItem) => <EntryName name={row.shownName} icon={row.icon} /> },
    'menuType',
    { id: 'perms', cell: (row: MenuItem) => <span className="mk-clip">{row.perms ?? row.externalUrl ?? '–'}</span> },
    'sort',
    'enabled',
    'grantedRoles',
    {
      id: 'drift',
      cell: ({ drift }: MenuItem) =>
        drift ? <StatusBadge tone="attention" label={<Dict dict="MENU_DRIFT" value={drift} />} /> : null,
    },
    'updatedTime',
  ],
  toolbar: act => [
    { label: 'menu.new', needs: menu.save, dialog: NewEntry },
    act(menu.addMissing, { label: 'menu.addMissing', confirm: 'menu.confirmAddMissing', done: 'menu.saved' }),
    { label: 'menu.drift', dialog: DriftDialog },
    { label: 'menu.preview', dialog: PreviewDialog },
  ],
  row: act => [
    { label: 'menu.edit', needs: menu.save, dialog: EditEntry },
    {
      label: 'menu.newBelow',
      needs: menu.save,
      when: row => row.menuType === 'catalog' || row.menuType === 'page',
      dialog: NewBelow,
    },
    act(menu.dataRule, {
      label: 'menu.dataRule',
      button: 'common.save',
      ask: ['limitTypes', 'defaultLimitType'],
      from: 'row',
      when: row => (row.menuType === 'page' ? true : 'errors.menuPageOnly'),
      done: 'menu.saved',
    }),
    act(turning('item.enable'), {
      label: 'menu.enable',
      input: turned(true) as never,
      confirm: 'menu.confirmEnable',
      done: 'menu.saved',
    }),
    act(turning('item.disable'), {
      label: 'menu.disable',
      tone: 'danger',
      input: turned(false) as never,
      confirm: 'menu.confirmDisable',
      done: 'menu.saved',
    }),
    act(menu.remove, { label: 'menu.remove', tone: 'danger', confirm: 'menu.confirmRemove', done: 'menu.saved' }),
  ],
  head: menuHead,
  detail: row => <MenuDetail row={row} />,
  move: {
    command: menu.move,
    places: ['before', 'into', 'after'],
    refuses: ({ key, target, place }, rows) => {
      const [row, at] = [rows.get(key), rows.get(target)]
      const parent = place === 'into' ? at : rows.get(at?.parentNo ?? '')
      const fits =
        row?.menuType === 'button'
          ? parent?.menuNo === row.parentNo
          : row?.menuType === 'catalog'
            ? parent === undefined
            : parent === undefined || parent.menuType === 'catalog'
      return fits ? null : 'errors.menuPlace'
    },
    dialog: MoveTo,
  },
  also: [menu.detail, menu.drift, menu.choices, common.auditLog],
})

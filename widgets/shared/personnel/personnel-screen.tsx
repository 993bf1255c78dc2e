import { common } from '../../../core/contract/common/common.ts'
import type { Personnel } from '../../../core/contract/common/personnel.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import type { Action, Column, Screen } from '../../../core/engine/screen.ts'
import type { Row } from '../../../core/engine/table/columns.ts'
import type { Key } from '../../../core/i18n/index.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { PersonDetail, type PersonTab, personHead, Standing } from './person-detail.tsx'
import { syncDialog } from './sync-dialog.tsx'

type Given = {
  personnel: Personnel
  /** Columns of the post, between merchants and status. */
  columns: readonly Column<never>[]
  filters: readonly string[]
  more?: readonly string[]
  /** What is asked before one person is changed, and several; that work stays with them unless the screen says more. */
  confirm?: { edit: Key; batch: Key }
  /** Ways to look at the list besides those of every personnel. */
  presets?: readonly { label: Key; filters: object; sort?: string }[]
  toolbar?: readonly Action<never>[]
  /** Further actions on a person. */
  row?: readonly Action<never>[]
  tabs?: readonly PersonTab[]
  also?: readonly Endpoint[]
}

/** On duty or not, and what says so. */
const Shift = ({ row }: { row: Row }) => {
  const t = useText()
  return `${t(row.onShift ? 'common.yes' : 'common.no')} · ${dictText(t, 'SHIFT_SOURCE', String(row.shiftSource))}`
}

const first: readonly Column<never>[] = ['realName', 'loginId', 'groupNo', 'principalMerchantName'] as never
const shift = { id: 'onShift', cell: (row: Row) => <Shift row={row} /> }
const standing = { id: 'standing', cell: (row: Row) => <Standing row={row} /> }

/** Changes of one person and of several. */
const changesOf = ({ calls, form, several }: Personnel, confirm: Given['confirm']) => {
  return {
    edit: {
      run: calls.update,
      label: 'actions.editPerson',
      button: 'common.save',
      ask: Object.keys(form),
      from: 'row',
      confirm: confirm?.edit ?? 'personnel.confirmEdit',
    },
    batch: {
      run: calls.batchUpdate,
      label: 'actions.batchEditPersons',
      ask: Object.keys(several),
      ticks: true,
      confirm: confirm?.batch ?? 'personnel.confirmBatch',
    },
  } as unknown as Record<'edit' | 'batch', Action<never>>
}

/**
 * The people of one post: who they are, whose work they take and how much of it. Taking people up, editing one or several and the file
 * follow from the declaration; a post adds its columns, actions and tabs.
 */
export const personnelScreen = (given: Given): Screen => {
  const { personnel: of } = given
  const { edit, batch } = changesOf(of, given.confirm)
  const allots = of.allots !== false
  const work = { userStatus: ['normal'], employeeStatus: ['on_job'] }
  return listScreen({
    list: of.calls.page,
    rowKey: 'userNo',
    start: work,
    presets: [
      { label: 'personnel.atWork', filters: work },
      ...(allots ? [{ label: 'personnel.offShift', filters: { onShift: false, ...work } }] : []),
      ...(given.presets ?? []),
    ],
    filters: [...given.filters, 'deptNo', 'aiEmployee', 'userStatus', 'employeeStatus'],
    columns: [...first, ...(allots ? ['autoAllocation', shift] : []), ...given.columns, standing, 'updatedTime'],
    more: [
      'userNo',
      'jobNo',
      'deptName',
      'associatedMerchantNames',
      'staffType',
      'aiEmployee',
      'userStatus',
      'employeeStatus',
      'updatedBy',
      ...(given.more ?? []),
    ],
    toolbar: () => [
      { label: 'actions.syncPersons', needs: of.calls.sync, dialog: syncDialog(of) },
      ...(given.toolbar ?? []),
    ],
    row: () => [edit, ...(given.row ?? [])],
    bulk: () => [batch],
    head: personHead,
    detail: (row: Row) => <PersonDetail of={of} row={row} tabs={given.tabs ?? []} />,
    also: [of.calls.preview, common.auditLog, ...(given.also ?? [])],
  } as never)
}

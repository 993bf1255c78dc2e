import { z } from 'zod'
import { common } from '../../core/contract/common/common.ts'
import { field } from '../../core/contract/fields.ts'
import { type DeptNode, dept, deptNatures } from '../../core/contract/user/dept.ts'
import { people } from '../../core/contract/user/people.ts'
import { ScreenLink } from '../../core/engine/table/value.tsx'
import { treeScreen } from '../../core/engine/tree/tree-screen.ts'
import { DeptDetail, deptHead } from './department/dept-detail.tsx'
import { MoveDialog, MoveTo } from './department/move.tsx'
import { MovePeopleDialog } from './department/move-people.tsx'

const form = ['deptName', 'deptNature', 'orgNo', 'leaderNo', 'sort'] as const
const usersPath = '/AdminContent/UserSystem/UserManagement'
const has = (text: string, wanted: string | undefined) =>
  text.toLowerCase().includes((wanted ?? '').trim().toLowerCase())

/** Administrators keep the tree of departments that data rules and allocation hang on. */
export default treeScreen({
  tree: dept.tree,
  fields: dept.page.row,
  rowKey: 'deptNo',
  parentKey: 'parentNo',
  filters: {
    search: field.text().optional(),
    deptNature: z.array(field.dict(deptNatures)).optional(),
    orgNo: field.organization().optional(),
  },
  hits: (row, { search, deptNature, orgNo }) =>
    (has(row.deptName, search) || has(row.deptNo, search)) &&
    (!deptNature?.length || deptNature.includes(row.deptNature)) &&
    (!orgNo || row.orgNo === orgNo),
  columns: [
    'deptName',
    { id: 'deptNo', label: 'dept.number' },
    'deptNature',
    'orgName',
    'leaderName',
    { id: 'subCount', cell: (row: DeptNode) => `${row.subCount} (${row.subCountBelow})` },
    {
      id: 'userCount',
      cell: (row: DeptNode) => (
        <ScreenLink to={usersPath} query={{ deptNo: row.deptNo }}>
          {row.userCount} / {row.userCountBelow}
        </ScreenLink>
      ),
    },
    'sort',
    'updatedTime',
  ],
  quiet: row => !row.reached,
  toolbar: act => [
    act(dept.save, {
      label: 'dept.new',
      button: 'common.save',
      ask: ['parentNo', 'deptNo', ...form],
      done: 'dept.saved',
    }),
  ],
  row: act => [
    act(dept.save, {
      label: 'dept.edit',
      button: 'common.save',
      ask: form,
      from: 'row',
      input: ([row]) => ({ deptNo: row?.deptNo, version: row?.version }),
      done: 'dept.saved',
    }),
    act(dept.save, {
      label: 'dept.newBelow',
      button: 'common.save',
      ask: ['deptNo', ...form],
      input: ([row]) => ({ parentNo: row?.deptNo }),
      from: ([row]) => ({ deptNature: row?.deptNature, orgNo: row?.orgNo, sort: (row?.subCount ?? 0) + 1 }),
      done: 'dept.saved',
    }),
    { label: 'dept.move', needs: dept.move, dialog: MoveDialog },
    { label: 'dept.movePeople', needs: people.batchUpdate, dialog: MovePeopleDialog },
    act(dept.remove, { label: 'dept.remove', tone: 'danger', confirm: 'dept.confirmRemove', done: 'dept.saved' }),
  ],
  head: deptHead,
  detail: row => <DeptDetail row={row} />,
  move: {
    command: dept.move,
    places: ['into'],
    refuses: ({ target }, rows) => (rows.get(target)?.reached === false ? 'errors.notFound' : null),
    dialog: MoveTo,
  },
  also: [
    dept.detail,
    dept.page,
    dept.moveEffect,
    people.page,
    common.auditLog,
    common.departments,
    common.organizations,
    common.people,
  ],
})

import { approvalCalls } from '../../core/contract/common/approval.ts'
import { logCalls } from '../../core/contract/common/common.ts'
import { type RoleRow, role } from '../../core/contract/user/role.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { ScreenLink } from '../../core/engine/table/value.tsx'
import { CompareDialog } from './role/compare.tsx'
import { RoleDetail, roleHead } from './role/role-detail.tsx'
import { SheetDialog } from './role/role-sheet.tsx'
import { ViewAsDialog } from './role/view-as.tsx'
import { WhoMayDialog } from './role/who-may.tsx'

const basics = ['roleName', 'roleNature', 'post', 'remark'] as const
const usersPath = '/AdminContent/UserSystem/UserManagement'
const saved = (answer: unknown) => ((answer as { approvalNo: string | null }).approvalNo ? 'role.sent' : 'role.saved')

const basicsOf = (row: RoleRow | undefined) => ({
  roleNature: row?.roleNature,
  post: row?.post ?? undefined,
  remark: row?.remark ?? undefined,
})

/** The security administrator says what a kind of staff may open, do and see, and proves it. */
export default listScreen({
  list: role.page,
  rowKey: 'roleNo',
  filters: ['search', 'roleNature', 'post', 'holdsCode', 'holdsKind', 'waiting'],
  presets: [{ label: 'role.waiting', filters: { waiting: true } }],
  columns: [
    'roleName',
    'roleNature',
    'post',
    {
      id: 'memberCount',
      cell: ({ roleNo, memberCount }: RoleRow) =>
        memberCount ? (
          <ScreenLink to={usersPath} query={{ roleNo: JSON.stringify([roleNo]) }}>
            {memberCount}
          </ScreenLink>
        ) : (
          memberCount
        ),
    },
    {
      id: 'permissionCount',
      cell: ({ permissionCount, moneyCount }: RoleRow) =>
        moneyCount ? `${permissionCount} (${moneyCount})` : permissionCount,
    },
    { id: 'sensitivePerms', width: 220 },
    'pendingApproval',
    'updatedBy',
    'updatedTime',
  ],
  more: ['roleNo', 'moneyCount', 'remark'],
  toolbar: act => [
    act(role.save, { label: 'role.new', ask: basics, input: () => ({}), done: saved }),
    { label: 'role.whoMay', needs: role.whoMay, dialog: WhoMayDialog },
  ],
  row: act => [
    act(role.save, {
      label: 'role.edit',
      ask: basics,
      input: ([row]) => ({ roleNo: row?.roleNo, version: row?.version, roleName: row?.roleName, ...basicsOf(row) }),
      done: saved,
    }),
    act(role.save, {
      label: 'role.copy',
      ask: basics,
      input: ([row]) => ({ copyOf: row?.roleNo, ...basicsOf(row) }),
      confirm: 'role.confirmCopy',
      done: saved,
    }),
    { label: 'role.viewAs', dialog: ViewAsDialog },
    { label: 'role.sheet', dialog: SheetDialog },
    act(role.remove, { label: 'role.remove', tone: 'danger', confirm: 'role.confirmRemove' }),
  ],
  bulk: () => [{ label: 'role.compare', dialog: CompareDialog }],
  head: roleHead,
  detail: (row, reload) => <RoleDetail row={row} reload={reload} />,
  also: [
    role.detail,
    role.catalogue,
    role.whoMay,
    role.members,
    role.candidates,
    role.permissions,
    role.addMembers,
    role.removeMembers,
    ...logCalls,
    ...approvalCalls,
  ],
})

import { useRead } from '../../core/client/providers.tsx'
import { common } from '../../core/contract/common/common.ts'
import { type DeptNode, dept } from '../../core/contract/user/dept.ts'
import { mfa } from '../../core/contract/user/mfa.ts'
import { type PersonRow, people } from '../../core/contract/user/people.ts'
import { useText } from '../../core/element/i18n.ts'
import { Panes } from '../../core/engine/config/panes.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { type Screen, screen } from '../../core/engine/screen.ts'
import { Failed, Loading } from '../../core/ui/states.tsx'
import { BatchDialog } from './user-management/batch-dialog.tsx'
import { PersonDetail, personHead } from './user-management/person-detail.tsx'
import { CopyPerson, EditPerson, NewPerson } from './user-management/person-form.tsx'
import { asksFreeze, asksReset, asksUnfreeze, asksUnlock } from './user-management/person-words.ts'

/** People of a department and those below it, or of all. */
const listOf = (deptNo: string): Screen =>
  listScreen({
    list: people.page,
    rowKey: 'userNo',
    start: { employeeStatus: ['on_job'], ...(deptNo ? { deptNo } : {}) },
    filters: [
      'search',
      'userStatus',
      'employeeStatus',
      'roleNo',
      'deptNo',
      'deptAt',
      'jobNos',
      'phone',
      'merchantNo',
      'internalUser',
      'mfaStatus',
      'notSince',
    ],
    presets: [
      { label: 'dict.USER_ATTENTION.never_signed_in', filters: { attention: 'never_signed_in' } },
      { label: 'dict.USER_ATTENTION.not_lately', filters: { attention: 'not_lately' } },
      { label: 'dict.USER_ATTENTION.locked', filters: { attention: 'locked' } },
      { label: 'dict.USER_ATTENTION.expiring', filters: { attention: 'expiring' } },
    ],
    columns: [
      'userNo',
      'realName',
      'loginId',
      'jobNo',
      'deptName',
      'roleNames',
      'principalMerchantName',
      'phone',
      'userStatus',
      'employeeStatus',
      'mfaStatus',
      'lastLoginTime',
      'createdTime',
    ],
    more: [
      'userName',
      'associatedCount',
      'phoneVerified',
      'email',
      'emailVerified',
      'extensionNo',
      'freezeTime',
      'freezeReason',
      'internalUser',
      'validUntil',
      'passwordStatus',
      'lockedUntil',
      'baseSalary',
    ],
    toolbar: () => [{ label: 'actions.newUser', needs: people.add, dialog: NewPerson }],
    rowAndBulk: act => [
      act(people.freeze, {
        label: 'actions.freezeUser',
        tone: 'danger',
        ask: ['reason'],
        confirm: asksFreeze,
        done: 'people.frozen',
      }),
      act(people.unfreeze, { label: 'actions.unfreezeUser', confirm: asksUnfreeze, done: 'people.unfrozen' }),
    ],
    bulk: () => [{ label: 'actions.batchUpdateUsers', needs: people.batchUpdate, dialog: BatchDialog }],
    row: act => [
      { label: 'actions.editUser', needs: people.update, dialog: EditPerson },
      { label: 'actions.copyUser', needs: { perm: people.add.perm as string }, dialog: CopyPerson },
      act(people.unlock, { label: 'actions.unlockUser', confirm: asksUnlock, done: 'people.unlocked' }),
      act(people.resetPwd, {
        label: 'actions.resetPwd',
        confirm: asksReset,
        done: answer => ({ key: 'people.linkSent', params: { to: (answer as { sentTo: string }).sentTo } }),
      }),
      act(mfa.reset, {
        label: 'actions.resetUserMfa',
        tone: 'danger',
        ask: ['reason'],
        confirm: 'people.confirmResetMfa',
        input: ([row]) => ({ loginId: row?.loginId ?? '' }),
        done: answer =>
          (answer as { approvalNo: string | null }).approvalNo ? 'people.sentForApproval' : 'people.saved',
      }),
      act(people.expiry, { label: 'actions.userExpiry', ask: ['validUntil'], confirm: 'people.confirmExpiry' }),
      act(people.leave, {
        label: 'actions.leaveUser',
        tone: 'danger',
        ask: ['lastDay'],
        confirm: 'people.confirmLeave',
        done: 'people.left',
      }),
      act(people.rejoin, {
        label: 'actions.rejoinUser',
        ask: ['reason'],
        confirm: 'people.confirmRejoin',
        done: 'people.sentForApproval',
      }),
    ],
    head: personHead,
    detail: (row: PersonRow, reload) => <PersonDetail row={row} reload={reload} />,
    also: [
      people.detail,
      people.rights,
      people.sessions,
      people.signIns,
      people.activity,
      people.endSession,
      people.update,
      common.reveal,
      common.auditLog,
      common.approvals,
      common.approve,
      common.reject,
      common.withdraw,
    ],
  })

const all = listOf('')
const made = new Map<string, Screen>([['', all]])
const screenOf = (deptNo: string): Screen => {
  const found = made.get(deptNo) ?? listOf(deptNo)
  made.set(deptNo, found)
  return found
}

const levelOf = (nodes: readonly DeptNode[], node: DeptNode): number => {
  const above = nodes.find(one => one.deptNo === node.parentNo)
  return above ? levelOf(nodes, above) + 1 : 0
}

const ByDepartment = () => {
  const t = useText()
  const read = useRead(dept.tree, {}, { follows: true })
  if (read.error) return <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
  if (!read.data) return <Loading rows={8} />
  const { list } = read.data
  const top = list.filter(node => node.parentNo === null)
  return (
    <Panes
      by="deptNo"
      label={t('people.departments')}
      parts={[
        { name: '', label: t('people.allDepartments'), count: top.reduce((sum, node) => sum + node.userCountBelow, 0) },
        ...list.map(node => ({
          name: node.deptNo,
          label: `${'\u2003'.repeat(levelOf(list, node))}${node.deptName}`,
          hint: node.deptName,
          count: node.userCountBelow,
        })),
      ]}
      screenOf={({ name }) => screenOf(name)}
    />
  )
}

/** Administrators and team leads take people in, give them their place and roles, and stop them at once when something is wrong. */
export default screen([...all.calls, dept.tree], () => <ByDepartment />)

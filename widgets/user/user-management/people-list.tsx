import { common, logCalls } from '../../../core/contract/common/common.ts'
import { embed } from '../../../core/contract/user/embed.ts'
import { mfa } from '../../../core/contract/user/mfa.ts'
import { type PersonRow, people } from '../../../core/contract/user/people.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import type { Act, ListScreen, Screen } from '../../../core/engine/screen.ts'
import { HandedOn } from './handed-on.tsx'
import { PartnerPages } from './partner-pages.tsx'
import { PersonDetail, personHead } from './person-detail.tsx'
import { CopyPerson, EditPerson, NewPerson } from './person-form.tsx'
import { asksFreeze, asksReset, asksUnfreeze, asksUnlock } from './person-words.ts'

type List = ListScreen<typeof people.page>

const filters: List['filters'] = [
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
]

const presets: List['presets'] = [
  { label: 'dict.USER_ATTENTION.never_signed_in', filters: { attention: 'never_signed_in' } },
  { label: 'dict.USER_ATTENTION.not_lately', filters: { attention: 'not_lately' } },
  { label: 'dict.USER_ATTENTION.locked', filters: { attention: 'locked' } },
  { label: 'dict.USER_ATTENTION.expiring', filters: { attention: 'expiring' } },
]

const columns: List['columns'] = [
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
]

const more: List['more'] = [
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
  'sleepingUntil',
  'baseSalary',
]

const { userNos: _, ...changes } = people.batchUpdate.input.shape
const batchFields = Object.keys(changes) as (keyof typeof changes)[]

const handsOver = (_: unknown, rows: readonly PersonRow[]) => <HandedOn rows={rows} />

/** Ways in and out of the account, of one person or of several. */
const access = (act: Act<PersonRow>) => [
  act(people.freeze, {
    label: 'actions.freezeUser',
    tone: 'danger',
    ask: ['reason'],
    confirm: asksFreeze,
    preview: handsOver,
    done: 'people.frozen',
  }),
  act(people.unfreeze, { label: 'actions.unfreezeUser', confirm: asksUnfreeze, done: 'people.unfrozen' }),
]

/** The same change to several people: only what is ticked is changed, and each person is answered for. */
const batch = (act: Act<PersonRow>) => [
  act(people.batchUpdate, {
    label: 'actions.batchUpdateUsers',
    ask: batchFields,
    ticks: true,
    confirm: 'people.confirmBatch',
  }),
]

const signIn = (act: Act<PersonRow>) => [
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
    done: answer => ((answer as { approvalNo: string | null }).approvalNo ? 'people.sentForApproval' : 'people.saved'),
  }),
]

const employment = (act: Act<PersonRow>) => [
  act(people.expiry, {
    label: 'actions.userExpiry',
    ask: ['validUntil'],
    from: 'row',
    confirm: 'people.confirmExpiry',
  }),
  act(people.leave, {
    label: 'actions.leaveUser',
    tone: 'danger',
    ask: ['lastDay'],
    confirm: 'people.confirmLeave',
    preview: handsOver,
    done: 'people.left',
  }),
  act(people.rejoin, {
    label: 'actions.rejoinUser',
    ask: ['reason'],
    confirm: 'people.confirmRejoin',
    done: 'people.sentForApproval',
  }),
]

/** People of a department and those below it, or of all. */
export const listOf = (deptNo: string): Screen =>
  listScreen({
    list: people.page,
    rowKey: 'userNo',
    start: { employeeStatus: ['on_job'], ...(deptNo ? { deptNo } : {}) },
    filters,
    presets,
    columns,
    more,
    toolbar: () => [
      { label: 'actions.newUser', needs: people.add, dialog: NewPerson },
      { label: 'partner.pages', needs: { perm: embed.partners.perm as string }, dialog: PartnerPages },
    ],
    rowAndBulk: access,
    bulk: batch,
    row: act => [
      { label: 'actions.editUser', needs: people.update, dialog: EditPerson },
      { label: 'actions.copyUser', needs: { perm: people.add.perm as string }, dialog: CopyPerson },
      ...signIn(act),
      ...employment(act),
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
      ...logCalls,
      embed.partners,
      embed.revoke,
      common.approvals,
      common.approve,
      common.reject,
      common.withdraw,
    ],
  })

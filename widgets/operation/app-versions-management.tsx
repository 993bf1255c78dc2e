import { approvalCalls } from '../../core/contract/common/approval.ts'
import { logCalls } from '../../core/contract/common/common.ts'
import { upload } from '../../core/contract/common/upload.ts'
import { type AppVersionRow, appVersion } from '../../core/contract/operation/app-version.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { ReleasePreview, WidenPreview } from './app-version/effect.tsx'
import { Hash, Rollout, Size } from './app-version/parts.tsx'
import { VersionDetail } from './app-version/version-detail.tsx'

/** The release manager publishes packages of the apps, rolls them out step by step, and forces an update when it must be. */
export default listScreen({
  list: appVersion.page,
  rowKey: 'versionNo',
  start: { versionStatus: ['released'] },
  presets: [
    { label: 'appVersion.released', filters: { versionStatus: ['released'] } },
    { label: 'appVersion.drafts', filters: { versionStatus: ['draft'] } },
  ],
  filters: ['appCode', 'os', 'versionStatus', 'forceUpdate', 'releaseTime'],
  columns: [
    'appCode',
    'os',
    'versionName',
    'versionCode',
    'versionStatus',
    'forceUpdate',
    { id: 'grayPercent', cell: row => <Rollout percent={row.grayPercent} /> },
    { id: 'packageSize', cell: row => <Size bytes={row.packageSize} /> },
    { id: 'sha256', cell: row => <Hash sha256={row.sha256} /> },
    'deviceCount',
    'deviceShare',
    { id: 'crashFree', cell: row => (row.crashFree === null ? '–' : `${row.crashFree} %`) },
    'releaseTime',
    'createdName',
  ],
  more: ['versionNo', 'minVersionCode', 'appDevices', 'storeUrl', 'withdrawReason', 'createdTime', 'pendingApproval'],
  toolbar: act => [
    act(appVersion.save, {
      label: 'actions.newVersion',
      ask: [
        'appCode',
        'os',
        'versionName',
        'versionCode',
        'packageFileNo',
        'storeUrl',
        'minVersionCode',
        'releaseNotes',
      ],
      confirm: 'appVersion.confirmSave',
    }),
  ],
  row: act => [
    act(appVersion.release, {
      label: 'actions.releaseVersion',
      ask: ['grayPercent', 'forceUpdate'],
      from: () => ({ grayPercent: 10, forceUpdate: false }),
      confirm: ([row]) => ({ key: 'appVersion.confirmRelease', params: released(row) }),
      preview: (values, [row]) => row && <ReleasePreview row={row} values={values} />,
      done: answer =>
        (answer as { approvalNo: string | null }).approvalNo ? 'config.sentForApproval' : 'appVersion.released',
    }),
    act(appVersion.widen, {
      label: 'actions.widenVersion',
      ask: ['grayPercent'],
      confirm: 'appVersion.confirmWiden',
      preview: (values, [row]) => row && <WidenPreview row={row} values={values} />,
    }),
    act(appVersion.withdraw, {
      label: 'actions.withdrawVersion',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'appVersion.confirmWithdraw',
    }),
  ],
  detail: (row, reload) => <VersionDetail row={row} reload={reload} />,
  also: [
    ...logCalls,
    ...approvalCalls,
    appVersion.detail,
    appVersion.share,
    upload.token,
    upload.chunk,
    upload.complete,
    upload.file,
  ],
})

/** What is released, with the hash of its package as it is stored. */
const released = (row: AppVersionRow | undefined) => ({
  appCode: row?.appCode ?? '',
  versionName: row?.versionName ?? '',
  versionCode: row?.versionCode ?? 0,
  hash: row?.sha256 ? `SHA-256 ${row.sha256}` : (row?.storeUrl ?? ''),
})

import { common } from '../../core/contract/common/common.ts'
import { upload } from '../../core/contract/common/upload.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import { appContent, appContents } from '../../core/contract/operation/app-content.ts'
import { appContract, appContracts } from '../../core/contract/operation/app-contract.ts'
import { appInvites } from '../../core/contract/operation/app-invite.ts'
import { useText } from '../../core/element/i18n.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { Text } from '../../core/ui/basics.ts'
import { ArrangeDialog, SeenByDialog } from './app-content/content-dialogs.tsx'
import { ContractFile } from './app-content/contract-file.tsx'
import { OnPhones } from './app-content/on-phone.tsx'

type Content = ConfigRow<typeof appContents>

const languages = ['zh', 'en', 'sw'] as const

/** Which languages a content has; the missing ones stand out. */
const Filled = ({ list }: { list: readonly string[] }) => {
  const t = useText()
  return languages.map(one => (
    <Text key={one} size="1" color={list.includes(one) ? 'gray' : 'red'} mr="1">
      {list.includes(one) ? one : t('appContent.lacks', { language: one })}
    </Text>
  ))
}

const contents = configScreen({
  config: appContents,
  filters: ['appCode', 'placement', 'contentState', 'languageGap'],
  columns: [
    'title',
    'appCode',
    'placement',
    'contentState',
    { id: 'contentLanguages', cell: (row: Content) => <Filled list={row.contentLanguages} /> },
    'customerStatuses',
    'startTime',
    'endTime',
    'sort',
    'shownWeek',
    'clickedWeek',
  ],
  more: ['contentNo', 'linkType', 'appScreen', 'linkUrl'],
  settings: [
    'title',
    'appCode',
    'placement',
    'contentState',
    'customerStatuses',
    'startTime',
    'endTime',
    'sort',
    'linkType',
    'appScreen',
    'linkUrl',
    'shownWeek',
    'clickedWeek',
  ],
  tabs: [{ name: 'phone', label: 'appContent.onPhone', body: row => <OnPhones of={row} /> }],
  preview: values => <OnPhones of={values} />,
  confirm: {
    enable: 'appContent.confirmEnable',
    disable: 'appContent.confirmDisable',
    delete: 'appContent.confirmDelete',
  },
  presets: [
    { label: 'appContent.running', filters: { contentState: ['running'] } },
    { label: 'appContent.gaps', filters: { languageGap: true } },
  ],
  toolbar: [
    {
      label: 'appContent.sort',
      needs: { perm: appContent.arrange.perm, audit: appContent.arrange.audit },
      dialog: ArrangeDialog,
    },
    { label: 'appContent.seenBy', needs: { perm: appContent.seenBy.perm }, dialog: SeenByDialog },
  ],
  bulk: [
    {
      label: 'appContent.copyTo',
      run: appContent.copyTo,
      ask: ['appCode'],
      input: rows => ({ contentNos: rows.map(row => row.contentNo) }),
      confirm: 'appContent.confirmCopy',
    },
  ],
  also: [common.apps, upload.file, upload.token, appContent.arrange, appContent.seenBy, appContent.copyTo],
})

const contracts = configScreen({
  config: appContracts,
  filters: ['contractType', 'merchantNo'],
  columns: ['contractType', 'merchantName', 'versionNo', 'sha256', 'signedCount', 'openOnOlder'],
  more: ['contractNo'],
  settings: ['contractType', 'merchantName', 'versionNo', 'sha256', 'signedCount', 'openOnOlder'],
  confirm: {
    enable: 'appContract.confirmEnable',
    disable: 'appContract.confirmDisable',
    delete: 'appContract.confirmDelete',
  },
  effect: 'appContract.effect',
  row: [{ label: 'actions.download', needs: { perm: appContract.download.perm }, dialog: ContractFile }],
  also: [common.merchants, appContract.download],
})

type Three = { zh?: string; en?: string; sw?: string } | null | undefined
/** An invite page as contents are shown on the phone. */
const asContent = ({
  inviteTitle,
  inviteText,
  image,
}: {
  inviteTitle?: unknown
  inviteText?: unknown
  image?: unknown
}) => {
  const [title, body] = [inviteTitle as Three, inviteText as Three]
  const titles = { titleZh: title?.zh, titleEn: title?.en, titleSw: title?.sw }
  return { ...titles, bodyZh: body?.zh, bodyEn: body?.en, bodySw: body?.sw, image }
}

const invites = configScreen({
  config: appInvites,
  filters: ['appCode'],
  columns: ['appCode', 'inviteTitle', 'inviteActivity'],
  more: ['inviteNo'],
  settings: ['appCode', 'inviteActivity', 'inviteTitle', 'inviteText'],
  tabs: [{ name: 'phone', label: 'appContent.onPhone', body: row => <OnPhones of={asContent(row)} /> }],
  preview: values => <OnPhones of={asContent(values)} />,
  confirm: {
    enable: 'appInvite.confirmEnable',
    disable: 'appInvite.confirmDisable',
    delete: 'appInvite.confirmDelete',
  },
  also: [common.apps, upload.file, upload.token],
})

/** Operations staff keep what apps show their customers, and the texts that customers agree to. */
export default tabbed([
  { name: 'content', label: 'appContent.contents', screen: contents },
  { name: 'invite', label: 'appInvite.pages', screen: invites },
  { name: 'contracts', label: 'appContent.contracts', screen: contracts },
])

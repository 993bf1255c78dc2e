import { exports } from '../../core/contract/common/exports.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { licenceWarnDays, platform, platforms } from '../../core/contract/supermarket/platform.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { Text } from '../../core/ui/basics.ts'
import { KeyDialog, LinksTab, PostbacksTab, SettlementTab } from './platform/platform-tabs.tsx'

type Row = ConfigRow<typeof platforms>

const Licence = ({ row }: { row: Row }) => (
  <Text size="2" color={row.licenceLeft <= licenceWarnDays ? 'red' : undefined}>
    {row.licenceExpiry}
  </Text>
)

const stopping = ([row]: readonly Row[]) => ({
  key: 'platform.confirmDisable' as const,
  params: { platformName: row?.platformName ?? '', n: row?.onlineCount ?? 0 },
})

/** Partnership managers keep the lenders whose products stand in our apps: who they are, where their links may lead, what they pay. */
export default configScreen({
  config: platforms,
  filters: ['platformName', 'platformKind', 'settlementMode', 'licenceWithin'],
  columns: [
    'platformName',
    'platformKind',
    'legalName',
    'licenceNo',
    { id: 'licenceExpiry', cell: (row: Row) => <Licence row={row} /> },
    'allowedHosts',
    'settlementMode',
    'unitPrice',
    'sharePercent',
    'productCount',
    'clickCount',
    'applyCount',
    'paidOutCount',
    'revenueAmount',
    { id: 'refusedCount', label: 'platform.health', cell: (row: Row) => `${row.acceptedCount} / ${row.refusedCount}` },
  ],
  more: ['platformNo', 'contactPerson', 'contactEmail', 'onlineCount'],
  settings: [
    'platformNo',
    'platformName',
    'platformKind',
    'legalName',
    'licenceNo',
    'licenceExpiry',
    'contactPerson',
    'contactEmail',
    'allowedHosts',
    'settlementMode',
    'unitPrice',
    'sharePercent',
    'consentText',
    'consentVersion',
    'prefillUrl',
    'prefillFields',
    'keyTime',
  ],
  tabs: [
    { name: 'postbacks', label: 'platform.postbacks', body: row => <PostbacksTab row={row} /> },
    { name: 'settlement', label: 'platform.settlement', body: row => <SettlementTab row={row} /> },
    { name: 'links', label: 'platform.links', body: row => <LinksTab row={row} /> },
  ],
  confirm: { enable: 'platform.confirmEnable', disable: stopping, delete: 'platform.confirmDelete' },
  row: [{ label: 'platform.rotateKey', needs: platform.rotateKey, dialog: KeyDialog }],
  also: [
    platform.postbacks,
    platform.postbacks.exporting as Endpoint,
    ...Object.values(exports),
    platform.stat,
    platform.links,
    platform.rotateKey,
  ],
})

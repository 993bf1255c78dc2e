import { approvalCalls } from '../../core/contract/common/approval.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import { type VipMember, vip, vipLadders } from '../../core/contract/supermarket/vip.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { LevelCodes, Levels, MemberDetail, Spread } from './vip/spread.tsx'

type Row = ConfigRow<typeof vipLadders>

const ladder = configScreen({
  config: vipLadders,
  filters: [],
  columns: [
    'ladderNo',
    { id: 'levels', cell: (row: Row) => <LevelCodes row={row} /> },
    'vipCount',
    'upCount',
    'downCount',
    'versionNo',
  ],
  settings: ['ladderNo', 'vipCount', 'upCount', 'downCount'],
  confirm: { enable: 'vip.settled', disable: 'vip.settled', delete: 'vip.settled' },
  effect: 'vip.effect',
  settled: true,
  tabs: [
    { name: 'levels', label: 'fields.levels', body: row => <Levels row={row} /> },
    { name: 'spread', label: 'vip.spread', body: () => <Spread /> },
  ],
  also: [vip.spread],
})

const members = listScreen({
  list: vip.members,
  rowKey: 'customerNo',
  filters: ['levelCode', 'customerNo', 'vipReason', 'vipSince'],
  columns: [
    'customerNo',
    'customerName',
    'levelCode',
    'vipSince',
    'vipReason',
    'vipUntil',
    'settledCount',
    'repaidAmount',
    'onTimeShare',
    'maxOverdueDays',
    'memberDays',
    'pendingApproval',
  ],
  row: act => [
    act(vip.setLevel, {
      label: 'vip.setLevel',
      ask: ['levelCode', 'vipUntil', 'reason'],
      done: 'config.sentForApproval',
    }),
  ],
  detail: (row: VipMember) => <MemberDetail row={row} />,
  also: [...approvalCalls],
})

/** Operations staff define what earns each member level, and see how customers spread over them. */
export default tabbed([
  { name: 'ladder', label: 'vip.ladder', screen: ladder },
  { name: 'members', label: 'vip.members', screen: members },
])

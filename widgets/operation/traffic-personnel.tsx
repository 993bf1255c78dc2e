import { lazy, type ReactNode, Suspense } from 'react'
import type { Personnel } from '../../core/contract/common/personnel.ts'
import { type TrafficPersonRow, trafficPerson, trafficPersons } from '../../core/contract/operation/traffic.ts'
import { people } from '../../core/contract/user/people.ts'
import { useText } from '../../core/element/i18n.ts'
import type { Action, DialogProps } from '../../core/engine/screen.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Text } from '../../core/ui/basics.ts'
import { CopyIcon } from '../../core/ui/copy-icon.tsx'
import { Loading } from '../../core/ui/states.tsx'
import { StatusBadge } from '../../core/ui/status-badge.tsx'
import { personnelScreen } from '../shared/personnel/personnel-screen.tsx'

type Row = TrafficPersonRow

const parts = () => import('./traffic/parts.tsx')
const Channels = lazy(async () => ({ default: (await parts()).ChannelsTab }))
const Brought = lazy(async () => ({ default: (await parts()).BroughtTab }))
const Link = lazy(async () => ({ default: (await import('./traffic/link-dialog.tsx')).LinkDialog }))

const Soon = ({ children }: { children: ReactNode }) => <Suspense fallback={<Loading rows={4} />}>{children}</Suspense>
const tab = (name: string, label: 'traffic.channels' | 'traffic.brought', Body: typeof Channels) => ({
  name,
  label,
  body: (row: { readonly userNo?: unknown }) => (
    <Soon>
      <Body userNo={String(row.userNo)} />
    </Soon>
  ),
})

/** How many channels, and which; nobody pays for what is no channel's. */
const Held = ({ names }: { names: readonly string[] }) => (
  <Text size="2" title={names.join('\n')} color={names.length === 0 ? 'gray' : undefined}>
    {names.length}
  </Text>
)

/** Marks somebody who brought no payout for two weeks. */
const Quiet = ({ row }: { row: Row }) => {
  const t = useText()
  return row.quiet && <StatusBadge tone="attention" label={t('traffic.quiet')} />
}

const link = {
  label: 'traffic.link',
  needs: trafficPerson.detail,
  when: row =>
    row.promoterCode === null ? 'traffic.noCode' : row.promotionChannelNos.length === 0 ? 'traffic.noChannel' : true,
  dialog: (props: DialogProps<Row>) => (
    <Soon>
      <Link {...props} />
    </Soon>
  ),
} as Action<Row>

/** Who may freeze accounts need not look for the person elsewhere; their channels fall to the head of the group. */
const freeze = {
  run: people.freeze,
  label: 'actions.freezeUser',
  tone: 'danger',
  ask: ['reason'],
  input: ([row]: readonly Row[]) => ({ userNos: [row?.userNo] }),
  when: (row: Row) => row.userStatus === 'normal' || 'common.doesNotApply',
  confirm: ([row]: readonly Row[]) => ({
    key: row?.promotionChannels.length ? 'traffic.confirmFreeze' : 'traffic.confirmFreezePlain',
    params: { realName: row?.realName ?? '', channels: row?.promotionChannels.join(', ') ?? '' },
  }),
  done: 'people.frozen',
} as Action<Row>

const atWork = { userStatus: ['normal'], employeeStatus: ['on_job'] }

/** The growth manager says who works on which channels, for which merchants, and sees whom each of them brings. */
export default personnelScreen({
  personnel: trafficPersons as unknown as Personnel,
  filters: ['search', 'merchantNo', 'groupNo', 'promotionChannelNo', 'trafficKind', 'quiet'],
  presets: [
    { label: 'traffic.ranking', filters: atWork, sort: 'monthRank' },
    { label: 'traffic.quiet', filters: { quiet: true, ...atWork } },
  ],
  columns: [
    'trafficKind',
    { id: 'promotionChannels', width: 90, cell: (row: Row) => <Held names={row.promotionChannels} /> },
    {
      id: 'promoterCode',
      cell: ({ promoterCode }: Row) =>
        promoterCode && (
          <span className="mk-key">
            {promoterCode}
            <CopyIcon value={promoterCode} />
          </span>
        ),
    },
    'registerCount',
    'incomingCount',
    'paidOutCount',
    'payoutAmount',
    {
      id: 'costPerPayout',
      cell: ({ costPerPayout }: Row) => (costPerPayout === null ? '–' : formatMoney(costPerPayout)),
    },
    'monthRank',
    { id: 'quiet', cell: (row: Row) => <Quiet row={row} /> },
  ] as never,
  more: ['groupHead', 'lastPayoutDate'],
  confirm: { edit: 'traffic.confirmEdit', batch: 'traffic.confirmBatch' },
  row: [link, freeze] as never,
  tabs: [tab('channels', 'traffic.channels', Channels), tab('brought', 'traffic.brought', Brought)],
  also: [trafficPerson.detail, trafficPerson.customers],
})

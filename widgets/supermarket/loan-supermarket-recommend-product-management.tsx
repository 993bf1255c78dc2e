import { common } from '../../core/contract/common/common.ts'
import { type RecommendRow, recommend, recommendFields } from '../../core/contract/supermarket/recommend.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { shortTime } from '../../core/rules/time.ts'
import { ProductState, RecommendDetail, recommendHead, WarningBadge } from './recommend/recommend-detail.tsx'
import { TryDialog } from './recommend/try-dialog.tsx'

type Row = RecommendRow

const copied = ([row]: readonly Row[]) =>
  row
    ? {
        ...Object.fromEntries(recommendFields.map(name => [name, row[name]])),
        recommendName: `${row.recommendName} copy`.slice(0, 64),
      }
    : {}

/** Marketing and operations decide which product is put before which customers, in which place. */
export default listScreen({
  list: recommend.page,
  rowKey: 'recommendNo',
  filters: ['recommendName', 'slot', 'productStatus', 'running', 'marketProductNo', 'appCode', 'waiting'],
  presets: [
    { label: 'recommend.running', filters: { running: true } },
    { label: 'config.waitingForMe', filters: { productStatus: ['submitted'], waiting: true } },
  ],
  columns: [
    { id: 'recommendName', width: 200 },
    'slot',
    { id: 'marketProductName', width: 200, cell: (row: Row) => <ProductState row={row} /> },
    'productStatus',
    'recommendQuota',
    'customerStatuses',
    'refusedOnly',
    'vipLevelMin',
    'weight',
    { id: 'startTime', width: 190, cell: (row: Row) => `${shortTime(row.startTime)}–${shortTime(row.endTime)}` },
    'impressionCount',
    'clickCount',
    'clickRate',
    'applyCount',
    'paidOutCount',
    'revenueAmount',
    { id: 'recommendWarning', cell: (row: Row) => <WarningBadge row={row} /> },
    'updatedTime',
  ],
  more: ['recommendNo', 'platformName', 'appCodes', 'submitterName', 'operatorName', 'reason'],
  toolbar: act => [
    {
      label: 'recommend.try',
      needs: { perm: recommend.resolve.perm, audit: recommend.resolve.audit },
      dialog: TryDialog,
    },
    act(recommend.save, { label: 'recommend.new', ask: recommendFields, done: 'config.saved' }),
  ],
  row: act => [
    act(recommend.operate, {
      label: 'market.accept',
      confirm: ([row]) => ({
        key: 'recommend.confirmAccept',
        params: { name: row?.recommendName ?? '', slot: `dict.RECOMMEND_SLOT.${row?.slot}`, weight: row?.weight ?? 0 },
      }),
    }),
    act(recommend.sendBack, { label: 'market.sendBack', tone: 'danger', ask: ['reason'] }),
    act(recommend.submit, {
      label: 'market.submit',
      confirm: ([row]) => ({
        key: 'recommend.confirmSubmit',
        params: { name: row?.recommendName ?? '', product: row?.marketProductName ?? '' },
      }),
    }),
    act(recommend.save, {
      label: 'config.edit',
      ask: recommendFields,
      from: 'row',
      input: ([row]) => ({ recommendNo: row?.recommendNo, version: row?.version }),
      done: 'config.saved',
    }),
    act(recommend.weigh, { label: 'recommend.weigh', ask: ['weight'], from: 'row', done: 'config.saved' }),
    act(recommend.save, {
      label: 'config.copy',
      ask: recommendFields,
      from: copied,
      input: () => ({ recommendNo: undefined, version: undefined }),
      done: 'config.saved',
    }),
  ],
  rowAndBulk: act => [
    act(recommend.offline, {
      label: 'recommend.end',
      tone: 'danger',
      ask: ['reason'],
      confirm: rows => ({ key: 'recommend.confirmEnd', params: { n: rows.length } }),
    }),
  ],
  head: recommendHead,
  detail: row => <RecommendDetail row={row} />,
  also: [recommend.detail, recommend.resolve, common.options, common.apps],
})

import { common } from '../../core/contract/common/common.ts'
import { upload } from '../../core/contract/common/upload.ts'
import {
  checklist,
  type MarketProductRow,
  marketProduct,
  operationFields,
  productFields,
} from '../../core/contract/supermarket/market-product.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { Money } from '../shared/range-text.tsx'
import { OrderDialog } from './product/order-dialog.tsx'
import { LinkState, ProductName, Rate } from './product/product-cells.tsx'
import { ProductDetail, productHead } from './product/product-detail.tsx'

type Row = MarketProductRow

/** What the partnership manager says again of a product that customers see goes into a draft beside it. */
const copied = ([row]: readonly Row[]) => {
  if (!row) return {}
  const { logo: _, ...data } = Object.fromEntries(productFields.map(name => [name, row[name]]))
  return { ...data, marketProductName: `${row.marketProductName} copy`.slice(0, 64) }
}

const asksSubmit = ([row]: readonly Row[]) => ({
  key: 'market.confirmSubmit' as const,
  params: {
    name: row?.marketProductName ?? '',
    min: row?.amountMin ?? '0.00',
    max: row?.amountMax ?? '0.00',
    rate: row?.allInMonthRate ?? '',
    host: row ? hostOf(row.applyUrl) : '',
  },
})

const asksOffline = (rows: readonly Row[]) => ({
  key: 'market.confirmOffline' as const,
  params: {
    n: rows.length,
    clicks: rows.reduce((sum, row) => sum + row.clicksToday, 0),
    used: rows.reduce((sum, row) => sum + row.recommendCount, 0),
  },
})

const hostOf = (link: string) => (URL.canParse(link) ? new URL(link).hostname : link)

/** The partnership manager describes a partner's loan, and a colleague of operations checks it, prices it, places it and takes it online. */
export default listScreen({
  list: marketProduct.page,
  rowKey: 'marketProductNo',
  filters: [
    'marketProductName',
    'platformNo',
    'productStatus',
    'appCode',
    'platformKind',
    'customerType',
    'vipLevelMin',
    'badge',
    'waiting',
  ],
  presets: [
    { label: 'market.online', filters: { productStatus: ['online'] } },
    { label: 'config.waitingForMe', filters: { productStatus: ['submitted'], waiting: true } },
  ],
  columns: [
    { id: 'marketProductName', width: 220, cell: (row: Row) => <ProductName row={row} /> },
    'platformName',
    'productStatus',
    { id: 'amountMax', width: 190, cell: (row: Row) => <Money from={row.amountMin} to={row.amountMax} /> },
    {
      id: 'termMax',
      cell: (row: Row) => (row.termMin === row.termMax ? row.termMax : `${row.termMin}–${row.termMax}`),
    },
    'termUnit',
    { id: 'rateMonthMax', cell: (row: Row) => `${row.rateMonthMin}–${row.rateMonthMax} %` },
    { id: 'allInMonthRate', cell: (row: Row) => <Rate row={row} /> },
    'appCodes',
    'customerTypes',
    'vipLevelMin',
    'sort',
    'impressionCount',
    'clickCount',
    'clickRate',
    'applyCount',
    'paidOutCount',
    'conversionRate',
    'revenueAmount',
    {
      id: 'dailyClickCap',
      cell: (row: Row) => (row.dailyClickCap === null ? '–' : `${row.clicksToday} / ${row.dailyClickCap}`),
    },
    { id: 'linkFault', cell: (row: Row) => <LinkState row={row} /> },
    'updatedTime',
  ],
  more: [
    'marketProductNo',
    'platformKind',
    'draftOf',
    'badge',
    'submitterName',
    'operatorName',
    'onlineTime',
    'offlineTime',
  ],
  toolbar: act => [
    {
      label: 'market.sort',
      needs: { perm: marketProduct.arrange.perm, audit: marketProduct.arrange.audit },
      dialog: OrderDialog,
    },
    act(marketProduct.importOwn, {
      label: 'market.importOwn',
      ask: ['productNo', 'platformNo', 'applyUrl'],
      done: 'config.saved',
    }),
    act(marketProduct.save, { label: 'market.new', ask: productFields, done: 'config.saved' }),
  ],
  row: act => [
    act(marketProduct.operate, {
      label: 'market.accept',
      ask: [...operationFields, 'capReason', ...(Object.keys(checklist) as (keyof typeof checklist)[])],
      from: 'row',
      when: row => row.productStatus === 'submitted' || 'common.doesNotApply',
    }),
    act(marketProduct.sendBack, { label: 'market.sendBack', tone: 'danger', ask: ['reason'] }),
    act(marketProduct.submit, { label: 'market.submit', confirm: asksSubmit }),
    act(marketProduct.save, {
      label: 'config.edit',
      ask: productFields,
      from: 'row',
      input: ([row]) => ({ marketProductNo: row?.marketProductNo, version: row?.version }),
      done: 'config.saved',
    }),
    act(marketProduct.save, {
      label: 'config.copy',
      ask: productFields,
      from: copied,
      input: () => ({}),
      when: row => row.draftOf === null || 'common.doesNotApply',
      done: 'config.saved',
    }),
  ],
  rowAndBulk: act => [
    act(marketProduct.offline, { label: 'market.takeOffline', tone: 'danger', ask: ['reason'], confirm: asksOffline }),
  ],
  head: productHead,
  detail: row => <ProductDetail row={row} />,
  also: [
    marketProduct.detail,
    marketProduct.stat,
    marketProduct.clicks,
    marketProduct.arrange,
    common.options,
    common.apps,
    common.products,
    upload.token,
    upload.chunk,
    upload.complete,
    upload.file,
  ],
})

import { lazy, Suspense } from 'react'
import type { ConfigRow } from '../../core/contract/config.ts'
import {
  consumptionPrice,
  consumptionPrices,
  consumptionType,
  consumptionTypes,
} from '../../core/contract/merchant/consumption-type.ts'
import { useText } from '../../core/element/i18n.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { formatMoney } from '../../core/rules/amount.ts'
import { shortTime } from '../../core/rules/time.ts'
import { Loading } from '../../core/ui/states.tsx'

const PriceLines = lazy(async () => ({ default: (await import('./consumption/price-lines.tsx')).PriceLines }))
const PriceSimulation = lazy(async () => ({ default: (await import('./consumption/price-lines.tsx')).PriceSimulation }))

type Type = ConfigRow<typeof consumptionTypes>
type Price = ConfigRow<typeof consumptionPrices>
const ForAll = ({ name }: { name: string | null }) => name ?? useText()('config.forAll')
const soon = <Loading rows={3} />

const types = configScreen({
  config: consumptionTypes,
  filters: ['typeName', 'meter', 'prepaidRequired'],
  columns: [
    'typeCode',
    'typeName',
    'meter',
    'unit',
    'unitPrice',
    {
      id: 'nextPrice',
      cell: (row: Type) =>
        row.nextPrice && row.nextPriceTime ? `${row.nextPrice} · ${shortTime(row.nextPriceTime)}` : null,
    },
    'ownPrices',
    'prepaidRequired',
    'quantity30',
    'amount30',
  ],
  more: ['effectiveTime', 'yesterdayQuantity', 'yesterdayAmount'],
  settings: ['typeCode', 'typeName', 'meter', 'unit', 'unitPrice', 'effectiveTime', 'ownPrices', 'prepaidRequired'],
  confirm: {
    enable: ([row]) => ({
      key: 'consumptionType.confirmEnable',
      params: { meter: `dict.CONSUMPTION_METER.${row?.meter}` },
    }),
    disable: rows => ({
      key: 'consumptionType.confirmDisable',
      params: {
        meter: `dict.CONSUMPTION_METER.${rows[0]?.meter}`,
        quantity: rows[0]?.yesterdayQuantity ?? 0,
        amount: formatMoney(rows[0]?.yesterdayAmount ?? '0.00'),
      },
    }),
    delete: 'consumptionType.confirmDelete',
  },
  tabs: [
    {
      name: 'prices',
      label: 'consumptionType.priceLines',
      body: row => (
        <Suspense fallback={soon}>
          <PriceLines typeNo={row.typeNo} />
        </Suspense>
      ),
    },
  ],
  also: [consumptionType.prices],
})

const prices = configScreen({
  config: consumptionPrices,
  filters: ['typeNo', 'meter', 'merchantNo'],
  columns: [
    'priceNo',
    'typeName',
    { id: 'merchantName', cell: (row: Price) => <ForAll name={row.merchantName} /> },
    'unitPrice',
    'unit',
    'quantity30',
  ],
  more: ['meter', 'versionNo'],
  settings: ['typeName', 'meter', 'merchantName', 'unitPrice', 'quantity30'],
  confirm: {
    enable: 'consumptionType.confirmEnablePrice',
    disable: 'consumptionType.confirmDisablePrice',
    delete: 'consumptionType.confirmDeletePrice',
  },
  effect: 'consumptionType.effect',
  draftPreview: (priceNo, { unitPrice }) => (
    <Suspense fallback={soon}>
      <PriceSimulation priceNo={priceNo} unitPrice={String(unitPrice ?? '')} />
    </Suspense>
  ),
  also: [consumptionType.simulate, consumptionPrice.page],
})

/** Platform finance decides which services merchants are charged for, at which price, from when, and who has a price of their own. */
export default tabbed([
  { name: 'types', label: 'consumptionType.types', screen: types },
  { name: 'prices', label: 'consumptionType.prices', screen: prices },
])

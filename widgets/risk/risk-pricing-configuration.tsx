import { lazy, Suspense } from 'react'
import type { ConfigRow } from '../../core/contract/config.ts'
import { legalCap, legalCaps } from '../../core/contract/risk/legal-cap.ts'
import { pricing, pricings } from '../../core/contract/risk/pricing.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { screen } from '../../core/engine/screen.ts'
import { formatMoney, gt, lt } from '../../core/rules/amount.ts'
import type { PriceCell } from '../../core/rules/risk-price.ts'
import { Loading } from '../../core/ui/states.tsx'

const Check = lazy(async () => ({ default: (await import('./pricing/price-check.tsx')).DraftCheck }))
const Example = lazy(async () => ({ default: (await import('./pricing/price-example.tsx')).Example }))
const Ladder = lazy(async () => ({ default: (await import('./pricing/limit-ladder.tsx')).Ladder }))
const Simulation = lazy(async () => ({ default: (await import('./pricing/simulation.tsx')).Simulation }))
const Watch = lazy(async () => ({ default: (await import('./pricing/cap-watch.tsx')).CapWatch }))

type Row = ConfigRow<typeof pricings>
const waiting = <Loading rows={3} />

/** The lowest and the highest of a value over the levels. */
const range = (cells: readonly PriceCell[] | null, name: 'initialLimit' | 'maxLimit') => {
  const values = cells?.map(cell => cell[name]) ?? []
  if (values.length === 0) return '–'
  const [low, high] = [values.reduce((a, b) => (lt(b, a) ? b : a)), values.reduce((a, b) => (gt(b, a) ? b : a))].map(
    formatMoney,
  )
  return low === high ? low : `${low} … ${high}`
}
const rates = (cells: readonly PriceCell[] | null) => {
  const values = (cells ?? []).map(cell => Number(cell.interestRateDay))
  if (values.length === 0) return '–'
  const [low, high] = [Math.min(...values), Math.max(...values)].map(rate => rate.toFixed(4))
  return low === high ? low : `${low} … ${high}`
}

const grids = configScreen({
  config: pricings,
  filters: ['merchantNo', 'productNo', 'loanKind'],
  columns: [
    'pricingNo',
    'productName',
    'loanKind',
    { id: 'initialLimit', label: 'fields.initialLimit', cell: (row: Row) => range(row.cells, 'initialLimit') },
    { id: 'maxLimit', label: 'fields.maxLimit', cell: (row: Row) => range(row.cells, 'maxLimit') },
    { id: 'interestRateDay', label: 'fields.interestRateDay', cell: (row: Row) => rates(row.cells) },
    'interestMonthRate',
    'allInMonthRate',
    'verdict',
    'orders30',
  ],
  more: ['merchantName', 'levelCount', 'versionNo'],
  settings: [
    'productName',
    'merchantName',
    'loanKind',
    'levelCount',
    'interestMonthRate',
    'allInMonthRate',
    'verdict',
    'orders30',
  ],
  confirm: {
    enable: 'pricing.confirmEnable',
    disable: 'pricing.confirmDisable',
    delete: 'pricing.confirmDelete',
  },
  effect: 'pricing.effect',
  draftPreview: (no, values) => (
    <Suspense fallback={waiting}>
      <Check pricingNo={no} cells={values.cells as readonly PriceCell[] | undefined} />
    </Suspense>
  ),
  tabs: [
    {
      name: 'example',
      label: 'pricing.example',
      body: row => (
        <Suspense fallback={waiting}>
          <Example row={row} />
        </Suspense>
      ),
    },
    {
      name: 'ladder',
      label: 'pricing.ladder',
      body: row => (
        <Suspense fallback={waiting}>
          <Ladder row={row} />
        </Suspense>
      ),
    },
    {
      name: 'simulation',
      label: 'pricing.simulation',
      body: row => (
        <Suspense fallback={waiting}>
          <Simulation row={row} />
        </Suspense>
      ),
    },
  ],
  also: [pricing.check, pricing.simulate, pricing.versions],
})

const caps = configScreen({
  config: legalCaps,
  filters: ['capKey', 'capMode'],
  columns: ['capNo', 'capKey', 'capValue', 'capBase', 'feeTreatment', 'capMode', 'legalSource', 'versionNo'],
  confirm: {
    enable: 'legalCap.settled',
    disable: 'legalCap.settled',
    delete: 'legalCap.settled',
  },
  effect: 'legalCap.effect',
  settled: true,
  also: [legalCap.versions],
})

const watch = screen([pricing.capWatch], () => (
  <Suspense fallback={waiting}>
    <Watch />
  </Suspense>
))

/** Pricing managers set amounts, limits and prices by risk level inside what product and law allow; compliance keeps the caps. */
export default tabbed([
  { name: 'grids', label: 'pricing.grids', screen: grids },
  { name: 'caps', label: 'pricing.caps', screen: caps },
  { name: 'watch', label: 'pricing.watch', screen: watch },
])

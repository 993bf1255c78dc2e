import { lazy, Suspense } from 'react'
import type { ConfigRow } from '../../../core/contract/config.ts'
import type { caseProducts, product, productNew, stageProducts } from '../../../core/contract/operation/product.ts'
import { configScreen } from '../../../core/engine/config/config-screen.tsx'
import type { Column, Screen } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Loading } from '../../../core/ui/states.tsx'

const Simulator = lazy(async () => ({ default: (await import('./simulator.tsx')).Simulator }))
const DraftSimulator = lazy(async () => ({ default: (await import('./simulator.tsx')).DraftSimulator }))

type Row = ConfigRow<typeof caseProducts>
type Given = {
  config: typeof caseProducts | typeof stageProducts
  calls: typeof product | typeof productNew
  /** Columns of the track. */
  own: readonly string[]
}
const waiting = <Loading rows={3} />

const amounts = ({ minAmount, maxAmount }: Row) =>
  minAmount && maxAmount ? `${formatMoney(minAmount)} … ${formatMoney(maxAmount)}` : '–'

const columnsOf = (own: readonly string[]): readonly Column<Row>[] => [
  'productNo',
  'productName',
  'merchantName',
  'term',
  ...(own as readonly 'term'[]),
  { id: 'amounts', label: 'product.amountRange', width: 170, cell: amounts },
  'interestRateDay',
  'serviceFeeValue',
  'interestMonthRate',
  'allInMonthRate',
  'verdict',
  'extensionMax',
  'openOrderCount',
  'versionNo',
]
const settingsOf = (config: typeof caseProducts) => [
  'productName',
  'merchantName',
  ...Object.keys(config.versions?.form ?? {}),
  'interestMonthRate',
  'allInMonthRate',
  'verdict',
  'openOrderCount',
  'versionNo',
  'effectiveTime',
]

/** Products of a track: terms as dated versions, what they cost, and the law's verdict. */
export const productScreen = ({ config: given, calls: of, own }: Given): Screen => {
  // Both tracks have the same calls; they differ in one field of the terms.
  const [config, calls] = [given as typeof caseProducts, of as typeof product]
  return configScreen({
    config,
    filters: ['productName', 'merchantNo'],
    columns: columnsOf(own),
    more: ['managementFeeValue', 'lateFeeValue', 'lateFeeCapRate', 'auditPolicy', 'auditSteps'],
    settings: settingsOf(config) as never,
    confirm: {
      enable: 'product.confirmEnable',
      disable: 'product.confirmDisable',
      delete: 'product.confirmDelete',
    },
    effect: 'product.effect',
    draftPreview: (_, values) => (
      <Suspense fallback={waiting}>
        <DraftSimulator calls={calls} draft={values} />
      </Suspense>
    ),
    tabs: [
      {
        name: 'preview',
        label: 'product.preview',
        body: row => (
          <Suspense fallback={waiting}>
            <Simulator calls={calls} productNo={row.productNo} />
          </Suspense>
        ),
      },
    ],
    row: [
      {
        run: calls.copy,
        label: 'product.copyTo',
        ask: ['productName', 'merchantNos'],
        from: rows => ({ productName: rows[0]?.productName }),
        input: rows => ({ productNo: rows[0]?.productNo }),
        confirm: 'product.copyNote',
      },
    ],
    also: [calls.preview, calls.versions],
  })
}

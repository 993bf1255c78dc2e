import { useRead } from '../../core/client/providers.tsx'
import { autoSettle, autoSettles } from '../../core/contract/after-loan/auto-settle.ts'
import { common } from '../../core/contract/common/common.ts'
import { useText } from '../../core/element/i18n.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import type { CallAction } from '../../core/engine/screen.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { moneyFormat } from '../../core/rules/text/formats.ts'
import { PagedTable } from '../shared/paged-table.tsx'
import { Hint } from './rule/hint.tsx'
import { placeColumns } from './rule/place-cells.tsx'

type Values = Record<string, unknown>

/** The orders that a limit would settle now. */
const Preview = ({ merchantNo, productNo, residueLimit }: Values) => {
  const t = useText()
  const limit = typeof residueLimit === 'string' && moneyFormat.test(residueLimit) ? residueLimit : null
  const place = {
    ...(typeof merchantNo === 'string' ? { merchantNo } : {}),
    ...(typeof productNo === 'string' ? { productNo } : {}),
  }
  const { data } = useRead(autoSettle.preview, limit ? { ...place, residueLimit: limit } : null)
  if (!data) return null
  return <Hint>{t('autoSettle.preview', { n: data.orders, waived: formatMoney(data.waived) })}</Hint>
}

/** What the runs did by a rule. */
const Results = ({ configNo }: { configNo: string }) => {
  const t = useText()
  return (
    <PagedTable
      list={autoSettle.results}
      filters={{ configNo }}
      rowKey="resultNo"
      names={[
        'businessDate',
        'orderNo',
        'settleOutcome',
        'owedBefore',
        'fromOverflow',
        'waived',
        'owedAfter',
        'skipReason',
        'repaymentNo',
      ]}
      empty={t('autoSettle.noResults')}
      size={20}
      batch={100}
    />
  )
}

const runNow: CallAction<never> = {
  run: autoSettle.run,
  label: 'autoSettle.run',
  confirm: 'autoSettle.confirmRun',
  done: answer => ({ key: 'autoSettle.ran', params: answer as Record<string, number> }),
}

/** The finance lead has small residues forgiven and held money used, so that good customers are not overdue for them. */
export default configScreen({
  config: autoSettles,
  filters: ['merchantNo'],
  columns: [...placeColumns, 'residueLimit', 'daysSincePayment', 'useOverflow', 'lastRun', 'lastOrders', 'lastWaived'],
  more: ['configNo'],
  settings: [
    'configNo',
    'merchantName',
    'productName',
    'residueLimit',
    'daysSincePayment',
    'useOverflow',
    'lastRun',
    'lastOrders',
    'lastWaived',
  ],
  confirm: {
    enable: 'autoSettle.confirmEnable',
    disable: 'autoSettle.confirmDisable',
    delete: 'autoSettle.confirmDelete',
  },
  preview: values => <Preview {...values} />,
  toolbar: [runNow],
  tabs: [{ name: 'results', label: 'autoSettle.results', body: row => <Results configNo={row.configNo} /> }],
  also: [common.merchants, common.products, autoSettle.preview, autoSettle.results],
})

import { useRead } from '../../core/client/providers.tsx'
import { autoCancel, autoCancels } from '../../core/contract/after-loan/auto-cancel.ts'
import { common } from '../../core/contract/common/common.ts'
import { useText } from '../../core/element/i18n.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { formatMoney } from '../../core/rules/amount.ts'
import { Loaded } from '../shared/loaded.tsx'
import { SmallTable } from '../shared/small-table.tsx'
import { Hint } from './rule/hint.tsx'
import { placeColumns } from './rule/place-cells.tsx'

type Values = Record<string, unknown>
const Cancelled = autoCancel.cancelled.output.shape.list.element

const hours = ['pendingHours', 'failedHours', 'reWithdrawalHours'] as const

/** What the hours of the form would cancel at the next run. */
const Preview = (values: Values) => {
  const t = useText()
  const typed = hours.flatMap(name => {
    const value = values[name]
    return typeof value === 'number' && value >= 1 && value <= 720 ? [[name, value] as const] : []
  })
  const place = ['merchantNo', 'productNo'].flatMap(name =>
    typeof values[name] === 'string' ? [[name, values[name]] as const] : [],
  )
  const { data } = useRead(autoCancel.preview, Object.fromEntries([...place, ...typed]) as never)
  if (!data) return null
  return <Hint>{t('autoCancel.preview', { n: data.orders, amount: formatMoney(data.amount) })}</Hint>
}

/** What a rule cancelled lately. */
const Done = ({ configNo }: { configNo: string }) => {
  const t = useText()
  const read = useRead(autoCancel.cancelled, { configNo })
  return (
    <Loaded read={read}>
      {({ list }) => (
        <SmallTable
          schema={Cancelled}
          rows={list}
          rowKey="orderNo"
          names={['orderNo', 'customerName', 'actualLoanAmount', 'fromStatus', 'cancelTime']}
          empty={t('autoCancel.noneCancelled')}
        />
      )}
    </Loaded>
  )
}

/** The finance lead says how long approved loans that cannot be paid out wait before they are cancelled. */
export default configScreen({
  config: autoCancels,
  filters: ['merchantNo'],
  columns: [...placeColumns, 'pendingHours', 'failedHours', 'reWithdrawalHours', 'waitingOrders', 'dueSoon'],
  more: ['configNo'],
  settings: [
    'configNo',
    'merchantName',
    'productName',
    'pendingHours',
    'failedHours',
    'reWithdrawalHours',
    'waitingOrders',
    'dueSoon',
  ],
  confirm: {
    enable: 'autoCancel.confirmEnable',
    disable: 'autoCancel.confirmDisable',
    delete: 'autoCancel.confirmDelete',
  },
  preview: values => <Preview {...values} />,
  tabs: [{ name: 'cancelled', label: 'autoCancel.cancelled', body: row => <Done configNo={row.configNo} /> }],
  also: [common.merchants, common.products, autoCancel.preview, autoCancel.cancelled],
})

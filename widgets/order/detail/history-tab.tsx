import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { metaOf } from '../../../core/contract/fields.ts'
import { order } from '../../../core/contract/order/order.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useOptions } from '../../../core/engine/form/options.ts'
import { formatMoney, sum } from '../../../core/rules/amount.ts'
import { Choose } from '../../../core/ui/choose/choose.tsx'
import { Figures } from '../../shared/figures.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'

type Status = (typeof order.history.row.shape.orderStatus.options)[number]
const statusMeta = metaOf(order.history.filters.orderStatus)
/** More orders of one customer than anybody has; they come at once, so that the sums are of all of them. */
const batch = 100

const Totals = ({ orderNo, orderStatus }: { orderNo: string; orderStatus: Status[] | undefined }) => {
  const t = useText()
  const { data } = useRead(order.history, { orderNo, orderStatus, pageNum: 1, pageSize: batch })
  const lent = data?.list.filter(one => one.payoutTime !== null)
  return (
    <Figures
      label={t('order.tab.history')}
      list={[
        { label: t('order.orders'), value: data?.total },
        { label: t('order.lent'), value: lent && formatMoney(sum(lent.map(one => one.actualLoanAmount))) },
        { label: t('fields.outstanding'), value: data && formatMoney(sum(data.list.map(one => one.outstanding))) },
      ]}
    />
  )
}

/** The other orders of the same customer. */
export const HistoryTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  const [chosen, setChosen] = useState<string[]>([])
  const options = useOptions(statusMeta)
  const orderStatus = chosen.length ? (chosen as Status[]) : undefined
  return (
    <div className="mk-stack">
      <Totals orderNo={orderNo} orderStatus={orderStatus} />
      <div>
        <Choose
          label={t('fields.orderStatus')}
          options={options}
          value={chosen}
          onChange={setChosen}
          words={{ search: t('common.search'), none: t('common.noMatch'), clear: t('common.clear') }}
        />
      </div>
      <PagedTable
        key={chosen.join()}
        list={order.history}
        filters={{ orderNo, orderStatus }}
        size={10}
        batch={batch}
        rowKey="orderNo"
        label={t('order.tab.history')}
        names={[
          'orderNo',
          'merchantName',
          'orderStatus',
          'loanAmount',
          'actualLoanAmount',
          'applyTime',
          'payoutTime',
          'settledTime',
          'overdueDays',
          'outstanding',
          'auditorName',
        ]}
        empty={t('order.noHistory')}
      />
    </div>
  )
}

import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { repay } from '../../../core/contract/after-loan/repayment.ts'
import type { FlowRow, RepayOrderRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { phoneFormat } from '../../../core/rules/text/formats.ts'
import { Button, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { Finder } from '../../shared/record/finder.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { WriteOffDialog } from './write-off-dialog.tsx'

const shown = ['orderNo', 'customerName', 'dueDate', 'settleAmount', 'pick'] as const

/** Orders on loan by number or phone, to choose the one that a receipt is for. */
const Orders = ({ text, pick }: { text: string; pick: (order: RepayOrderRow) => void }) => {
  const t = useText()
  const by = phoneFormat.test(text) ? { phone: text } : { orderNo: text }
  const { data, error, retry } = useRead(repay.page, { ...by, orderStatus: ['funds_disbursed'], pageSize: 10 })
  if (error) return <Failed message={t('common.noConnection')} onRetry={() => void retry()} />
  if (!data) return <Loading rows={3} />
  return (
    <SmallTable
      schema={repay.page.row}
      rows={data.list}
      rowKey="orderNo"
      names={[...shown]}
      empty={t('afterLoan.noOrderFound')}
      cells={{
        pick: order => (
          <Button size="1" variant="soft" onClick={() => pick(order)}>
            {t('actions.writeOff')}
          </Button>
        ),
      }}
    />
  )
}

/** Matches a receipt that no order is known for: the order is looked for, and the receipt stands in its write-off. */
export const MatchDialog = ({ rows: [flow], close }: DialogProps<FlowRow>) => {
  const t = useText()
  const [asked, setAsked] = useState('')
  const [order, setOrder] = useState<RepayOrderRow | null>(null)
  if (order) return <WriteOffDialog rows={[order]} picked={flow} close={close} />
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('afterLoan.matchFlow')}
      description={t('afterLoan.matchFlowHint', { serialNo: flow.serialNo, amount: formatMoney(flow.remaining) })}
      footer={<DialogCancel />}
    >
      <Finder label={t('afterLoan.findOrder')} find={setAsked} />
      {asked ? (
        <Orders key={asked} text={asked} pick={setOrder} />
      ) : (
        <Text size="2" color="gray">
          {flow.paymentCode ? `${t('fields.paymentCode')} ${flow.paymentCode}` : t('afterLoan.findOrder')}
        </Text>
      )}
    </ModalDialog>
  )
}

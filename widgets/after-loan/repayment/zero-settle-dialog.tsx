import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { repay } from '../../../core/contract/after-loan/repayment.ts'
import type { RepayOrderRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import type { Results } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { RefusedRows } from '../../../core/engine/form/refused-rows.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import { LeftOutRows } from '../../../core/engine/list/chosen/left-out.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Button, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

/** What is needed of an order. */
type Asked = Pick<RepayOrderRow, 'orderNo'>

/** What each order would waive, and the settling of those that may. */
const useZeroSettle = (rows: readonly Asked[], close: (changed?: boolean) => void) => {
  const { send, busy } = useCommand()
  const [refused, setRefused] = useState<Results | null>(null)
  const { data, error, retry } = useRead(
    repay.zeroPreview,
    rows.length > 0 ? { orderNos: rows.map(row => row.orderNo) } : {},
  )
  const allowed = data?.list.filter(one => one.allowed) ?? []
  const settle = async () => {
    const orderNos = allowed.map(one => one.orderNo)
    const trialKeys = allowed.map(one => one.trialKey)
    const outcome = await send(repay.zeroSettle, { orderNos, trialKeys }, { ids: orderNos })
    if (outcome.is !== 'done') return
    if (outcome.answer.fail) setRefused(outcome.answer)
    else close(true)
  }
  return { data, error, retry, allowed, settle, busy, refused }
}

/** Settles orders that owe nothing or next to nothing: says what each would waive, and which may not. */
export const ZeroSettleDialog = ({
  rows,
  left = [],
  note,
  close,
}: Omit<DialogProps<RepayOrderRow>, 'rows'> & {
  /** The chosen orders; none has the server find those that may be settled. */
  rows: readonly Asked[]
  /** Said above the orders. */
  note?: string
}) => {
  const t = useText()
  const { data, error, retry, allowed, settle, busy, refused } = useZeroSettle(rows, close)
  if (refused) return <RefusedRows results={refused} close={() => close(true)} />
  const words = data && {
    n: data.allowed,
    penalty: formatMoney(data.penaltyAndFee),
    interest: formatMoney(data.interest),
    principal: formatMoney(data.principal),
    m: data.refused,
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('actions.zeroSettle')}
      description={words ? t('afterLoan.confirmZeroSettle', words) : t('common.loading')}
      footer={
        <>
          <DialogCancel />
          <Button disabled={allowed.length === 0} loading={busy} onClick={() => void settle()}>
            {t('common.actionOn', { action: t('actions.zeroSettle'), n: allowed.length })}
          </Button>
        </>
      }
    >
      {note && (
        <Text as="p" size="2" mb="2">
          {note}
        </Text>
      )}
      <LeftOutRows left={left} />
      {error ? (
        <Failed message={t('common.noConnection')} onRetry={() => void retry()} />
      ) : data ? (
        <SmallTable
          schema={repay.zeroPreview.output.shape.list.element}
          rows={data.list}
          rowKey="orderNo"
          names={['orderNo', 'outstanding', 'reason']}
          empty={t('afterLoan.noZeroSettle')}
        />
      ) : (
        <Loading rows={4} />
      )}
    </ModalDialog>
  )
}

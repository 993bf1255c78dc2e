import { useRef, useState } from 'react'
import { newKey } from '../../core/client/call.ts'
import { CallError } from '../../core/client/errors.ts'
import { useRead } from '../../core/client/providers.tsx'
import type { Results } from '../../core/contract/endpoint.ts'
import { type RepayOrderRow, repay } from '../../core/contract/repay.ts'
import { useText } from '../../core/element/i18n.ts'
import { RefusedRows } from '../../core/engine/refused-rows.tsx'
import { useAct } from '../../core/engine/use-act.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Button } from '../../core/ui/basics.ts'
import { ModalDialog } from '../../core/ui/modal-dialog.tsx'
import { Failed, Loading } from '../../core/ui/states.tsx'
import { SmallTable } from '../shared/small-table.tsx'

/** Settles orders that owe nothing or next to nothing: says what each would waive, and which may not. */
export const ZeroSettleDialog = ({
  rows,
  close,
}: {
  rows: readonly RepayOrderRow[]
  close: (changed?: boolean) => void
}) => {
  const t = useText()
  const act = useAct()
  const key = useRef(newKey())
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Results | null>(null)
  const { data, error, retry } = useRead(repay.zeroPreview, { orderNos: rows.map(row => row.orderNo) })
  if (refused) return <RefusedRows results={refused} close={() => close(true)} />
  const allowed = data?.list.filter(one => one.allowed) ?? []
  const send = async () => {
    setBusy(true)
    try {
      const orderNos = allowed.map(one => one.orderNo)
      const answer = await act.send(
        repay.zeroSettle,
        { orderNos, trialKeys: allowed.map(one => one.trialKey) },
        { key: key.current, ids: orderNos },
      )
      if (answer.fail) setRefused(answer)
      else close(true)
    } catch (failed) {
      if (failed instanceof CallError) key.current = newKey()
    } finally {
      setBusy(false)
    }
  }
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
          <Button variant="soft" color="gray" onClick={() => close()}>
            {t('common.cancel')}
          </Button>
          <Button disabled={allowed.length === 0} loading={busy} onClick={() => void send()}>
            {t('common.actionOn', { action: t('actions.zeroSettle'), n: allowed.length })}
          </Button>
        </>
      }
    >
      {error ? (
        <Failed message={t('common.noConnection')} onRetry={() => void retry()} />
      ) : data ? (
        <SmallTable
          schema={repay.zeroPreview.output.shape.list.element}
          rows={data.list}
          rowKey="orderNo"
          names={['orderNo', 'outstanding', 'reason']}
          empty=""
        />
      ) : (
        <Loading rows={4} />
      )}
    </ModalDialog>
  )
}

import { useState } from 'react'
import { useMay } from '../../core/client/providers.tsx'
import { auditManage } from '../../core/contract/audit/order-list.ts'
import { type OrderSummary, orderBrief } from '../../core/contract/order/order-brief.ts'
import { useText } from '../../core/element/i18n.ts'
import { Ask } from '../../core/engine/form/ask.tsx'
import { refusal } from '../../core/engine/form/refusal.ts'
import type { CallAction } from '../../core/engine/screen.ts'
import { Button } from '../../core/ui/basics.ts'

const cancel: CallAction<Record<string, unknown>> = {
  label: 'actions.cancelOrder',
  run: auditManage.cancel,
  tone: 'danger',
  ask: ['reason', 'remark'],
  confirm: 'audit.confirmCancel',
}

/** Stops an order before its payout, as its list does. */
export const CancelButton = ({ summary, reload }: { summary: OrderSummary; reload: () => void }) => {
  const t = useText()
  const may = useMay()
  const [asked, setAsked] = useState(false)
  if (!may.call(auditManage.cancel)) return null
  const reason = refusal(t, cancel, summary)
  return (
    <>
      <Button
        variant="soft"
        color="red"
        disabled={reason !== null}
        title={reason ?? undefined}
        onClick={() => setAsked(true)}
      >
        {t('actions.cancelOrder')}
      </Button>
      {asked && (
        <Ask
          action={cancel}
          rows={[summary]}
          rowKey="orderNo"
          fields={orderBrief.summary.output}
          close={changed => {
            setAsked(false)
            if (changed) reload()
          }}
        />
      )}
    </>
  )
}

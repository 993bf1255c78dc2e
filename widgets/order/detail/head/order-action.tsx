import { useState } from 'react'
import { useMay } from '../../../../core/client/providers.tsx'
import { auditManage } from '../../../../core/contract/audit/order-list.ts'
import { blacklist } from '../../../../core/contract/merchant/blacklist.ts'
import { type OrderSummary, orderBrief } from '../../../../core/contract/order/order-brief.ts'
import { useText } from '../../../../core/element/i18n.ts'
import { Ask } from '../../../../core/engine/form/ask.tsx'
import { refusal } from '../../../../core/engine/form/refusal.ts'
import type { CallAction } from '../../../../core/engine/screen.ts'
import { Button } from '../../../../core/ui/basics.ts'

type Action = CallAction<Record<string, unknown>>

const cancels: Action = {
  label: 'actions.cancelOrder',
  run: auditManage.cancel,
  tone: 'danger',
  ask: ['reason', 'remark'],
  confirm: 'audit.confirmCancel',
}

const bars: Action = {
  label: 'actions.blacklist',
  run: blacklist.addPerson,
  tone: 'danger',
  ask: ['dimensions', 'reasonCode', 'remark', 'merchantNo', 'expireTime', 'evidenceFile'],
  input: ([row]) => ({ customerNo: row?.customerNo ?? '' }),
  confirm: 'audit.confirmBlacklist',
}

type Props = { summary: OrderSummary; reload: () => void }

const OrderAction = ({ action, summary, reload }: Props & { action: Action }) => {
  const t = useText()
  const may = useMay()
  const [asked, setAsked] = useState(false)
  if (!may.call(action.run)) return null
  const reason = refusal(t, action, summary)
  return (
    <>
      <Button
        variant="soft"
        color="red"
        disabled={reason !== null}
        title={reason ?? undefined}
        onClick={() => setAsked(true)}
      >
        {t(action.label)}
      </Button>
      {asked && (
        <Ask
          action={action}
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

/** Stops an order before its payout, as its list does. */
export const CancelOrder = (props: Props) => <OrderAction action={cancels} {...props} />

/** Bars the customer of an order, as its list does; the order stays as it is. */
export const BarCustomer = (props: Props) => <OrderAction action={bars} {...props} />

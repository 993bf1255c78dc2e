import { useText } from '../../../core/element/i18n.ts'
import type { Key } from '../../../core/i18n/index.ts'

/** What a dialog about one order is headed by: what is done, to which order, whose. */
export const OrderTitle = ({ label, order }: { label: Key; order: { orderNo: string; customerName: string } }) => {
  const t = useText()
  return (
    <>
      {t(label)} <span className="mk-key">{order.orderNo}</span> {order.customerName}
    </>
  )
}

import { type ReactNode, useEffect } from 'react'
import { CallError } from '../../core/client/errors.ts'
import { type Loaded as Read, useRead } from '../../core/client/providers.tsx'
import { enterPage } from '../../core/client/tracking.ts'
import { codes } from '../../core/contract/codes.ts'
import { type OrderSummary, orderBrief } from '../../core/contract/order/order-brief.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import engine from '../../core/engine/engine.css?sheet'
import { Forbidden } from '../../core/engine/list/chosen/refused.tsx'
import { Empty } from '../../core/ui/states.tsx'
import { Loaded } from '../shared/loaded.tsx'
import { Lookup } from './lookup.tsx'
import sheet from './order.css?sheet'

type Draw = (summary: OrderSummary, reload: () => void) => ReactNode

/** Where an order stands is asked again by itself, so that a payment or a colleague's decision shows. */
const refreshInterval = 30_000

const codeOf = (read: Read<unknown>) => (read.error instanceof CallError ? read.error.code : undefined)

const Known = ({ orderNo, skeleton, children }: { orderNo: string; skeleton: ReactNode; children: Draw }) => {
  const t = useText()
  const { token } = useHost().props
  const read = useRead(orderBrief.summary, { orderNo }, { background: true, refreshInterval })
  const { error, retry } = read
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new token is the reason to ask again
  useEffect(() => {
    if (error) void retry()
  }, [token])
  const code = codeOf(read)
  if (code === codes.forbidden) return <Forbidden />
  if (code === codes.notFound)
    return <Empty title={t('order.notFound')} hint={t('order.notFoundHint')} action={<Lookup given={orderNo} />} />
  return (
    <Loaded read={read} skeleton={skeleton}>
      {summary => children(summary, () => void retry())}
    </Loaded>
  )
}

const pages: Readonly<Record<string, 'OrderDetail' | 'OrderAudit'>> = {
  'mkopo-order-order-detail': 'OrderDetail',
  'mkopo-order-order-audit': 'OrderAudit',
}

/** Tells the tracking server of a partner, where there is one, that the order was opened from somewhere and left; the console tells its own. */
const useStay = () => {
  const { tag, props, now } = useHost()
  const { orderNo, from, config } = props
  const base = config?.trackingBase
  const page = pages[tag]
  useEffect(() => {
    if (!base || !page || !orderNo || !from) return
    return enterPage({ page, from, orderNo }, { base, token: () => now().token ?? null })
  }, [base, page, orderNo, from, now])
}

/** The order that the host names, or the way to one: nothing chosen, not found, no access, signed out. */
export const OrderScreen = ({ skeleton, children }: { skeleton: ReactNode; children: Draw }) => {
  useSheet(engine)
  useSheet(sheet)
  const t = useText()
  const { orderNo } = useHost().props
  useStay()
  if (!orderNo) return <Empty title={t('order.noneChosen')} hint={t('order.noneChosenHint')} action={<Lookup />} />
  return (
    <Known key={orderNo} orderNo={orderNo} skeleton={skeleton}>
      {children}
    </Known>
  )
}

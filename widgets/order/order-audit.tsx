import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { auditQueue } from '../../core/contract/audit/queue.ts'
import { auditReview } from '../../core/contract/audit/review.ts'
import { approvalCalls } from '../../core/contract/common/approval.ts'
import type { OrderSummary } from '../../core/contract/order/order-brief.ts'
import { useText } from '../../core/element/i18n.ts'
import { screen } from '../../core/engine/screen.ts'
import { Button } from '../../core/ui/basics.ts'
import { Icon } from '../../core/ui/icons.tsx'
import { usePrefetchedNext } from './audit/next.tsx'
import { Panel, PanelSkeleton } from './audit/panel.tsx'
import { useNarrow } from './audit/use-narrow.ts'
import { OrderSkeleton } from './detail/order-skeleton.tsx'
import { OrderView, orderCalls } from './detail/order-view.tsx'
import { useOrderTab } from './detail/use-order-tab.ts'
import { OrderScreen } from './order-screen.tsx'

const OrderAudit = ({ summary, refresh }: { summary: OrderSummary; refresh: () => void }) => {
  const t = useText()
  const id = useId()
  const narrow = useNarrow()
  const [tab, choose] = useOrderTab()
  const [shown, setShown] = useState(false)
  const handle = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLElement>(null)
  usePrefetchedNext(summary.orderNo)
  const put = (open: boolean) => {
    flushSync(() => setShown(open))
    if (narrow) (open ? panel : handle).current?.focus({ preventScroll: true })
  }
  const show = () => void (narrow && !shown && put(true))
  const hide = () => put(false)
  return (
    <div className="mk-audit">
      <OrderView summary={summary} tab={tab} choose={choose} />
      {narrow && !shown && (
        <Button className="mk-handle" aria-expanded={false} aria-controls={id} ref={handle} onClick={show}>
          <Icon name="chevronLeft" />
          <span className="mk-handle-text">{t('audit.showPanel')}</span>
        </Button>
      )}
      <aside
        id={id}
        ref={panel}
        tabIndex={-1}
        className="mk-work"
        aria-label={t('audit.panel')}
        hidden={narrow && !shown}
        onKeyDown={event => {
          const inside = event.currentTarget.contains(event.target as Node)
          if (narrow && inside && event.key === 'Escape') hide()
        }}
      >
        <Panel
          summary={summary}
          refresh={refresh}
          history={() => {
            if (narrow) hide()
            choose('history')
          }}
          show={show}
          {...(narrow ? { hide } : {})}
        />
      </aside>
    </div>
  )
}

const Skeletons = () => (
  <div className="mk-audit">
    <OrderSkeleton />
    <div className="mk-work">
      <PanelSkeleton />
    </div>
  </div>
)

const calls = [
  ...orderCalls,
  auditQueue.open,
  auditReview.heartbeat,
  auditReview.draft,
  auditReview.submit,
  auditReview.trial,
  auditReview.followSave,
  auditReview.refuseCodes,
  auditReview.verifyPayout,
  auditReview.changePayout,
  auditReview.markPayoutChecked,
  auditQueue.next,
  ...approvalCalls,
]

/** The auditor compares, calls, answers the questionnaire, decides, and takes the next order. */
export default screen(calls, () => (
  <OrderScreen skeleton={<Skeletons />}>
    {(summary, refresh) => <OrderAudit summary={summary} refresh={refresh} />}
  </OrderScreen>
))

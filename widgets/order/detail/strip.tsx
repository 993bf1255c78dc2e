import type { ReactNode } from 'react'
import { metaOf } from '../../../core/contract/fields.ts'
import { type OrderSummary, orderBrief } from '../../../core/contract/order/order-brief.ts'
import { useText } from '../../../core/element/i18n.ts'
import { labelOf } from '../../../core/engine/table/columns.ts'
import { Dict, Value } from '../../../core/engine/table/value.tsx'
import { shortTime } from '../../../core/rules/time.ts'
import { Badge, Flex } from '../../../core/ui/basics.ts'
import { CopyIcon } from '../../../core/ui/copy-icon.tsx'
import { stripNames } from '../../shared/strip-names.ts'

const Badges = ({ summary }: { summary: OrderSummary }) => {
  const t = useText()
  const { pendingApproval, auditTaskStatus, auditorName, openTime, whitelisted, blacklisted, retrieved } = summary
  return (
    <>
      {pendingApproval && <Badge color="amber">{t('common.pendingApproval')}</Badge>}
      {auditTaskStatus === 'opened' && auditorName && openTime && (
        <Badge color="blue">{t('order.beingReviewed', { name: auditorName, time: shortTime(openTime) })}</Badge>
      )}
      {blacklisted && <Badge color="red">{t('fields.blacklisted')}</Badge>}
      {retrieved && <Badge color="amber">{t('fields.retrieved')}</Badge>}
      {whitelisted && <Badge color="green">{t('fields.whitelisted')}</Badge>}
    </>
  )
}

/** What everybody asks first about an order; it stays in sight above the tabs. */
export const Strip = ({ summary, action }: { summary: OrderSummary; action?: ReactNode }) => {
  const t = useText()
  const { shape } = orderBrief.summary.output
  // The name of the customer stands in the heading.
  const names = stripNames(summary).filter(name => name !== 'customerName')
  const bad = (name: string) => name === 'overdueDays' && summary.overdueDays > 0
  return (
    <header className="mk-strip">
      <Flex align="center" gap="2" wrap="wrap" className="mk-strip-head">
        <h2>
          {summary.customerName} · {t('fields.order')} <span className="mk-key">{summary.orderNo}</span>
        </h2>
        <CopyIcon value={summary.orderNo} />
        <Dict dict="ORDER_STATUS" value={summary.orderStatus} />
        <Badges summary={summary} />
        <Flex ml="auto">{action}</Flex>
      </Flex>
      <dl className="mk-strip-facts">
        {names.map(name => (
          <div key={name} data-tone={bad(name) ? 'bad' : undefined}>
            <dt>{labelOf(t, name)}</dt>
            <dd>
              <Value name={name} meta={metaOf(shape[name])} value={summary[name]} row={summary} />
            </dd>
          </div>
        ))}
      </dl>
    </header>
  )
}

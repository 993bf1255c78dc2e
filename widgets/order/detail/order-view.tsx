import { type ComponentType, type ReactNode, useState } from 'react'
import { useMay } from '../../../core/client/providers.tsx'
import { common, logCalls } from '../../../core/contract/common/common.ts'
import { order } from '../../../core/contract/order/order.ts'
import { type OrderSummary, orderBrief } from '../../../core/contract/order/order-brief.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Tabs } from '../../../core/ui/more.ts'
import { attachmentCalls } from '../../shared/attachments.tsx'
import { AttachmentsTab } from './attachments-tab.tsx'
import { BasicTab } from './basic-tab.tsx'
import { ChangesTab } from './changes-tab.tsx'
import { HistoryTab } from './history-tab.tsx'
import { PayoutTab } from './payout-tab.tsx'
import { RepaymentTab } from './repayment-tab.tsx'
import { ReviewTab } from './review-tab.tsx'
import { StepsTab } from './steps-tab.tsx'
import { Strip } from './strip.tsx'
import { type OrderTab, orderTabs } from './use-order-tab.ts'

const bodies: Record<OrderTab, ComponentType<{ orderNo: string }>> = {
  basic: BasicTab,
  payout: PayoutTab,
  repayment: RepaymentTab,
  history: HistoryTab,
  review: ReviewTab,
  steps: StepsTab,
  attachments: AttachmentsTab,
  changes: ChangesTab,
}

/** The calls that an order's strip and tabs make. */
export const orderCalls = [
  orderBrief.summary,
  order.basic,
  order.payout,
  order.repayment,
  order.history,
  order.records,
  order.follows,
  orderBrief.steps,
  common.reveal,
  ...attachmentCalls,
  ...logCalls,
]

type Props = {
  summary: OrderSummary
  tab: OrderTab
  choose: (tab: OrderTab) => void
  action?: ReactNode
  /** Between strip and tabs. */
  notice?: ReactNode
}

/** An order with its strip and tabs. A tab loads when it is first opened and keeps what was shown in it. */
export const OrderView = ({ summary, tab, choose, action, notice }: Props) => {
  const t = useText()
  const [opened, setOpened] = useState<readonly OrderTab[]>([tab])
  if (!opened.includes(tab)) setOpened([...opened, tab])
  const may = useMay()
  const tabs = orderTabs.filter(name => name !== 'changes' || may.call(common.auditLog))
  return (
    <article className="mk-order">
      <Strip summary={summary} action={action} />
      {notice}
      <Tabs.Root value={tab} onValueChange={next => choose(next as OrderTab)}>
        <Tabs.List aria-label={t('order.parts')} wrap="wrap">
          {tabs.map((name, index) => (
            <Tabs.Trigger key={name} value={name} aria-keyshortcuts={`Alt+${index + 1}`} title={`Alt+${index + 1}`}>
              {t(`order.tab.${name}`)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {tabs.map(name => {
          const Body = bodies[name]
          return (
            <Tabs.Content key={name} value={name} forceMount className="mk-tab">
              {opened.includes(name) && <Body orderNo={summary.orderNo} />}
            </Tabs.Content>
          )
        })}
      </Tabs.Root>
    </article>
  )
}

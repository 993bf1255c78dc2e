import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { useMay } from '../../../core/client/providers.tsx'
import { common, logCalls } from '../../../core/contract/common/common.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { orderCollected } from '../../../core/contract/order/collected.ts'
import { order } from '../../../core/contract/order/order.ts'
import { type OrderSummary, orderBrief } from '../../../core/contract/order/order-brief.ts'
import { ruleSet } from '../../../core/contract/risk/rule-set.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Tabs } from '../../../core/ui/more.ts'
import { attachmentCalls } from '../../shared/attachments.tsx'
import { ReviewTab } from '../../shared/review-record.tsx'
import { AttachmentsTab } from './attachments-tab.tsx'
import { BasicTab } from './basic-tab.tsx'
import { ChangesTab } from './changes-tab.tsx'
import { HistoryTab } from './history-tab.tsx'
import { CardsSkeleton } from './order-skeleton.tsx'
import { PayoutTab } from './payout-tab.tsx'
import { RepaymentTab } from './repayment-tab.tsx'
import { StepsTab } from './steps-tab.tsx'
import { Strip } from './strip.tsx'
import { type OrderTab, orderTabs } from './use-order-tab.ts'

type Body = ComponentType<{ orderNo: string }>

/** What is opened seldom is fetched when it is. */
const collected = (name: keyof typeof import('./collected/tabs.tsx')): Body =>
  lazy(async () => ({ default: (await import('./collected/tabs.tsx'))[name] }))

const Decision = lazy(async () => ({ default: (await import('../../shared/decision/risk-decision.tsx')).RiskDecision }))
const DecisionTab: Body = ({ orderNo }) => <Decision of={{ orderNo }} />

/** Tabs that not everybody may open, by the call that they make. */
const guarded: Partial<Record<OrderTab, Endpoint>> = {
  changes: common.auditLog,
  decision: ruleSet.decisionDetail,
  relations: orderCollected.relations,
  affinity: orderCollected.affinity,
  operator: orderCollected.operator,
  apps: orderCollected.apps,
  location: orderCollected.location,
  device: orderCollected.device,
  bvn: orderCollected.bvn,
  faces: orderCollected.faces,
}

const bodies: Record<OrderTab, Body> = {
  basic: BasicTab,
  payout: PayoutTab,
  repayment: RepaymentTab,
  history: HistoryTab,
  review: ReviewTab,
  steps: StepsTab,
  decision: DecisionTab,
  attachments: AttachmentsTab,
  relations: collected('RelationsTab'),
  affinity: collected('AffinityTab'),
  operator: collected('OperatorTab'),
  apps: collected('AppsTab'),
  location: collected('LocationTab'),
  device: collected('DeviceTab'),
  bvn: collected('BvnTab'),
  faces: collected('FacesTab'),
  merchants: collected('MerchantsTab'),
  repayCode: collected('RepayCodeTab'),
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
  ruleSet.decisionDetail,
  ...Object.values(orderCollected),
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
  const tabs = orderTabs.filter(name => !guarded[name] || may.call(guarded[name]))
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
              {opened.includes(name) && (
                <Suspense fallback={<CardsSkeleton cards={2} />}>
                  <Body orderNo={summary.orderNo} />
                </Suspense>
              )}
            </Tabs.Content>
          )
        })}
      </Tabs.Root>
    </article>
  )
}

import { useEffect } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { AuditTask } from '../../../core/contract/audit/queue.ts'
import { order } from '../../../core/contract/order/order.ts'
import type { OrderSummary } from '../../../core/contract/order/order-brief.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Button, Flex, IconButton, Skeleton } from '../../../core/ui/basics.ts'
import { Icon } from '../../../core/ui/icons.tsx'
import { Empty } from '../../../core/ui/states.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { useReloadOrder } from '../reload-order.ts'
import { Banner } from './banner.tsx'
import { useHold } from './decision/use-hold.ts'
import { Next } from './next.tsx'
import { Timer } from './timer.tsx'
import { WorkBody } from './work-body.tsx'

const heights = [60, 150, 220, 50, 120]

/** The shape of the work while the task is opened. */
export const PanelSkeleton = () => (
  <div aria-busy="true">
    {heights.map(height => (
      <div key={height} className="mk-work-section">
        <Skeleton width="130px" height="16px" mb="2" />
        <Skeleton height={`${height}px`} />
      </div>
    ))}
  </div>
)

type Props = {
  summary: OrderSummary
  /** Reloads the state of the order. */
  refresh: () => void
  /** Earlier decisions on the customer are wanted. */
  history: () => void
  show: () => void
  /** Given where the panel can be put away. */
  hide?: () => void
}

/** Which step it is, how much time is left, and the way to what was decided before. */
const Head = ({ task, history, hide }: Pick<Props, 'history' | 'hide'> & { task: AuditTask | undefined }) => {
  const t = useText()
  return (
    <div className="mk-work-head">
      <Flex align="center" gap="2">
        <h2>{t('audit.panel')}</h2>
        {task && task.auditStepCount > 1 && (
          <span className="mk-muted">{t('audit.stepOf', { step: task.auditStep, total: task.auditStepCount })}</span>
        )}
        {hide && (
          <Flex ml="auto">
            <IconButton size="1" variant="ghost" color="gray" aria-label={t('audit.hidePanel')} onClick={hide}>
              <Icon name="close" />
            </IconButton>
          </Flex>
        )}
      </Flex>
      <Flex align="center" justify="between" gap="2" wrap="wrap">
        {task ? <Timer task={task} /> : <span />}
        <Button size="1" variant="ghost" onClick={history}>
          {t('audit.earlier')}
        </Button>
      </Flex>
    </div>
  )
}

/** Where the auditor works on an order: opens its task, keeps the lease, and holds what is typed. */
export const Panel = ({ summary, refresh, history, show, hide }: Props) => {
  const { orderNo, version } = summary
  const { hold, open, lose, finish } = useHold(summary)
  const basic = useRead(order.basic, { orderNo })
  const reload = useReloadOrder(orderNo)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the order may change what is shown of it
  useEffect(() => {
    if (basic.data) void basic.retry()
  }, [version])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a hold that was won or lost shows on the order
  useEffect(() => {
    if (hold.is !== 'opening') refresh()
  }, [hold.is])
  const task = 'task' in hold ? hold.task : undefined
  const ended = hold.is === 'done' || hold.is === 'gone' || hold.is === 'refused'
  return (
    <>
      <Head task={task} history={history} {...(hide ? { hide } : {})} />
      <Banner hold={hold} summary={summary} open={open} />
      {hold.is === 'opening' && <PanelSkeleton />}
      {hold.is === 'done' && <Empty title={hold.words} />}
      {task && (
        <Loaded read={basic} skeleton={<PanelSkeleton />}>
          {data => (
            <WorkBody
              key={task.leaseToken}
              task={task}
              summary={summary}
              basic={data}
              held={hold.is === 'held'}
              lose={lose}
              finish={finish}
              reload={reload}
              show={show}
            />
          )}
        </Loaded>
      )}
      {ended && (
        <div className="mk-work-foot">
          <Next orderNo={orderNo} auto={hold.is === 'done'} />
        </div>
      )}
    </>
  )
}

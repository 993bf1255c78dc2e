import { useRead } from '../../core/client/providers.tsx'
import { auditQueue } from '../../core/contract/audit-queue.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import { useAct, useToast } from '../../core/engine/use-act.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Button, Callout, Flex } from '../../core/ui/basics.ts'
import { Figures } from '../shared/figures.tsx'

/** The auditor's day in numbers, and the way into the first order that waits. */
export const MyDay = ({ auditPath }: { auditPath: string }) => {
  const t = useText()
  const host = useHost()
  const act = useAct()
  const toast = useToast()
  const { data } = useRead(auditQueue.selfStat, {}, { background: true, refreshInterval: 30_000 })
  if (data && !data.registered)
    return (
      <Callout.Root color="amber" size="1" role="status">
        <Callout.Text>{t('audit.notRegistered')}</Callout.Text>
      </Callout.Root>
    )
  const start = async () => {
    const { orderNo } = await act.send(auditQueue.next, {}, { done: () => null })
    if (orderNo) host.emit('mkopo-navigate', { to: auditPath, query: { orderNo, from: 'MyAudit' }, target: 'same' })
    else toast.info(t('audit.nothingWaits'))
  }
  return (
    <Flex gap="3" align="center">
      <Figures
        label={t('audit.myDay')}
        list={[
          { label: t('audit.boxTodo'), value: data && `${data.todo} / ${data.queueCap}` },
          { label: t('audit.boxOpened'), value: data?.opened },
          { label: t('audit.doneToday'), value: data?.doneToday },
          {
            label: t('audit.passRate'),
            value: data && (data.doneToday ? `${Math.round((data.passToday / data.doneToday) * 100)} %` : '–'),
          },
          { label: t('audit.averageSeconds'), value: data && t('common.seconds', { n: data.averageSeconds }) },
          { label: t('audit.approvedToday'), value: data && formatMoney(data.approvedToday) },
          {
            label: t('audit.duty'),
            value: data && t(data.onDuty ? 'audit.onDuty' : 'audit.offDuty'),
            ...(data?.onDuty ? { tone: 'good' as const } : {}),
          },
        ]}
      />
      <Button onClick={() => void start().catch(() => undefined)} disabled={!data?.todo}>
        {t('actions.start')}
      </Button>
    </Flex>
  )
}

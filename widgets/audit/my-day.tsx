import { auditQueue } from '../../core/contract/audit/queue.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import { useAct, useToast } from '../../core/engine/form/use-act.ts'
import { secondsText } from '../../core/i18n/plain.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Button, Callout } from '../../core/ui/basics.ts'
import { Figures, useFigures } from '../shared/figures.tsx'

/** A part of what was decided; what was sent back was not. */
const share = (part: number, whole: number): string => (whole ? `${Math.round((part / whole) * 100)} %` : '–')

/** The auditor's day in numbers, and the way into the first order that waits. */
export const MyDay = ({ auditPath }: { auditPath: string }) => {
  const t = useText()
  const host = useHost()
  const act = useAct()
  const toast = useToast()
  const read = useFigures(auditQueue.selfStat, {}, 30_000)
  const { data } = read
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
    <>
      <Figures
        label={t('audit.myDay')}
        read={read}
        list={[
          { label: t('audit.boxTodo'), value: data?.todo },
          { label: t('audit.boxOpened'), value: data?.opened },
          { label: t('audit.doneToday'), value: data?.doneToday },
          {
            label: t('audit.passRate'),
            value: data && share(data.passToday, data.passToday + data.refuseToday),
          },
          {
            label: t('audit.averageSeconds'),
            value: data && (data.doneToday ? secondsText(t, data.averageSeconds) : '–'),
          },
          { label: t('audit.approvedToday'), value: data && formatMoney(data.approvedToday) },
          { label: t('fields.queueCap'), value: data?.queueCap },
          {
            label: t('audit.duty'),
            value: data && t(data.onDuty ? 'audit.onDuty' : 'audit.offDuty'),
            ...(data?.onDuty ? { tone: 'good' as const } : {}),
          },
        ]}
      />
      <Button size="1" onClick={() => void start().catch(() => undefined)} disabled={!data?.todo}>
        {t('actions.start')}
      </Button>
    </>
  )
}

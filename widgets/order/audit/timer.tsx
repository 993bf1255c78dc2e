import { useEffect, useState } from 'react'
import type { AuditTask } from '../../../core/contract/audit/queue.ts'
import { useText } from '../../../core/element/i18n.ts'

const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.max(0, Math.floor(seconds % 60))).padStart(2, '0')}`

const since = (openTime: string) => Math.max(0, (Date.now() - Date.parse(openTime)) / 1000)

/** How long this order has been open, beside today's average. */
export const Timer = ({ task }: { task: AuditTask }) => {
  const t = useText()
  const [seconds, setSeconds] = useState(since(task.openTime))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(since(task.openTime)), 1000)
    return () => clearInterval(timer)
  }, [task.openTime])
  return (
    <span className="mk-muted">
      {t('audit.thisOrder')} <b role="timer">{clock(seconds)}</b> · {t('audit.averageToday')}{' '}
      <b>{task.doneToday ? clock(task.averageSeconds) : '–'}</b>
    </span>
  )
}

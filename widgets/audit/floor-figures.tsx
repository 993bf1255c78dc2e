import { auditAllot } from '../../core/contract/audit/allotment.ts'
import { useText } from '../../core/element/i18n.ts'
import { minutesText } from '../../core/i18n/plain.ts'
import { shortTime } from '../../core/rules/time.ts'
import { Text } from '../../core/ui/basics.ts'
import { Figures, useFigures } from '../shared/figures.tsx'

const long = 30

/** How long an order has waited; red when too long. */
export const Waiting = ({ minutes }: { minutes: number }) => {
  const t = useText()
  return minutes > long ? <Text color="red">{minutesText(t, minutes)}</Text> : minutesText(t, minutes)
}

/** The review floor in numbers: what waits, with whom work is, what was decided today. */
export const FloorFigures = () => {
  const t = useText()
  const read = useFigures(auditAllot.allotStat, {}, 30_000)
  const { data } = read
  const late = (data?.oldestMinutes ?? 0) > long
  return (
    <Figures
      label={t('audit.floor')}
      read={read}
      list={[
        { label: t('audit.waiting'), value: data?.waiting },
        {
          label: t('audit.oldest'),
          value: data && (data.oldestMinutes === null ? '–' : minutesText(t, data.oldestMinutes)),
          ...(late ? { tone: 'bad' as const } : {}),
        },
        { label: t('audit.withAuditors'), value: data?.withAuditors },
        { label: t('audit.decidedToday'), value: data && `${data.pass} / ${data.refuse} / ${data.sentBack}` },
        { label: t('audit.onDuty'), value: data?.onDuty },
        {
          label: t('audit.autoAllot'),
          value:
            data &&
            `${t(data.autoAllot ? 'common.on' : 'common.off')}${data.lastAutoTime ? ` · ${shortTime(data.lastAutoTime)}` : ''}`,
        },
      ]}
    />
  )
}

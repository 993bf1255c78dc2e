import type { SmsTaskRow } from '../../../core/contract/marketing/sms-task.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Dict } from '../../../core/engine/table/value.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { Progress as Bar } from '../../../core/ui/more.ts'

type Props = { row: SmsTaskRow }

/** From this share of those whom a text reached on, opt-outs are an alarm. */
const alarmShare = 2

/** Its status, and why it waits; that it waits for an approval is said beside it already. */
export const Standing = ({ row: { smsTaskStatus, waitingReason } }: Props) => {
  const t = useText()
  return (
    <Flex gap="2" align="center">
      <Dict dict="SMS_TASK_STATUS" value={smsTaskStatus} />
      {waitingReason && waitingReason !== 'approval' && (
        <Text size="1" color="gray">
          {dictText(t, 'SMS_WAIT', waitingReason)}
        </Text>
      )}
    </Flex>
  )
}

/** How many of its texts have been handed over. */
export const Progress = ({ row: { handledCount, recipientCount } }: Props) => {
  const t = useText()
  return (
    <Flex gap="2" align="center">
      <Bar
        size="1"
        value={recipientCount ? Math.min(100, (100 * handledCount) / recipientCount) : 0}
        aria-label={t('fields.handledCount')}
      />
      <Text size="1">{handledCount}</Text>
    </Flex>
  )
}

/** Who asked for no more, red where there are many. */
export const OptOutShare = ({ row: { optOutCount, optOutShare } }: Props) => (
  <Text size="2" {...((optOutShare ?? 0) > alarmShare ? { color: 'red' as const } : {})}>
    {optOutCount}
    {optOutShare !== null && optOutCount > 0 && ` (${optOutShare}%)`}
  </Text>
)

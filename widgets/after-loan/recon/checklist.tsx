import { lateDays, recon } from '../../../core/contract/after-loan/reconciliation.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { pathOf } from '../../../core/contract/pages.ts'
import { useHost } from '../../../core/element/context.ts'
import { useText } from '../../../core/element/i18n.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { addDays } from '../../../core/rules/time.ts'
import { Button, Flex, Text } from '../../../core/ui/basics.ts'
import { FiguresFailed, useFigures } from '../../shared/figures.tsx'

type Morning = OutputOf<typeof recon.checklist>
type Check = Morning['list'][number]['morningCheck']

/** Where what is left of a check is seen. */
const wayTo = (check: Check, day: Morning['reconDate']): Record<string, string> => {
  if (check === 'young')
    return { tab: 'items', reconStatus: JSON.stringify(['open']), ageDays: JSON.stringify([lateDays, null]) }
  if (check === 'day_end') {
    const today = addDays(day, 1)
    return { tab: 'jobs', plannedTime: JSON.stringify([today, today]) }
  }
  return { tab: 'runs', reconDate: JSON.stringify([day, day]) }
}

/** What finance makes sure of every morning: each check with how much of it is done, and the way to it. */
export const Checklist = () => {
  const t = useText()
  const host = useHost()
  const read = useFigures(recon.checklist, {})
  const { data } = read
  const open = (check: Check, day: Morning['reconDate']) =>
    host.emit('mkopo-navigate', {
      to: pathOf('AfterLoanSystem', 'ReconciliationManagement'),
      query: wayTo(check, day),
      target: 'same',
    })
  return (
    <Flex gap="2" align="center" wrap="wrap" role="group" aria-label={t('recon.morning')}>
      <Text size="1" color="gray">
        {t('recon.morning')} {data?.reconDate}
      </Text>
      {data?.list.map(({ morningCheck, n, of, done }) => (
        <Button
          key={morningCheck}
          size="1"
          variant="soft"
          color={done ? 'green' : 'amber'}
          onClick={() => open(morningCheck, data.reconDate)}
        >
          {dictText(t, 'MORNING_CHECK', morningCheck)} {n}/{of} · {t(done ? 'recon.checkDone' : 'recon.checkOpen')}
        </Button>
      ))}
      <FiguresFailed read={read} />
    </Flex>
  )
}

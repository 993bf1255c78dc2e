import type { RuleTestRow } from '../../../core/contract/risk/rule-test.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { Progress } from '../../../core/ui/more.ts'

/** Whether a test waits or runs. */
export const isUnderWay = ({ testStatus }: Pick<RuleTestRow, 'testStatus'>): boolean =>
  testStatus === 'queued' || testStatus === 'running'

/** How many orders of its sample a test has decided again. */
export const TestProgress = ({ row: { doneCount, sampleCount } }: { row: RuleTestRow }) => {
  const t = useText()
  return (
    <Flex gap="2" align="center">
      <Progress size="1" value={sampleCount ? (100 * doneCount) / sampleCount : 0} aria-label={t('fields.doneCount')} />
      <Text size="1" wrap="nowrap">
        {doneCount.toLocaleString('en')} / {sampleCount?.toLocaleString('en') ?? '–'}
      </Text>
    </Flex>
  )
}

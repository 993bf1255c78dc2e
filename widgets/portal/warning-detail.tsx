import { useRead } from '../../core/client/providers.tsx'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { type WarningRow, warning } from '../../core/contract/portal/warning.ts'
import { useText } from '../../core/element/i18n.ts'
import { Facts, Section } from '../../core/engine/drawer/facts.tsx'
import { Dict } from '../../core/engine/table/value.tsx'
import { Flex, Text } from '../../core/ui/basics.ts'
import { Loaded } from '../shared/loaded.tsx'
import { PagedTable } from '../shared/paged-table.tsx'
import { RecordLog } from '../shared/record-log.tsx'
import { Level, RecordLink } from './warning-parts.tsx'

/** Level and status beside the number. */
export const warningHead = (row: WarningRow) => (
  <>
    <Level value={row.warningLevel} />
    <Dict dict="WARNING_STATUS" value={row.warningStatus} />
  </>
)

/** What happened, what to do next, and by which rule it is known. */
const Said = ({ of }: { of: OutputOf<typeof warning.detail> }) => {
  const t = useText()
  return (
    <>
      <Section title={t('warning.what')}>
        <Text as="p" size="3">
          {of.content}
        </Text>
      </Section>
      <Section title={t('warning.next')}>
        <Text as="p" size="2">
          {of.next}
        </Text>
      </Section>
      <Section title={t('warning.rule')}>
        <Text as="p" size="2" color="gray">
          {of.rule}
        </Text>
      </Section>
    </>
  )
}

/** One warning: what happened, by which rule, what it is about, and what to do next. */
export const WarningDetail = ({ row }: { row: WarningRow }) => {
  const t = useText()
  const { warningNo, lastTime } = row
  const read = useRead(warning.detail, { warningNo }, { follows: true })
  return (
    <Loaded read={read}>
      {of => (
        <>
          <Said of={of} />
          <Section title={t('warning.affected')}>
            <Flex gap="3" wrap="wrap">
              {of.affected.length
                ? of.affected.map(one => <RecordLink key={one.objectNo} of={one} />)
                : t('warning.none')}
            </Flex>
          </Section>
          <Facts
            schema={warning.page.row}
            value={row}
            names={[
              'warningType',
              'merchantName',
              'firstTime',
              'lastTime',
              'occurCount',
              'ageMinutes',
              'ackName',
              'ackTime',
            ]}
          />
          {of.resolveTime && (
            <Text as="p" size="2">
              {of.resolveName
                ? t('warning.endedBy', { name: of.resolveName, remark: of.resolveRemark ?? '' })
                : t('warning.endedByRule')}
            </Text>
          )}
          <Section title={t('warning.occurrences')}>
            <PagedTable
              key={lastTime}
              list={warning.occurrences}
              filters={{ warningNo }}
              size={5}
              batch={50}
              rowKey="occurrenceNo"
              names={['at', 'content']}
              empty={t('warning.none')}
              label={t('warning.occurrences')}
            />
          </Section>
          <RecordLog of={{ objectType: 'warning', objectNo: warningNo }} />
        </>
      )}
    </Loaded>
  )
}

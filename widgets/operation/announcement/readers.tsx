import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { type AnnouncementRecord, announcementManage } from '../../../core/contract/operation/announcement-manage.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Exports } from '../../../core/engine/files/exports.tsx'
import type { Listed } from '../../../core/engine/screen.ts'
import { drawn, listed } from '../../../core/engine/table/columns.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { SegmentedControl } from '../../../core/ui/more.ts'
import { PagedTable } from '../../shared/paged-table.tsx'

const { readers } = announcementManage
const columns = ['realName', 'deptName', 'readTime'] as const

/** Whom an announcement is for, in names. */
export const AudienceNames = ({ row }: { row: AnnouncementRecord }) => {
  const t = useText()
  return row.audience.length ? listed(t, row.audience) : t('announcement.everyone')
}

/** How many of its readers have read it. */
export const ReadShare = ({ row: { readCount, targetCount } }: { row: AnnouncementRecord }) =>
  readCount === null || targetCount === null ? (
    <span className="mk-none">–</span>
  ) : (
    `${readCount} / ${targetCount}${targetCount ? ` (${Math.floor((100 * readCount) / targetCount)} %)` : ''}`
  )

const choices = ['all', 'unread', 'read'] as const
type Choice = (typeof choices)[number]

/** Who has read an announcement and when, and who has not; written to a file for audits. */
export const Receipts = ({ row }: { row: AnnouncementRecord }) => {
  const t = useText()
  const [choice, setChoice] = useState<Choice>('all')
  const filters = { announcementNo: row.announcementNo, ...(choice === 'all' ? {} : { read: choice === 'read' }) }
  const { data } = useRead(readers, filters, { background: true })
  const sort = choice === 'read' ? '-readTime' : 'deptName'
  return (
    <>
      <Flex align="center" gap="3" mb="2">
        <SegmentedControl.Root
          size="1"
          value={choice}
          aria-label={t('announcement.receipts')}
          onValueChange={next => setChoice(next as Choice)}
        >
          {choices.map(one => (
            <SegmentedControl.Item key={one} value={one}>
              {t(`announcement.${one}`)}
            </SegmentedControl.Item>
          ))}
        </SegmentedControl.Root>
        <Text size="2" color="gray">
          {t('announcement.receiptsOf', { read: row.readCount ?? 0, total: row.targetCount ?? 0 })}
        </Text>
        <Flex gap="2" ml="auto" align="center">
          <Exports
            list={readers as unknown as Listed}
            command={readers.exporting as NonNullable<Listed['exporting']>}
            columns={drawn(t, readers as unknown as Listed, columns)}
            state={{ filters, sort, pageNum: 1, pageSize: 20 }}
            total={data?.total}
          />
        </Flex>
      </Flex>
      <PagedTable
        key={choice}
        list={readers}
        filters={{ ...filters, sort }}
        size={10}
        batch={50}
        rowKey="receiptNo"
        names={columns}
        empty={t('announcement.noReaders')}
        label={t('announcement.receipts')}
      />
    </>
  )
}

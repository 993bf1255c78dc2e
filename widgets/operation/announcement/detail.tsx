import { useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { type AnnouncementRecord, announcementManage } from '../../../core/contract/operation/announcement-manage.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { RowActions } from '../../../core/engine/form/actions.tsx'
import { Ask } from '../../../core/engine/form/ask.tsx'
import type { CallAction } from '../../../core/engine/screen.ts'
import type { Row } from '../../../core/engine/table/columns.ts'
import { Dict } from '../../../core/engine/table/value.tsx'
import { eatDateTime } from '../../../core/rules/time.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { AnnouncementPreview } from './preview.tsx'
import { AudienceNames, Receipts } from './readers.tsx'

/** Its title and status beside the number. */
export const announcementHead = (row: AnnouncementRecord) => (
  <>
    <Dict dict="ANNOUNCEMENT_STATUS" value={row.announcementStatus} />
    <Text size="2" truncate>
      {row.title}
    </Text>
  </>
)

const remind: CallAction<AnnouncementRecord & Row> = {
  run: announcementManage.remind,
  label: 'actions.remind',
  input: ([row]) => ({ announcementNo: row?.announcementNo }),
  confirm: ([row]) => ({
    key: 'announcement.confirmRemind',
    params: { n: (row?.targetCount ?? 0) - (row?.readCount ?? 0) },
  }),
  done: answer => ({ key: 'announcement.reminded', params: { n: (answer as { reminded: number }).reminded } }),
}

type ReadersProps = { row: AnnouncementRecord; remindTime: string | null; press: () => void }

/** Who has read it, and the way to remind those who have not. */
const Readers = ({ row, remindTime, press }: ReadersProps) => {
  const t = useText()
  const may = useMay()
  return (
    <Section
      title={t('announcement.receipts')}
      aside={
        row.needRead && may.call(announcementManage.remind) ? (
          <>
            <RowActions actions={[remind as never]} row={row} press={press} />
            {remindTime && (
              <Text size="1" color="gray">
                {t('fields.remindTime')} {eatDateTime(remindTime).slice(0, 16)}
              </Text>
            )}
          </>
        ) : undefined
      }
    >
      {row.audienceType === 'staff' ? (
        <Receipts row={row} />
      ) : (
        <Text size="2" color="gray">
          {t('announcement.appReaders')}
        </Text>
      )}
    </Section>
  )
}

/** One announcement: its text as readers see it, who has read it, and what was done with it. */
export const AnnouncementDetail = ({ row, reload }: { row: AnnouncementRecord; reload: () => void }) => {
  const t = useText()
  const read = useRead(announcementManage.detail, { announcementNo: row.announcementNo }, { follows: true })
  const [asked, setAsked] = useState(false)
  return (
    <Loaded read={read}>
      {of => (
        <>
          <Section title={t('announcement.text')}>
            <AnnouncementPreview of={of} />
          </Section>
          <Section title={t('announcement.settings')}>
            <Facts
              schema={announcementManage.page.row}
              value={row}
              names={['audienceType', 'audience', 'startTime', 'endTime', 'needRead', 'pinned', 'createdName']}
              own={{ audience: <AudienceNames row={row} /> }}
            />
          </Section>
          {row.announcementStatus !== 'draft' && (
            <Readers row={row} remindTime={of.remindTime} press={() => setAsked(true)} />
          )}
          <Section title={t('announcement.history')}>
            <SmallTable
              schema={announcementManage.detail.output.shape.history.element}
              rows={of.history}
              rowKey="historyNo"
              names={['at', 'event', 'actorName']}
              cells={{ event: one => t.maybe(`machines.${one.event}`) ?? one.event }}
              empty={t('common.emptyList')}
            />
          </Section>
          {asked && (
            <Ask
              action={remind as never}
              rows={[row]}
              rowKey="announcementNo"
              fields={announcementManage.page.row}
              close={changed => {
                setAsked(false)
                if (changed) reload()
              }}
            />
          )}
        </>
      )}
    </Loaded>
  )
}

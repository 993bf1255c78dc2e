import { useState } from 'react'
import { useRead } from '../../core/client/providers.tsx'
import { type AnnouncementRow, announcement } from '../../core/contract/operation/announcement.ts'
import { useText } from '../../core/element/i18n.ts'
import { AnnouncementText, HaveRead, useHaveRead } from '../../core/engine/form/rich-text/announcement-text.tsx'
import { shortTime } from '../../core/rules/time.ts'
import { Badge } from '../../core/ui/basics.ts'
import { Pager } from '../../core/ui/pager.tsx'
import { Empty } from '../../core/ui/states.tsx'
import { ReadState } from './read-state.tsx'

const pageSize = 10

const Entry = ({ row, open, toggle }: { row: AnnouncementRow; open: boolean; toggle: () => void }) => {
  const t = useText()
  const haveRead = useHaveRead()
  const show = () => {
    toggle()
    if (!open && !row.needRead) void haveRead(row).catch(() => undefined)
  }
  return (
    <li className="mk-notice" data-unread={row.readTime === null || undefined}>
      <button type="button" className="mk-announcement" aria-expanded={open} onClick={show}>
        {row.pinned && <Badge size="1">{t('fields.pinned')}</Badge>}
        {row.needRead && row.readTime === null && (
          <Badge size="1" color="amber">
            {t('fields.needRead')}
          </Badge>
        )}
        <b>{row.title}</b>
        <time dateTime={row.startTime}>{shortTime(row.startTime)}</time>
      </button>
      {open && (
        <section aria-label={row.title}>
          <AnnouncementText row={row} />
          {row.needRead && row.readTime === null && <HaveRead row={row} />}
        </section>
      )}
    </li>
  )
}

/** Announcements to staff, unread first. Opening one marks it as read, unless it must be confirmed. */
export const Announcements = () => {
  const t = useText()
  const [pageNum, setPageNum] = useState(1)
  const [opened, setOpened] = useState<string | null>(null)
  const read = useRead(announcement.mine, { pageNum, pageSize }, { background: true })
  return (
    <ReadState read={read}>
      {({ list, total }) =>
        list.length ? (
          <>
            <ul className="mk-notices">
              {list.map(row => (
                <Entry
                  key={row.announcementNo}
                  row={row}
                  open={opened === row.announcementNo}
                  toggle={() => setOpened(opened === row.announcementNo ? null : row.announcementNo)}
                />
              ))}
            </ul>
            {total > pageSize && <Pager page={pageNum} pages={Math.ceil(total / pageSize)} go={setPageNum} />}
          </>
        ) : (
          <Empty title={t('shell.noAnnouncements')} hint={t('shell.noAnnouncementsHint')} />
        )
      }
    </ReadState>
  )
}

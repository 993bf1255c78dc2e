import { useState } from 'react'
import type { AnnouncementRow } from '../../core/contract/operation/announcement.ts'
import { useText } from '../../core/element/i18n.ts'
import { AnnouncementText, HaveRead, useHaveRead } from '../../core/engine/form/rich-text/announcement-text.tsx'
import { shortTime } from '../../core/rules/time.ts'
import { Drawer } from '../../core/ui/overlay/drawer.tsx'

/** The newest announcements, unread ones marked; one opens in a drawer and is read by that, unless it must be confirmed. */
export const Announcements = ({ list }: { list: readonly AnnouncementRow[] }) => {
  const t = useText()
  const haveRead = useHaveRead()
  const [opened, setOpened] = useState<AnnouncementRow | null>(null)
  if (!list.length) return null
  const current = list.find(row => row.announcementNo === opened?.announcementNo) ?? opened
  const open = (row: AnnouncementRow) => {
    setOpened(row)
    if (!row.needRead) void haveRead(row).catch(() => undefined)
  }
  return (
    <section aria-label={t('home.announcements')}>
      <header>
        <h2>{t('home.announcements')}</h2>
      </header>
      <ul className="mk-announcements">
        {list.map(row => (
          <li key={row.announcementNo} data-unread={row.readTime === null || undefined}>
            <button type="button" className="mk-text-button" onClick={() => open(row)}>
              {row.title}
            </button>
            {row.readTime === null && <i>{t('home.unread')}</i>}
            <time dateTime={row.startTime}>{shortTime(row.startTime)}</time>
          </li>
        ))}
      </ul>
      {current && (
        <Drawer
          open
          title={current.title}
          onClose={() => setOpened(null)}
          footer={
            current.needRead && current.readTime === null ? (
              <HaveRead row={current} done={() => setOpened(null)} />
            ) : undefined
          }
        >
          <AnnouncementText row={current} />
        </Drawer>
      )}
    </section>
  )
}

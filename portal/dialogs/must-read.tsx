import { useRead } from '../../core/client/providers.tsx'
import { announcement } from '../../core/contract/operation/announcement.ts'
import { AnnouncementText, HaveRead } from '../../core/engine/form/rich-text/announcement-text.tsx'
import { ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'

/** An announcement that must be read stands over everything until its reader says so; the next one follows. */
export const MustRead = () => {
  const { data } = useRead(announcement.mine, { unread: true, needRead: true }, { background: true })
  const row = data?.list[0]
  if (!row) return null
  return (
    <ModalDialog key={row.announcementNo} open title={row.title} footer={<HaveRead row={row} />}>
      <AnnouncementText row={row} />
    </ModalDialog>
  )
}

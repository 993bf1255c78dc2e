import { lazy, Suspense } from 'react'
import { useRead } from '../../core/client/providers.tsx'
import { announcement } from '../../core/contract/operation/announcement.ts'

const MustReadDialog = lazy(async () => ({ default: (await import('./must-read-dialog.tsx')).MustReadDialog }))

/** An announcement that must be read stands over everything until its reader says so; the next one follows. */
export const MustRead = () => {
  const { data } = useRead(announcement.mine, { unread: true, needRead: true }, { background: true })
  const row = data?.list[0]
  if (!row) return null
  return (
    <Suspense fallback={null}>
      <MustReadDialog key={row.announcementNo} row={row} />
    </Suspense>
  )
}

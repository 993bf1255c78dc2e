import { useState } from 'react'
import { refresh, useClient } from '../../../client/providers.tsx'
import { type AnnouncementRow, announcement } from '../../../contract/operation/announcement.ts'
import { home } from '../../../contract/portal/home.ts'
import { message } from '../../../contract/portal/message.ts'
import { useText } from '../../../element/i18n.ts'
import { useSheet } from '../../../element/styles.ts'
import { eatDateTime } from '../../../rules/time.ts'
import { Button } from '../../../ui/basics.ts'
import { useToast } from '../use-act.ts'
import sheet from './rich-text.css?sheet'
import { RichText } from './rich-text.tsx'

/** Notes that an announcement was read, and lets every count follow. */
export const useHaveRead = () => {
  const client = useClient()
  return async ({ announcementNo, readTime }: AnnouncementRow) => {
    if (readTime) return
    await client.call(announcement.read, { announcementNos: [announcementNo] })
    refresh(announcement.mine, message.count, home.mine)
  }
}

/** Who said it and when, and what. */
export const AnnouncementText = ({ row }: { row: AnnouncementRow }) => {
  useSheet(sheet)
  const t = useText()
  return (
    <>
      <p className="mk-said">{t('shell.announcedBy', { name: row.createdName, time: eatDateTime(row.startTime) })}</p>
      <RichText html={row.content} />
    </>
  )
}

/** What must be read is confirmed by its reader; nothing else ends it. */
export const HaveRead = ({ row, done }: { row: AnnouncementRow; done?: () => void }) => {
  const t = useText()
  const toast = useToast()
  const haveRead = useHaveRead()
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await haveRead(row)
      done?.()
    } catch {
      toast.warn(t('common.noAnswer'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button loading={busy} onClick={() => void confirm()}>
      {t('shell.haveRead')}
    </Button>
  )
}

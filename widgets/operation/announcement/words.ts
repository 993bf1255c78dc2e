import type { AnnouncementRecord } from '../../../core/contract/operation/announcement-manage.ts'
import type { Words } from '../../../core/engine/screen.ts'
import { eatDateTime } from '../../../core/rules/time.ts'

type Rows = readonly AnnouncementRecord[]

const params = (row: AnnouncementRecord | undefined) => ({
  title: row?.title ?? '',
  targetCount: row?.targetCount ?? 0,
  readCount: row?.readCount ?? 0,
  apps: row?.audience.join(', ') ?? '',
  time: row ? eatDateTime(row.startTime).slice(0, 16) : '',
})
const isApp = (row: AnnouncementRecord | undefined) => row?.audienceType === 'app'
const isLater = (row: AnnouncementRecord | undefined) => row !== undefined && Date.parse(row.startTime) > Date.now()

/** Whom publishing reaches, now or when it begins. */
export const asksPublish = ([row]: Rows): Words => {
  const [now, later] = isApp(row)
    ? (['announcement.confirmPublishApp', 'announcement.confirmScheduleApp'] as const)
    : (['announcement.confirmPublish', 'announcement.confirmSchedule'] as const)
  return { key: isLater(row) ? later : now, params: params(row) }
}

export const asksAbolish = ([row]: Rows): Words => ({
  key: isApp(row) ? 'announcement.confirmAbolishApp' : 'announcement.confirmAbolish',
  params: params(row),
})

export const asksRestart = ([row]: Rows): Words => ({
  key: isApp(row) ? 'announcement.confirmRestartApp' : 'announcement.confirmRestart',
  params: params(row),
})

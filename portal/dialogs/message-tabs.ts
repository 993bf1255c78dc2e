export const tabs = ['notices', 'announcements', 'approvals', 'files'] as const
export type Tab = (typeof tabs)[number]

/** What waits in the message center. */
export type Waiting = { unread: number; announcements: number; approvals: number }

/** The tab that has something for its reader; the notices where none has. */
export const tabFor = (waiting: Waiting | undefined): Tab => {
  if (!waiting || waiting.unread) return 'notices'
  if (waiting.announcements) return 'announcements'
  return waiting.approvals ? 'approvals' : 'notices'
}

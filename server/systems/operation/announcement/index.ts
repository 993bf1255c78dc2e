export { announcementsFor, unreadAnnouncements } from './announcement.ts'

import { exports } from '../../core/contract/common/exports.ts'
import { upload } from '../../core/contract/common/upload.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import {
  type AnnouncementRecord,
  announcementManage as announcement,
} from '../../core/contract/operation/announcement-manage.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { AnnouncementDetail, announcementHead } from './announcement/detail.tsx'
import { CopyDialog, EditDialog, NewDialog } from './announcement/form.tsx'
import { PreviewDialog } from './announcement/preview.tsx'
import { AudienceNames, ReadShare } from './announcement/readers.tsx'
import { asksAbolish, asksPublish, asksRestart } from './announcement/words.ts'

const writer = { perm: announcement.save.perm as string }

/** Operations and team leads tell staff or the users of apps something, and see who has read it. */
export default listScreen({
  list: announcement.page,
  rowKey: 'announcementNo',
  filters: ['title', 'announcementStatus', 'audienceType', 'startTime'],
  presets: [{ label: 'announcement.published', filters: { announcementStatus: ['published'] } }],
  columns: [
    { id: 'title', width: 260 },
    'announcementStatus',
    'audienceType',
    { id: 'audience', width: 150, cell: (row: AnnouncementRecord) => <AudienceNames row={row} /> },
    { id: 'readCount', cell: (row: AnnouncementRecord) => <ReadShare row={row} /> },
    'needRead',
    'pinned',
    'startTime',
    'endTime',
    'createdName',
    'updatedTime',
  ],
  more: ['announcementNo'],
  toolbar: () => [{ label: 'actions.newAnnouncement', needs: writer, dialog: NewDialog }],
  row: act => [
    act(announcement.publish, { label: 'actions.publish', confirm: asksPublish }),
    act(announcement.restart, { label: 'actions.restart', confirm: asksRestart }),
    { label: 'actions.editAnnouncement', needs: announcement.save, dialog: EditDialog },
    { label: 'actions.previewAnnouncement', dialog: PreviewDialog },
    { label: 'actions.copyAnnouncement', needs: writer, dialog: CopyDialog },
    act(announcement.abolish, { label: 'actions.abolish', tone: 'danger', confirm: asksAbolish }),
    act(announcement.remove, { label: 'actions.deleteDraft', tone: 'danger', confirm: 'announcement.confirmDelete' }),
  ],
  head: announcementHead,
  detail: (row, reload) => <AnnouncementDetail row={row} reload={reload} />,
  also: [
    announcement.detail,
    announcement.reach,
    announcement.remind,
    announcement.readers,
    announcement.readers.exporting as Endpoint,
    ...Object.values(exports),
    upload.token,
    upload.chunk,
    upload.complete,
    upload.file,
  ],
})

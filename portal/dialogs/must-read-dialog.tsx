import type { OutputOf } from '../../core/contract/endpoint.ts'
import type { announcement } from '../../core/contract/operation/announcement.ts'
import { AnnouncementText, HaveRead } from '../../core/engine/form/rich-text/announcement-text.tsx'
import { ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'

type Row = OutputOf<typeof announcement.mine>['list'][number]

/** An announcement over everything, until its reader says that it was read. */
export const MustReadDialog = ({ row }: { row: Row }) => (
  <ModalDialog open title={row.title} footer={<HaveRead row={row} />}>
    <AnnouncementText row={row} />
  </ModalDialog>
)

import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import { blocks } from '../../../approval/blocks.ts'
import { Fault } from '../../../http/fault.ts'
import { type Announcement, isOver } from './store.ts'

const { announcement } = contract

/** Whether a reminder went out today: one a day is enough. */
const remindedToday = (now: Date, { remindTime }: Announcement) =>
  remindTime !== null && eatDate(remindTime) === eatDate(now)

/** Why an announcement does not take a command, beyond its state. */
export const announcementBlocks = blocks<Announcement>({
  read: async (tx, keys) => {
    const rows = await tx.rows(sql<Announcement>`select * from announcement where announcement_no = any(${[...keys]})`)
    return new Map(rows.map(row => [row.announcementNo, row]))
  },
  states: row => ({ announcement: row.announcementStatus as never }),
  commands: [
    { command: announcement.save },
    {
      command: announcement.publish,
      refuses: (row, { tx }) =>
        row.announcementStatus === 'draft' && isOver(tx.now, row)
          ? new Fault('stateConflict', 'errors.announcementOver', {}, { status: row.announcementStatus })
          : null,
    },
    { command: announcement.abolish },
    {
      command: announcement.restart,
      refuses: (row, { tx }) =>
        row.announcementStatus === 'abolished' && isOver(tx.now, row)
          ? new Fault('stateConflict', 'errors.announcementOver', {}, { status: row.announcementStatus })
          : null,
    },
    {
      command: announcement.remove,
      refuses: (row, { session }) =>
        row.announcementStatus === 'draft' && session && row.createdBy !== session.userNo
          ? new Fault('stateConflict', 'errors.announcementOfOthers', {}, { status: row.announcementStatus })
          : null,
    },
    {
      command: announcement.remind,
      refuses: (row, { tx }) => {
        const { announcementStatus: status } = row
        if (status !== 'published' || !row.needRead)
          return new Fault('stateConflict', 'errors.nothingToRemind', {}, { status })
        return remindedToday(tx.now, row) ? new Fault('stateConflict', 'errors.remindedToday', {}, { status }) : null
      },
    },
  ],
})

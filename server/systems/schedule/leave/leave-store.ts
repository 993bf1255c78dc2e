import { type RawBuilder, type Selectable, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { LeaveRow } from '../../../../core/contract/schedule/leave.ts'
import { eatDateTime } from '../../../../core/rules/time.ts'
import { snakeOf } from '../../../db/append.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { homeRoute, tell } from '../../../messages/message.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import { sharedWith } from '../../../rights/same-person.ts'
import { rightsOfPerson, type Session } from '../../../session/session.ts'

type Frag = RawBuilder<unknown>
export type Leave = Selectable<DB['leaveApply']>

export const auditPerm = contract.leave.audit.perm as string

/** Leave `l` with the one who is off, `u`. */
export const leaveFrom = sql`leave_apply l join app_user u on u.user_no = l.user_no`

/** Whether somebody may decide leave `l` of `u`, as far as their place goes. */
export const inLine = (session: Session): Frag =>
  session.perms.has(auditPerm)
    ? sql`(l.user_no <> ${session.userNo} and l.created_by <> ${session.userNo} and ${peopleScope(session, auditPerm)})`
    : sql`false`

/** Leave that waits for this person. */
export const leaveWaits = (session: Session): Frag => sql`(l.leave_status = 'pending' and ${inLine(session)})`

export const leavesWaiting = (session: Session): Frag =>
  sql`(select count(*)::int from ${leaveFrom} where ${leaveWaits(session)})`

/** Whether the caller may take leave back now: their own before it begins, or that of people in their line. */
const cancellable = (tx: Tx, session: Session): Frag =>
  sql`(l.leave_status in ('pending', 'approved') and ((l.user_no = ${session.userNo} and l.start_time > ${tx.now}) or ${inLine(session)}))`

export const leaveColumns = (tx: Tx, session: Session): Record<string, Frag> => ({
  applicantName: sql`u.real_name`,
  cancellable: cancellable(tx, session),
  sharedWithMaker: sql`case when ${leaveWaits(session)} then ${sharedWith(tx, session.userNo, sql`array[l.user_no]`)} else '{}' end`,
})

/** The row as its reader sees it now. */
export const shownLeave = async (tx: Tx, session: Session, leaveNo: string): Promise<LeaveRow> => {
  const own = Object.entries(leaveColumns(tx, session)).map(
    ([name, value]) => sql`${value} as ${sql.ref(snakeOf(name))}`,
  )
  const row = await tx.one(sql<LeaveRow>`select l.*, ${sql.join(own)} from ${leaveFrom} where l.leave_no = ${leaveNo}`)
  return contract.leave.apply.output.parse(row)
}

const times = ({ startTime, endTime }: Pick<Leave, 'startTime' | 'endTime'>) => ({
  start: eatDateTime(startTime).slice(0, 16),
  end: eatDateTime(endTime).slice(0, 16),
})

type Asked = Pick<Leave, 'leaveNo' | 'startTime' | 'endTime' | 'leaveType'>

/** Tells everybody in line that leave waits for them. */
export const tellLine = async (tx: Tx, asked: Asked, applicant: { no: string; name: string }): Promise<void> => {
  await tx.flush()
  const holders = await tx.rows(sql<{ userNo: string }>`
    select distinct u.user_no from live_menu m join role_menu rm using (menu_no) join user_role ur using (role_no) join app_user u using (user_no)
    where m.perms = ${auditPerm} and u.user_status = 'normal' and u.employee_status = 'on_job' and u.user_no <> ${applicant.no} order by u.user_no`)
  for (const { userNo } of holders) {
    const session = await rightsOfPerson(tx, userNo, 'zh')
    const theirs = await tx.maybe(
      sql`select 1 from ${leaveFrom} where l.leave_no = ${asked.leaveNo} and ${leaveWaits(session)}`,
    )
    if (theirs)
      tell(tx, {
        to: userNo,
        messageType: 'leave',
        template: 'leaveAsked',
        params: { name: applicant.name, type: `dict.LEAVE_TYPE.${asked.leaveType}`, ...times(asked) },
        objectType: 'leave',
        objectNo: asked.leaveNo,
        route: homeRoute({ messages: 'approvals' }),
      })
  }
}

/** Nobody need read any more that it waits. */
export const closeAsked = (tx: Tx, leaveNo: string) =>
  tx.exec(sql`update staff_message set read_time = ${tx.now} where object_no = ${leaveNo} and read_time is null`)

/** Tells the applicant the decision. */
export const tellApplicant = (tx: Tx, row: Leave, decided: { approved: boolean; by: string; remark: string }): void =>
  tell(tx, {
    to: row.userNo,
    messageType: 'leave',
    template: decided.approved ? 'leaveApproved' : 'leaveRejected',
    params: { name: decided.by, remark: decided.remark, type: `dict.LEAVE_TYPE.${row.leaveType}`, ...times(row) },
    objectType: 'leave',
    objectNo: row.leaveNo,
    route: homeRoute({ dialog: 'leave' }),
  })

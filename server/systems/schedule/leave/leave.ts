import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { LeaveRow } from '../../../../core/contract/schedule/leave.ts'
import { leaveFlaw } from '../../../../core/rules/leave.ts'
import { eatDateTime } from '../../../../core/rules/time.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { listPage } from '../../../lists/list.ts'
import type { Module } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { sharedMarks } from '../../../rights/same-person.ts'
import { create, requireEvent, transition } from '../../../states/transition.ts'
import {
  closeAsked,
  inLine,
  type Leave,
  leaveColumns,
  leaveFrom,
  leaveWaits,
  shownLeave,
  tellApplicant,
  tellLine,
} from './leave-store.ts'

const { leave } = contract

const page = serve(leave.page, ({ tx, session, input }) =>
  listPage<LeaveRow, typeof input>(tx, leave.page, input, {
    from: leaveFrom,
    alias: 'l',
    key: sql`l.leave_no`,
    where: sql`true`,
    columns: leaveColumns(tx, session),
    filters: { box: box => (box === 'mine' ? sql`l.user_no = ${session.userNo}` : leaveWaits(session)) },
  }),
)

/** Asks for own leave; two requests of one person wait for one another, so that they cannot overlap. */
const apply = serve(leave.apply, async ({ tx, session, actor, input, audit }) => {
  const wrong = leaveFlaw(input, tx.today)
  if (wrong) throw invalid(wrong.at, `validation.${wrong.flaw}`)
  await tx.exec(sql`select 1 from app_user where user_no = ${session.userNo} for no key update`)
  const other = await tx.maybe(sql<{ startTime: string; endTime: string }>`
    select start_time, end_time from leave_apply
    where user_no = ${session.userNo} and leave_status in ('pending', 'approved') and start_time < ${input.endTime} and end_time > ${input.startTime}
    order by start_time limit 1`)
  if (other) {
    const [start, end] = [other.startTime, other.endTime].map(at => eatDateTime(at).slice(0, 16))
    throw invalid('startTime', 'validation.leaveOverlap', { start: start ?? '', end: end ?? '' })
  }
  const values = {
    leaveNo: newNo('LV', tx.now),
    userNo: session.userNo,
    leaveType: input.leaveType,
    startTime: input.startTime,
    endTime: input.endTime,
    remark: input.remark || null,
    createdBy: actor.no,
    createdTime: tx.now,
  }
  await create(tx, 'leave', values, { event: 'leave.apply', as: 'own' }, actor)
  await tellLine(tx, values, { no: session.userNo, name: session.realName })
  audit({ objectType: 'leave', objectNo: values.leaveNo, after: { ...input, leaveStatus: 'pending' } })
  return shownLeave(tx, session, values.leaveNo)
})

/** Leave of the caller, or of somebody in their line, locked. */
const lock = async ({ tx, session }: Call, { leaveNo, version }: { leaveNo: string; version: number }) => {
  const row = await tx.maybe(sql<Leave & { own: boolean; inLine: boolean }>`
    select l.*, l.user_no = ${session.userNo} as own, ${inLine(session)} as in_line from ${leaveFrom}
    where l.leave_no = ${leaveNo} and (l.user_no = ${session.userNo} or ${inLine(session)}) for update of l`)
  if (!row) throw notFound()
  const { own, inLine: line, ...held } = row
  return { held, own, line, check: () => checkVersion(held, version) }
}

const cancel = serve(leave.cancel, async call => {
  const { tx, session, actor, input, audit } = call
  const { held, own, line, check } = await lock(call, input)
  requireEvent('leave', held.leaveStatus, 'leave.cancel')
  if (own && !line && Date.parse(held.startTime) <= tx.now.getTime())
    throw new Fault('stateConflict', 'errors.leaveBegun')
  check()
  await transition(tx, 'leave', held, { event: 'leave.cancel' }, actor)
  await closeAsked(tx, held.leaveNo)
  audit({
    objectType: 'leave',
    objectNo: held.leaveNo,
    before: { leaveStatus: held.leaveStatus },
    after: { leaveStatus: 'cancelled' },
  })
  return shownLeave(tx, session, held.leaveNo)
})

const decide = serve(leave.audit, async call => {
  const { tx, session, actor, input, audit } = call
  const { held, line, check } = await lock(call, input)
  requireEvent('leave', held.leaveStatus, 'leave.audit')
  if (!line) throw new Fault('forbidden', 'errors.makerChecker')
  check()
  const remark = input.auditRemark ?? ''
  const approved = input.result === 'approve'
  const shared = await sharedMarks(tx, session.userNo, [held.userNo])
  await transition(
    tx,
    'leave',
    held,
    {
      event: 'leave.audit',
      as: input.result,
      set: { auditorNo: actor.no, auditorName: actor.name, auditRemark: remark || null, auditTime: tx.now },
    },
    actor,
  )
  await closeAsked(tx, held.leaveNo)
  tellApplicant(tx, held, { approved, by: actor.name, remark })
  audit({
    objectType: 'leave',
    objectNo: held.leaveNo,
    before: { leaveStatus: 'pending' },
    after: {
      leaveStatus: approved ? 'approved' : 'rejected',
      ...(remark ? { auditRemark: remark } : {}),
      ...(shared.length > 0 ? { sharedWithMaker: shared } : {}),
    },
  })
  return shownLeave(tx, session, held.leaveNo)
})

/** Times off: asking for them, taking them back, and deciding those of others. */
export const leaveModule = (): Module => ({ served: [page, apply, cancel, decide] })

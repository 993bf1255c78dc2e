import { z } from 'zod'
import { leave as leaveMachine } from '../../rules/machines/schedule/leave.ts'
import { sharedMarks } from '../common/approval.ts'
import { command, list, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** Kinds of leave that staff apply for. */
export const leaveTypes = dictionary('LEAVE_TYPE', ['annual', 'sick', 'other'])

const LeaveRow = z.object({
  leaveNo: field.key(),
  applicantName: field.user(),
  leaveType: field.dict(leaveTypes),
  startTime: field.time(),
  endTime: field.time(),
  leaveStatus: field.state(leaveMachine),
  remark: z.string().nullable(),
  auditorName: z.string().nullable(),
  auditRemark: z.string().nullable(),
  createdTime: field.time(),
  version: z.int(),
  /** Whether the caller may take it back now. */
  cancellable: z.boolean(),
  /** What the reader's account has in common with the applicant's, where it waits for the reader. */
  sharedWithMaker: z.array(sharedMarks),
})
export type LeaveRow = z.output<typeof LeaveRow>

const one = { leaveNo: field.key(), version: z.int() }

/** Times off: asked for by everybody for themselves, decided by somebody else in line. */
export const leave = noun('schedule/leave', {
  /** The own ones, or those that wait for the caller. */
  page: list('/user/leave/page', {
    row: LeaveRow,
    filters: {
      box: z.enum(['mine', 'toCheck']).default('mine'),
      leaveStatus: z.array(field.state(leaveMachine)).optional(),
      leaveType: z.array(field.dict(leaveTypes)).optional(),
    },
    sort: ['startTime', 'createdTime'],
    defaultSort: '-startTime',
  }),
  apply: command({
    path: '/user/leave/apply',
    audit: 'leave.apply',
    on: { machine: leaveMachine, event: 'leave.apply', key: 'leaveNo' },
    input: z.strictObject({
      leaveType: field.dict(leaveTypes),
      startTime: field.time(),
      endTime: field.time(),
      remark: field.remark().optional(),
    }),
    output: LeaveRow,
  }),
  cancel: command({
    path: '/user/leave/cancel',
    audit: 'leave.cancel',
    on: { machine: leaveMachine, event: 'leave.cancel', key: 'leaveNo' },
    input: z.strictObject(one),
    output: LeaveRow,
  }),
  audit: command({
    path: '/user/leave/audit',
    perm: 'schedule:leave:audit',
    audit: 'leave.audit',
    on: { machine: leaveMachine, event: 'leave.audit', key: 'leaveNo' },
    input: z
      .strictObject({ ...one, result: z.enum(['approve', 'reject']), auditRemark: field.remark().optional() })
      .refine(({ result, auditRemark }) => result === 'approve' || auditRemark, {
        path: ['auditRemark'],
        message: 'validation.contentEmpty',
      }),
    output: LeaveRow,
  }),
})

import { z } from 'zod'
import { approval } from '../../rules/machines/platform/approval.ts'
import { command, list, noun } from '../endpoint.ts'
import { field } from '../fields.ts'

/** What two accounts may have in common when one person has both. */
export const sharedMarks = z.enum(['phone', 'email', 'device'])
export type SharedMark = z.output<typeof sharedMarks>

const Approval = z.object({
  approvalNo: field.key(),
  approvalAction: z.string(),
  approvalStatus: field.state(approval),
  objectType: z.string(),
  objectNo: field.key(),
  orderNo: z.string().nullable(),
  /** Where the record is read; null where there is no such page. */
  route: z.string().nullable(),
  makerNo: z.string(),
  makerName: field.user(),
  checkerName: field.user().nullable(),
  reason: z.string().nullable(),
  summary: z.array(z.object({ label: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  submitTime: field.time(),
  finishTime: field.time().nullable(),
  expireTime: field.time(),
  version: z.int(),
  mine: z.boolean(),
  checkable: z.boolean(),
  /** Agreeing moves or forgives money. */
  money: z.boolean(),
  /** What the reader's account has in common with those who made the request. With anything, the reader does not agree to money. */
  sharedWithMaker: z.array(sharedMarks),
})
export type Approval = z.output<typeof Approval>

/** What waits for a second person, and what that person says. */
export const approvals = noun('common/approval', {
  approvals: list('/common/approval/page', {
    row: Approval,
    filters: {
      objectType: field.key().optional(),
      objectNo: field.key().optional(),
      orderNo: field.key().optional(),
      box: z.enum(['toCheck', 'mine', 'all']).default('all'),
      approvalStatus: z.array(field.state(approval)).optional(),
    },
    sort: ['submitTime'],
    defaultSort: '-submitTime',
  }),
  approve: command({
    path: '/common/approval/approve',
    audit: 'approval.approve',
    money: 'moves',
    stepUp: 'ofRecord',
    on: { machine: approval, event: 'approval.approve', key: 'approvalNo' },
    input: z.strictObject({ approvalNo: field.key(), version: z.int() }),
    output: Approval,
  }),
  reject: command({
    path: '/common/approval/reject',
    audit: 'approval.reject',
    on: { machine: approval, event: 'approval.reject', key: 'approvalNo' },
    input: z.strictObject({ approvalNo: field.key(), version: z.int(), reason: field.text(30) }),
    output: Approval,
  }),
  withdraw: command({
    path: '/common/approval/withdraw',
    audit: 'approval.withdraw',
    on: { machine: approval, event: 'approval.withdraw', key: 'approvalNo' },
    input: z.strictObject({ approvalNo: field.key(), version: z.int() }),
    output: Approval,
  }),
})

/** What an action held for a second person answers. */
export const sentForApproval = z.object({ approvalNo: z.string() })

/** What a screen calls that shows what waits for a second person. */
export const approvalCalls = Object.values(approvals)

import { z } from 'zod'
import { auditTask } from '../../rules/machines/audit/audit-task.ts'
import { order } from '../../rules/machines/order/order.ts'
import { sentForApproval } from '../common/approval.ts'
import { command, endpoint, noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'
import { isWholePayee, payeeFields, payeeResults, wholePayee } from '../payee.ts'
import { faceConsistencies, followResults, sendBackReasons } from './decisions.ts'
import { Answer, Draft } from './queue.ts'

const money = field.money

const leaseHeld = { orderNo: field.key(), leaseToken: field.key(64) }

/** Deciding one order while holding it. */
export const auditReview = noun('audit/review', {
  heartbeat: endpoint({
    method: 'POST',
    path: '/loans/audit/task/heartbeat',
    perm: 'audit:order:handle',
    on: { machine: auditTask, event: 'task.heartbeat', key: 'orderNo' },
    input: z.strictObject(leaseHeld),
    output: z.object({ leaseUntil: field.time() }),
  }),
  draft: endpoint({
    method: 'POST',
    path: '/loans/audit/task/draft',
    perm: 'audit:order:handle',
    on: { machine: auditTask, event: 'draft.save', key: 'orderNo' },
    input: z.strictObject({ ...leaseHeld, draft: Draft }),
    output: z.object({ draftTime: field.time() }),
  }),
  submit: command({
    path: '/loans/audit/task/submit',
    perm: 'audit:order:handle',
    audit: 'task.submit',
    money: 'moves',
    on: { machine: auditTask, event: 'task.submit', key: 'orderNo' },
    input: z.discriminatedUnion('auditResult', [
      z.strictObject({
        ...leaseHeld,
        version: z.int(),
        auditResult: z.literal('pass'),
        approvalAmount: money(),
        approvalTime: z.iso.datetime({ offset: true, error: 'validation.approvalTimeEmpty' }).meta({ kind: 'time' }),
        faceConsistency: field.dict(faceConsistencies).optional(),
        remark: field.remark().optional(),
        answers: z.array(Answer).max(50),
      }),
      z.strictObject({
        ...leaseHeld,
        version: z.int(),
        auditResult: z.literal('refuse'),
        refuseCode: field.key(),
        faceConsistency: field.dict(faceConsistencies).optional(),
        remark: field.remark().optional(),
        answers: z.array(Answer).max(50),
      }),
      z.strictObject({
        ...leaseHeld,
        version: z.int(),
        auditResult: z.literal('sent_back'),
        sendBackReason: field.dict(sendBackReasons),
        remark: field.remark().optional(),
      }),
    ]),
    output: z.object({
      orderNo: z.string(),
      orderStatus: field.state(order),
      auditStep: z.int(),
      auditStepCount: z.int(),
    }),
  }),
  trial: endpoint({
    method: 'POST',
    path: '/loans/audit/trial',
    perm: 'audit:order:handle',
    input: z.strictObject({ orderNo: field.key(), approvalAmount: money() }),
    output: z.object({
      loanAmount: money(),
      actualLoanAmount: money(),
      upfrontFee: money(),
      interest: money(),
      fees: money(),
      total: money(),
      bills: z.array(
        z.object({
          installmentNo: z.int(),
          dueDate: field.date(),
          principal: money(),
          interest: money(),
          serviceFee: money(),
          managementFee: money(),
          billAmount: money(),
        }),
      ),
    }),
  }),
  followSave: command({
    path: '/loans/audit/follow/save',
    perm: 'audit:order:handle',
    audit: 'follow.save',
    input: z.strictObject({
      ...leaseHeld,
      contactNo: field.key().optional(),
      followResult: field.dict(followResults),
      followRemark: field.remark().optional(),
      /** The writer was warned of a sensitive word and goes on. */
      confirmWord: z.boolean().optional(),
    }),
    output: z.object({ followNo: z.string() }),
  }),
  refuseCodes: read('/loans/audit/refuseCode/list', {
    perm: 'order:detail:view',
    input: { level: z.coerce.number().int().min(1).max(2), parent: field.key().optional() },
    output: z.object({
      list: z.array(
        z.object({
          refuseCode: z.string(),
          name: z.string(),
          customerText: z.string().nullable(),
          needRemark: z.boolean(),
          coolingDays: z.int(),
        }),
      ),
    }),
  }),
  verifyPayout: command({
    path: '/loans/audit/payout/verify',
    perm: 'audit:order:changePayout',
    audit: 'payout.verify',
    input: z.strictObject(leaseHeld),
    output: z.object({
      verifyResult: field.dict(payeeResults),
      holderName: z.string().nullable(),
      matchScore: z.number().nullable(),
    }),
  }),
  /** An account that cannot be proven the customer's by its channel: a second person is asked to accept it. */
  markPayoutChecked: command({
    path: '/loans/audit/payout/markChecked',
    perm: 'audit:order:changePayout',
    audit: 'payout.markChecked',
    money: 'moves',
    input: z.strictObject({
      ...leaseHeld,
      /** Of the order, as the auditor saw it: it is this account that the evidence is about. */
      version: z.int(),
      /** What shows whose account it is. */
      evidence: field.file('attachment'),
    }),
    output: sentForApproval,
  }),
  changePayout: command({
    path: '/loans/audit/payout/change',
    perm: 'audit:order:changePayout',
    audit: 'payout.change',
    money: 'moves',
    on: { machine: order, event: 'payout.change', key: 'orderNo' },
    input: z.strictObject({ ...leaseHeld, ...payeeFields }).refine(isWholePayee, wholePayee),
    output: z.object({ verifyResult: field.dict(payeeResults), holderName: z.string().nullable() }),
  }),
})

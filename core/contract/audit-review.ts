import { z } from 'zod'
import { Answer, Draft } from './audit-queue.ts'
import { command, endpoint, read } from './endpoint.ts'
import { field } from './fields.ts'

const money = field.money

const leaseHeld = { orderNo: field.key(), leaseToken: field.key(64) }

const payoutAccount = {
  payoutType: field.dict('PAYOUT_TYPE'),
  payoutSubtype: field.dict('PAYOUT_SUBTYPE'),
  walletAccount: field.phone().optional(),
  bankName: field.text().optional(),
  branch: field.text().optional(),
  bankCardNo: z
    .string()
    .regex(/^\d{6,20}$/, 'validation.bankCardFormat')
    .optional(),
  cardholderName: field.text(),
}

/** Deciding one order while holding it. */
export const auditReview = {
  heartbeat: endpoint({
    method: 'POST',
    path: '/loans/audit/task/heartbeat',
    perm: 'audit:order:handle',
    on: { machine: 'auditTask', event: 'task.heartbeat', key: 'orderNo' },
    input: z.strictObject(leaseHeld),
    output: z.object({ leaseUntil: field.time() }),
  }),
  draft: endpoint({
    method: 'POST',
    path: '/loans/audit/task/draft',
    perm: 'audit:order:handle',
    on: { machine: 'auditTask', event: 'draft.save', key: 'orderNo' },
    input: z.strictObject({ ...leaseHeld, draft: Draft }),
    output: z.object({ draftTime: field.time() }),
  }),
  submit: command({
    path: '/loans/audit/task/submit',
    perm: 'audit:order:handle',
    audit: 'task.submit',
    on: { machine: 'auditTask', event: 'task.submit', key: 'orderNo' },
    input: z.discriminatedUnion('auditResult', [
      z.strictObject({
        ...leaseHeld,
        version: z.int(),
        auditResult: z.literal('pass'),
        approvalAmount: money(),
        approvalTime: z.iso.datetime({ offset: true, error: 'validation.approvalTimeEmpty' }).meta({ kind: 'time' }),
        faceConsistency: field.dict('FACE_CONSISTENCY').optional(),
        remark: field.remark().optional(),
        answers: z.array(Answer).max(50),
      }),
      z.strictObject({
        ...leaseHeld,
        version: z.int(),
        auditResult: z.literal('refuse'),
        refuseCode: field.key(),
        faceConsistency: field.dict('FACE_CONSISTENCY').optional(),
        remark: field.remark().optional(),
        answers: z.array(Answer).max(50),
      }),
      z.strictObject({
        ...leaseHeld,
        version: z.int(),
        auditResult: z.literal('sent_back'),
        sendBackReason: field.dict('SEND_BACK_REASON'),
        remark: field.remark().optional(),
      }),
    ]),
    output: z.object({
      orderNo: z.string(),
      orderStatus: field.dict('ORDER_STATUS'),
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
      followResult: field.dict('FOLLOW_RESULT'),
      followRemark: field.remark().optional(),
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
      verifyResult: field.dict('VERIFY_RESULT'),
      holderName: z.string().nullable(),
      matchScore: z.number(),
    }),
  }),
  /** The account of a bank, which cannot be asked whose it is. */
  markPayoutChecked: command({
    path: '/loans/audit/payout/markChecked',
    perm: 'audit:order:changePayout',
    audit: 'payout.markChecked',
    input: z.strictObject({
      ...leaseHeld,
      /** Of the order, as the auditor saw it: it is this account that the evidence is about. */
      version: z.int(),
      /** What shows whose account it is. */
      evidence: field.file('attachment'),
    }),
    output: z.object({ verifyResult: field.dict('VERIFY_RESULT') }),
  }),
  changePayout: command({
    path: '/loans/audit/payout/change',
    perm: 'audit:order:changePayout',
    audit: 'payout.change',
    on: { machine: 'order', event: 'payout.change', key: 'orderNo' },
    input: z
      .strictObject({ ...leaseHeld, ...payoutAccount })
      .refine(v => (v.payoutType === 'wallet' ? v.walletAccount : v.bankCardNo && v.bankName), {
        message: 'validation.infoComplete',
        path: ['payoutType'],
      }),
    output: z.object({ verifyResult: field.dict('VERIFY_RESULT'), holderName: z.string().nullable() }),
  }),
}

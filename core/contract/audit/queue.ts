import { z } from 'zod'
import { auditTask } from '../../rules/machines/audit/audit-task.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { loanKinds, modelLevels } from '../order/levels.ts'
import { auditResults, faceConsistencies, sendBackReasons } from './decisions.ts'

/** Kinds of questions that a reviewer asks: one option, several options, free text. */
export const questionTypes = dictionary('QUESTION_TYPE', ['single', 'multiple', 'text'])

const money = field.money

const TaskRow = z.object({
  auditTaskNo: field.key(),
  orderNo: field.key(),
  merchantName: field.text(),
  productName: field.text(),
  customerName: field.customerName(),
  phone: field.masked('phone', 'order'),
  loanKind: field.dict(loanKinds),
  loanAmount: money(),
  modelLevel: field.dict(modelLevels).nullable(),
  auditStep: field.int(),
  auditTaskStatus: field.state(auditTask),
  allotTime: field.time(),
  waitingMinutes: field.minutes(),
  hasDraft: field.flag(),
  leaseLive: field.flag(),
  lastSendBackReason: field.dict(sendBackReasons).nullable(),
  auditResult: field.dict(auditResults).nullable(),
  approvalAmount: money().nullable(),
  refuseCode: field.text().nullable(),
  refuseReason: field.text().nullable(),
  submitTime: field.time().nullable(),
  handleSeconds: field.seconds().nullable(),
  pendingApproval: z.string().nullable(),
  blockedBy: blockedBy(),
})

const option = z.object({ optionNo: z.string(), optionZh: z.string(), optionLocal: z.string() })

const Question = z.object({
  questionNo: z.string(),
  questionZh: z.string(),
  questionLocal: z.string(),
  questionType: field.dict(questionTypes),
  options: z.array(option),
  required: z.boolean(),
})

/** The answer to one question: numbers of the options chosen, or the text. */
export const Answer = z.strictObject({
  questionNo: z.string().max(40),
  optionNos: z.array(z.string().max(40)).max(20),
  text: z.string().max(200).optional(),
})

/** A decision that is not submitted yet; every part may be missing. Saved while the reviewer types. */
export const Draft = z.strictObject({
  approvalAmount: z.string().max(20).optional(),
  auditResult: field.dict(auditResults).optional(),
  remark: z.string().max(200).optional(),
  faceConsistency: field.dict(faceConsistencies).optional(),
  answers: z.array(Answer).max(50).optional(),
  refuseLevel1: z.string().max(40).optional(),
  refuseCode: z.string().max(40).optional(),
  sendBackReason: field.dict(sendBackReasons).optional(),
  seenChecks: z.array(z.string().max(40)).max(20).optional(),
  approvalTime: z.string().max(40).optional(),
})
export type Draft = z.output<typeof Draft>

const Task = z.object({
  auditTaskNo: z.string(),
  orderNo: z.string(),
  auditTaskStatus: field.state(auditTask),
  leaseToken: z.string(),
  leaseUntil: field.time(),
  openTime: field.time(),
  auditStep: z.int(),
  auditStepCount: z.int(),
  orderVersion: z.int(),
  draft: Draft.nullable(),
  questions: z.array(Question),
  limits: z.object({
    productMin: money(),
    productMax: money(),
    amountStep: money(),
    creditRemaining: money(),
    /** How much of that the coupon of the order adds. */
    couponIncrease: money(),
    approvalCap: money(),
    max: money(),
    smallest: z.enum(['product', 'credit', 'expired', 'cap']),
    requested: money(),
    suggested: money().nullable(),
  }),
  doneToday: z.int(),
  averageSeconds: z.int(),
})
export type AuditTask = z.output<typeof Task>

const box = z.enum(['todo', 'opened', 'done'])

/** An auditor's own queue, and taking an order out of it. */
export const auditQueue = noun('audit/queue', {
  selfList: list('/loans/audit/self/list', {
    perm: 'audit:self:page',
    row: TaskRow,
    filters: {
      box: box.default('todo'),
      orderNo: field.key().optional(),
      merchantNo: z.array(field.merchant()).optional(),
      loanKind: field.dict(loanKinds).optional(),
      modelLevel: z.array(field.dict(modelLevels)).optional(),
      auditStep: field.int().optional(),
      auditResult: field.dict(auditResults).optional(),
      applyTime: field.dateRange().optional(),
      submitTime: field.dateRange().optional(),
    },
    totals: ['loanAmount', 'approvalAmount'],
    sort: ['allotTime', 'submitTime', 'loanAmount'],
    defaultSort: 'allotTime',
  }),
  selfStat: read('/loans/audit/self/stat', {
    perm: 'audit:self:page',
    input: {},
    output: z.object({
      registered: z.boolean(),
      todo: z.int(),
      opened: z.int(),
      doneToday: z.int(),
      passToday: z.int(),
      refuseToday: z.int(),
      averageSeconds: z.int(),
      approvedToday: money(),
      queueCap: z.int(),
      onDuty: z.boolean(),
    }),
  }),
  next: endpoint({
    method: 'POST',
    path: '/loans/audit/self/next',
    perm: 'audit:self:page',
    input: z.strictObject({ after: field.key().optional() }),
    output: z.object({ orderNo: z.string().nullable() }),
  }),
  open: command({
    path: '/loans/audit/task/open',
    perm: 'audit:order:handle',
    audit: 'task.open',
    on: { machine: auditTask, event: 'task.open', key: 'orderNo' },
    input: z.strictObject({ orderNo: field.key(), force: z.boolean().optional() }),
    output: Task,
  }),
})

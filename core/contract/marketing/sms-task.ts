import { z } from 'zod'
import { smsTask as machine } from '../../rules/machines/marketing/sms-task.ts'
import { message } from '../../rules/machines/operation/message.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { languageCodes } from '../language.ts'
import { messageBlocks } from '../operation/message-event.ts'
import { failReasons } from '../operation/sms-report.ts'
import { networkDict } from '../operation/verify-code.ts'
import { loanKinds, memberLevels } from '../order/levels.ts'

/** How the customers of a task are found; `rule` ones come from the settings for customers who did not borrow again. */
export const audienceSources = dictionary('AUDIENCE_SOURCE', ['group', 'filter', 'rule'])
const askedSources = dictionary('AUDIENCE_SOURCE', ['group', 'filter'])
/** How the last order of a customer stands. */
export const audienceStatuses = dictionary('AUDIENCE_STATUS', [
  'applying',
  'on_loan',
  'settled',
  'refused',
  'cancelled',
])
const languageModes = dictionary('LANGUAGE_MODE', ['customer', 'fixed'])
/** Why a task that is not over does not send. */
export const waitingReasons = dictionary('SMS_WAIT', ['filling', 'approval', 'hours', 'budget', 'wallet', 'balance'])

const perm = 'mkt:sms:page'
const save = 'mkt:sms:save'
const base = '/marketing/manage/smsJob'

/** Texts a minute of one task. */
const pace = () => field.int().min(1, 'validation.wrongValue').max(6_000, 'validation.wrongValue')
const days = () => field.int().min(0, 'validation.wrongValue').max(3_650, 'validation.wrongValue')

/** Who gets a text: a group whose number was verified, or customers of a merchant by what is known of them. */
const asked = {
  merchantNo: field.merchant(),
  audienceSource: field.dict(askedSources),
  userGroupNo: field.key().optional(),
  verifyToken: z.string().max(500).optional(),
  audienceStatuses: z.array(field.dict(audienceStatuses)).max(audienceStatuses.values.length).optional(),
  loanKind: field.dict(loanKinds).optional(),
  memberLevels: z.array(field.dict(memberLevels)).max(memberLevels.values.length).optional(),
  /** Days since the last loan was settled, from and to. */
  settledFrom: days().optional(),
  settledTo: days().optional(),
  templateNo: field.option('MARKETING_TEXT'),
  languageMode: field.dict(languageModes),
  language: field.dict(languageCodes).optional(),
  /** Now where it is left out. */
  sendTime: field.time().optional(),
  ratePerMinute: pace(),
}
/** What a copy of a task begins with, besides what its row says. */
const askedBefore = {
  audienceSource: asked.audienceSource,
  audienceStatuses: asked.audienceStatuses,
  loanKind: asked.loanKind,
  memberLevels: asked.memberLevels,
  settledFrom: asked.settledFrom,
  settledTo: asked.settledTo,
  languageMode: asked.languageMode,
  language: asked.language,
}
const Asked = z.strictObject(asked).superRefine((given, context) => {
  const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (given.audienceSource === 'group' && !(given.userGroupNo && given.verifyToken))
    wrong('userGroupNo', 'validation.groupUnverified')
  if (given.languageMode === 'fixed' && !given.language) wrong('language', 'validation.infoComplete')
  if ((given.settledFrom ?? 0) > (given.settledTo ?? given.settledFrom ?? 0))
    wrong('settledTo', 'validation.wrongValue')
})
/** What a task is asked with. */
export type AskedTask = z.output<typeof Asked>

const Row = z.object({
  taskNo: field.key(),
  taskName: field.text(64),
  merchantNo: field.merchant(),
  merchantName: field.text(),
  templateNo: field.key().nullable(),
  templateName: field.text().nullable(),
  templateVersion: field.int().nullable(),
  audienceSource: field.dict(audienceSources),
  userGroupNo: field.key().nullable(),
  smsTaskStatus: field.state(machine),
  waitingReason: field.dict(waitingReasons).nullable(),
  customersMatched: field.int(),
  customersLeftOut: field.int(),
  recipientCount: field.int(),
  /** Recipients whose text has been handed over, or will not be. */
  handledCount: field.int(),
  textsTaken: field.int(),
  textsRefused: field.int(),
  textsArrived: field.int(),
  /** Of those that a vendor took. */
  deliveredShare: z.number().nullable(),
  failedCount: field.int(),
  textsUnknown: field.int(),
  cancelledCount: field.int(),
  optOutCount: field.int(),
  /** Of those that arrived. */
  optOutShare: z.number().nullable(),
  appliedCount: field.int(),
  paidOutCount: field.int(),
  paidOutAmount: field.money(),
  segmentsTotal: field.int(),
  costEstimate: field.money().nullable(),
  costActual: field.money().nullable(),
  ratePerMinute: field.int(),
  sendTime: field.time(),
  beganTime: field.time().nullable(),
  overTime: field.time().nullable(),
  createdBy: field.user(),
  createdTime: field.time(),
  pendingApproval: field.user().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
/** A row of the tasks. */
export type SmsTaskRow = z.output<typeof Row>

const Blocked = z.object({ blockReason: field.dict(messageBlocks), count: field.int() })
const Preview = z.object({
  previewToken: z.string(),
  customersMatched: field.int(),
  recipientCount: field.int(),
  blocks: z.array(Blocked),
  perLanguage: z.array(z.object({ language: field.dict(languageCodes), count: field.int() })),
  perNetwork: z.array(z.object({ network: field.dict(networkDict), count: field.int() })),
  segmentsTotal: field.int(),
  costEstimate: field.money(),
  /** What may still be spent this month. */
  budgetLeft: field.money(),
  /** It waits for a second person. */
  needsApproval: z.boolean(),
  beginEstimate: field.time(),
  finishEstimate: field.time(),
  /** Who got the same text in the last 7 days. */
  gotLately: field.int(),
  samples: z.array(z.object({ phone: field.masked('phone'), messageText: z.string() })),
})
/** What a task would do. */
export type TaskPreview = z.output<typeof Preview>

const Message = z.object({
  messageNo: field.key(),
  taskNo: field.key(),
  phone: field.masked('phone', 'customer'),
  customerNo: field.key().nullable(),
  language: field.dict(languageCodes),
  network: field.dict(networkDict).nullable(),
  accountName: field.text().nullable(),
  messageStatus: field.state(message),
  failReason: field.dict(failReasons).nullable(),
  heldReason: field.dict(messageBlocks).nullable(),
  segments: field.int().nullable(),
  messageCost: field.money().nullable(),
  triedTimes: field.int(),
  createdTime: field.time(),
  submitTime: field.time().nullable(),
  deliverTime: field.time().nullable(),
})

/** Colleagues to whom one test goes. */
const mostColleagues = 3
const Tested = z.object({
  messageNo: field.key(),
  colleagueName: field.user(),
  language: field.dict(languageCodes),
  messageStatus: field.state(message),
  failReason: field.dict(failReasons).nullable(),
  segments: field.int().nullable(),
  messageCost: field.money().nullable(),
  createdTime: field.time(),
})

const key = { taskNo: field.key() }
const versioned = z.strictObject({ ...key, version: z.int() })
const on = (event: string) => ({ machine, event, key: 'taskNo' })
const answer = z.object({ smsTaskStatus: field.state(machine) })
const change = (name: 'stop' | 'cancel' | 'retry') =>
  command({
    path: `${base}/${name}`,
    perm: save,
    audit: `smsTask.${name}`,
    on: on(`sms.${name}`),
    input: versioned,
    output: answer,
  })

/** Texts to many customers, from the question whom they would reach to what came of them. */
export const smsTasks = noun('marketing/sms-task', {
  page: list(`${base}/page`, {
    perm,
    row: Row,
    filters: {
      taskName: field.text(64).optional(),
      taskNo: field.key().optional(),
      smsTaskStatus: z.array(field.state(machine)).optional(),
      merchantNo: z.array(field.merchant()).optional(),
      templateNo: field.option('MARKETING_TEXT').optional(),
      userGroupNo: field.key().optional(),
      audienceSource: z.array(field.dict(audienceSources)).optional(),
      createdBy: z.array(field.user()).optional(),
      sendTime: field.dateRange().optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['sendTime', 'createdTime'],
    defaultSort: '-createdTime',
    totals: [
      ...(['recipientCount', 'textsTaken', 'textsArrived', 'failedCount', 'optOutCount', 'appliedCount'] as const),
      ...(['paidOutCount', 'paidOutAmount', 'costActual'] as const),
    ],
  }),
  detail: read(`${base}/{taskNo}`, {
    perm,
    input: key,
    output: z.object({
      task: Row,
      blocks: z.array(Blocked),
      perNetwork: z.array(
        z.object({
          network: field.dict(networkDict),
          textsTaken: field.int(),
          textsArrived: field.int(),
          failedCount: field.int(),
        }),
      ),
      perLanguage: z.array(
        z.object({ language: field.dict(languageCodes), count: field.int(), textsArrived: field.int() }),
      ),
      /** How its customers were chosen, for a copy of it; null for that of a rule. */
      asked: z.object(askedBefore).nullable(),
      contents: z.array(z.object({ language: field.dict(languageCodes), messageText: z.string() })),
    }),
  }),
  messages: list(`${base}/message/page`, {
    perm,
    row: Message,
    filters: {
      taskNo: field.key().optional(),
      messageStatus: z.array(field.state(message)).optional(),
      failReason: z.array(field.dict(failReasons)).optional(),
      heldReason: z.array(field.dict(messageBlocks)).optional(),
      phone: field.phone().optional(),
    },
    sort: ['createdTime'],
    defaultSort: '-createdTime',
    exported: { as: 'taskMessages', perm: 'mkt:sms:export' },
  }),
  /** Whom a task would reach, whom not and why, what it costs and how long it takes, as things stand now. */
  preview: endpoint({ method: 'POST', path: `${base}/preview`, perm: save, input: Asked, output: Preview }),
  /** Sends the text to colleagues first: by the routes of offers, marked as a test, and in no figure of a task. */
  test: command({
    path: `${base}/test`,
    perm: save,
    audit: 'smsTask.test',
    input: z
      .strictObject({
        ...{ merchantNo: asked.merchantNo, templateNo: asked.templateNo },
        ...{ languageMode: asked.languageMode, language: asked.language },
        colleagueNos: z
          .array(field.user())
          .min(1, 'validation.infoComplete')
          .max(mostColleagues, 'validation.mostColleagues'),
      })
      .superRefine(({ languageMode, language }, context) => {
        if (languageMode === 'fixed' && !language)
          context.addIssue({ code: 'custom', path: ['language'], message: 'validation.infoComplete' })
      }),
    output: z.object({ recipientCount: field.int(), costEstimate: field.money() }),
  }),
  /** What became of the caller's tests of a text today, and what they cost. */
  tested: read(`${base}/test/list`, {
    perm: save,
    input: { templateNo: field.key() },
    output: z.object({ list: z.array(Tested) }),
  }),
  /** Makes what was previewed within the last ten minutes. */
  create: command({
    path: `${base}/create`,
    perm: save,
    audit: 'smsTask.create',
    on: on('sms.create'),
    input: Asked.safeExtend({
      taskName: field.text(30),
      previewToken: z.string().max(1_000),
      /** The number of recipients as it was typed, where there are many. */
      typedCount: field.int().optional(),
    }),
    output: z.object({ ...key, approvalNo: field.key().nullable() }),
  }),
  stop: change('stop'),
  cancel: change('cancel'),
  retry: change('retry'),
})

/** From so many recipients on their number is typed before a task is made. */
export const typedFrom = 10_000

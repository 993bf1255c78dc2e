import { z } from 'zod'
import { activityAward } from '../../rules/machines/operation/activity-award.ts'
import { blockedBy } from '../blocked.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field, type ValueOf } from '../fields.ts'

/** What an activity rewards. */
export const activityTypes = dictionary('ACTIVITY_TYPE', ['invite', 'first_loan', 'on_time', 'register', 'festival'])
/** Where an activity stands. */
export const activityStates = dictionary('ACTIVITY_STATE', ['planned', 'running', 'ended', 'budget_used', 'off'])
/** What customers do for a reward. */
export const activityTasks = dictionary('ACTIVITY_TASK', [
  'register',
  'first_loan',
  'loans',
  'on_time',
  'invite_register',
  'invite_on_time',
])
/** What a reward is: a coupon, or money in the wallet. */
export const awardKinds = dictionary('AWARD_KIND', ['coupon', 'wallet'])
/** Why a reward is held until a person has looked at it. */
export const awardHolds = dictionary('AWARD_HOLD', ['same_device', 'same_wallet', 'coupon_refused'])
const decisions = dictionary('AWARD_DECISION', ['release', 'refuse'])

/** Tasks that an activity of a type may have. */
export const tasksOf: Readonly<Record<ValueOf<typeof activityTypes>, readonly ValueOf<typeof activityTasks>[]>> = {
  invite: ['invite_register', 'invite_on_time'],
  first_loan: ['first_loan'],
  on_time: ['on_time'],
  register: ['register'],
  festival: ['loans', 'on_time'],
}

const count = (max: number) => field.int().min(1, 'validation.wrongValue').max(max, 'validation.wrongValue')
const tasks = () =>
  field.rows(
    {
      taskKey: field.dict(activityTasks),
      taskThreshold: count(100),
      awardKind: field.dict(awardKinds),
      couponTemplateNo: field.option('COUPON_TEMPLATE').optional(),
      awardAmount: field.money().optional(),
    },
    10,
    [{ taskKey: 'on_time', taskThreshold: 1, awardKind: 'wallet', awardAmount: '2000.00' }],
  )
/** A task of an activity, with its reward. */
export type ActivityTask = z.output<ReturnType<typeof tasks>>[number]

type Values = Readonly<Record<string, unknown>>
const isWhole = (value: unknown) => typeof value === 'string' && /^\d+(\.0+)?$/.test(value) && Number(value) > 0

/** The word that refuses a task; null where it is right. */
const wrongTask = (task: ActivityTask, type: unknown): string | null => {
  if (!tasksOf[type as keyof typeof tasksOf]?.includes(task.taskKey)) return 'validation.taskOfType'
  if (task.awardKind === 'coupon') return task.couponTemplateNo && !task.awardAmount ? null : 'validation.awardCoupon'
  return task.couponTemplateNo || !isWhole(task.awardAmount) ? 'validation.awardWallet' : null
}

const flaw = (values: Values): Flaw | null => {
  const { startTime, endTime, budgetAmount, tasks: given, activityType } = values
  if (startTime && endTime && Date.parse(String(endTime)) <= Date.parse(String(startTime)))
    return { path: 'endTime', message: 'validation.leaveOrder' }
  if (budgetAmount !== undefined && !isWhole(budgetAmount))
    return { path: 'budgetAmount', message: 'validation.wholeShillings' }
  const all = (given ?? []) as readonly ActivityTask[]
  if (new Set(all.map(task => task.taskKey)).size !== all.length)
    return { path: 'tasks', message: 'validation.taskTwice' }
  const message = all.map(task => wrongTask(task, activityType)).find(Boolean)
  return message ? { path: 'tasks', message } : null
}

const form = {
  activityName: field.text(30),
  activityType: field.dict(activityTypes),
  merchantNos: z.array(field.merchant()).min(1, 'validation.infoComplete').max(200),
  appCodes: z.array(field.app()).min(1, 'validation.infoComplete').max(50),
  startTime: field.time(),
  endTime: field.time(),
  budgetAmount: field.money(),
  awardsPerCustomer: count(100),
  tasks: tasks().min(1, 'validation.infoComplete'),
  ruleText: field.texts(1_000),
}

const perm = 'org:taskAward:page'

/** Activities that reward customers: for what, with what, how often, and what may be spent in all. */
export const activities = config({
  name: 'activity',
  path: '/operation/taskAward',
  area: 'org:taskAward',
  table: 'activity',
  key: 'activityNo',
  checked: 'state',
  money: 'forgives',
  row: {
    ...form,
    tasks: tasks(),
    merchantNames: field.text(2_000),
    activityState: field.dict(activityStates),
    /** Given and held rewards: never more than the budget. */
    budgetSpent: field.money(),
    participants: field.int(),
    awardCount: field.int(),
    heldCount: field.int(),
    /** Wallet money and used coupons for each payout of those who were rewarded; null while there is none. */
    costPerPayout: field.money().nullable(),
  },
  form,
  flaw,
  filters: {
    activityName: field.text(30).optional(),
    activityType: z.array(field.dict(activityTypes)).optional(),
    merchantNo: field.merchant().optional(),
    appCode: field.app().optional(),
    activityState: z.array(field.dict(activityStates)).optional(),
  },
  sort: ['activityName', 'startTime', 'endTime', 'budgetAmount', 'budgetSpent'],
  used: true,
  exported: { as: 'activities', perm: 'org:taskAward:export' },
})

const Award = z.object({
  awardNo: field.key(),
  awardTime: field.time(),
  activityNo: field.key(),
  activityName: field.text(30),
  customerNo: field.key(),
  customerName: field.customerName(),
  phone: field.masked('phone', 'customer'),
  merchantNo: field.merchant(),
  merchantName: field.text(),
  taskKey: field.dict(activityTasks),
  awardKind: field.dict(awardKinds),
  /** The money, or what the coupon is worth. */
  awardAmount: field.money(),
  couponTemplateNo: field.key().nullable(),
  couponName: field.text().nullable(),
  couponNo: field.key().nullable(),
  rewardNo: field.key().nullable(),
  /** The order that earned it. */
  orderNo: field.key(),
  /** Whom it was earned with, where somebody was invited. */
  inviteeNo: field.key().nullable(),
  awardStatus: field.state(activityAward),
  awardHold: field.dict(awardHolds).nullable(),
  /** Rewards that share a device or a wallet have the same. */
  clusterNo: field.key().nullable(),
  decideReason: field.text(200).nullable(),
  decidedBy: field.user().nullable(),
  decidedTime: field.time().nullable(),
  /** What earned it was undone after it had been spent. */
  undoneTime: field.time().nullable(),
  pendingApproval: field.user().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type ActivityAward = z.output<typeof Award>

const Step = z.object({
  taskKey: field.dict(activityTasks),
  taskThreshold: field.int(),
  /** Customers with a reward of this task that stands. */
  customers: field.int(),
  givenAwards: field.int(),
  heldAwards: field.int(),
  refusedAwards: field.int(),
  reversedAwards: field.int(),
  awardAmount: field.money(),
})

const Stat = z.object({
  steps: z.array(Step),
  /** Friends who were invited, and those of them who applied; null where nobody is invited. */
  invited: field.int().nullable(),
  joined: field.int().nullable(),
  byDay: z.array(z.object({ date: field.date(), budgetSpent: field.money(), awardCount: field.int() })),
  remainingAmount: field.money(),
  /** Days until the budget is used at the pace of the last seven; null where nothing is spent. */
  daysLeft: field.int().nullable(),
  clusters: z.array(
    z.object({
      clusterNo: field.key(),
      awardHold: field.dict(awardHolds),
      awardCount: field.int(),
      customers: field.int(),
      awardAmount: field.money(),
      names: z.array(z.string()),
    }),
  ),
})
export type ActivityStat = z.output<typeof Stat>

const award = 'org:taskAward:award'
const awardNos = z.array(field.key()).min(1).max(100)

/** Activities, and the rewards that customers earned by them. */
export const activity = noun('operation/activity', {
  ...activities.calls,
  stat: read('/operation/taskAward/stat', { perm, input: { activityNo: field.key() }, output: Stat }),
  /** More money for an activity; a second person agrees. */
  budget: command({
    path: '/operation/taskAward/budget',
    perm: 'org:taskAward:save',
    audit: 'activity.budget',
    money: 'forgives',
    input: z
      .strictObject({
        activityNo: field.key(),
        addedAmount: field.money(),
        reason: field.longText(200),
        version: z.int(),
      })
      .superRefine((values, context) => {
        if (!isWhole(values.addedAmount))
          context.addIssue({ code: 'custom', path: ['addedAmount'], message: 'validation.wholeShillings' })
      }),
    output: z.object({ approvalNo: field.key() }),
  }),
  awards: list('/operation/taskAward/award/page', {
    perm,
    row: Award,
    filters: {
      activityNo: field.option('ACTIVITY').optional(),
      phone: field.phone().optional(),
      taskKey: z.array(field.dict(activityTasks)).optional(),
      awardKind: z.array(field.dict(awardKinds)).optional(),
      awardStatus: z.array(field.state(activityAward)).optional(),
      awardHold: z.array(field.dict(awardHolds)).optional(),
      clusterNo: field.key().optional(),
      orderNo: field.key().optional(),
      awardTime: field.dateRange().optional(),
    },
    sort: ['awardTime', 'awardAmount'],
    defaultSort: '-awardTime',
    totals: ['awardAmount'],
    exported: { as: 'activityAwards', perm: 'org:taskAward:export' },
  }),
  /** Rewards that were held as suspicious are given, or refused. */
  decide: command({
    path: '/operation/taskAward/award/decide',
    perm: award,
    audit: 'activityAward.decide',
    money: 'forgives',
    on: { machine: activityAward, event: 'award.decide', key: 'awardNos' },
    input: z.strictObject({ awardNos, awardDecision: field.dict(decisions), reason: field.longText(200) }),
    output: results,
  }),
  /** Takes rewards back that nobody has spent; each waits for a second person. */
  reverse: command({
    path: '/operation/taskAward/award/reverse',
    perm: award,
    audit: 'activityAward.reverse',
    money: 'forgives',
    on: { machine: activityAward, event: 'award.reverse', key: 'awardNos' },
    input: z.strictObject({ awardNos, reason: field.longText(200) }),
    output: results,
  }),
})

const Shown = z.object({
  activityNo: field.key(),
  activityName: field.text(30),
  activityType: field.dict(activityTypes),
  activityState: field.dict(activityStates),
  startTime: field.time(),
  endTime: field.time(),
  ruleText: z.string(),
})

/** What the app of a merchant asks for its customers; it signs. */
export const activityApp = noun('operation/activity', {
  /** Activities of the app, with those whose budget is used, which the app says. */
  shown: endpoint({
    method: 'POST',
    path: '/noAuth/activity/list',
    auth: 'merchant',
    input: z.strictObject({ language: z.enum(['zh', 'en', 'sw']).meta({ kind: 'key' }) }),
    output: z.object({ list: z.array(Shown) }),
  }),
  /** A customer invites somebody by phone; a phone is invited once to an activity, by the first who does. */
  invite: endpoint({
    method: 'POST',
    path: '/noAuth/activity/invite',
    auth: 'merchant',
    input: z.strictObject({ activityNo: field.key(), customerNo: field.key(), phone: field.phone() }),
    output: z.object({ invited: z.boolean() }),
  }),
})

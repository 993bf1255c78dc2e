import { z } from 'zod'
import { revealLimits } from '../../rules/sensitive.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field, sensitiveKinds } from '../fields.ts'
import { type SensitiveKindName, sensitiveKind } from '../sensitive-kinds.ts'

/** The kinds that are masked and revealed one by one. */
const kinds = { ...sensitiveKind, values: sensitiveKinds }
/** A kind of sensitive value, whether or not its values are revealed one by one. */
export type KnownKind = Exclude<SensitiveKindName, 'unmask'>
const classes = dictionary('DATA_CLASS', ['C1', 'C2', 'C3', 'C4'])
const masks = dictionary('LIST_MASK', ['spec', 'full'])
const seenResults = dictionary('REVEAL_RESULT', ['shown', 'empty', 'over_limit'])
const accessKinds = dictionary('SEEN_BY', ['reveal', 'view'])

const page = 'operation:sensitiveInfo:page'
const log = 'operation:sensitiveInfo:log'
const cap = (max: number) =>
  z.int('validation.revealCap').min(1, 'validation.revealCap').max(max, 'validation.revealCap').meta({ kind: 'int' })

const settings = {
  dataClass: field.dict(classes),
  listMask: field.dict(masks),
  revealHourCap: cap(revealLimits.hour),
  revealDayCap: cap(revealLimits.day),
  reasonRequired: field.flag(),
  codeRequired: field.flag(),
}
const fieldKey = () => field.dict(kinds)
/** All kinds: also those that open a part of a record, or a column, and are not revealed value by value. */
const known = {
  ...sensitiveKind,
  values: sensitiveKind.values.filter(kind => kind !== 'unmask') as [KnownKind, ...KnownKind[]],
}
const knownKey = () => field.dict(known)

const Field = z.object({
  fieldKey: knownKey(),
  /** Whether its values are masked and revealed one by one, which is what the settings are about; the others are granted as a whole. */
  oneByOne: field.flag(),
  ...settings,
  /** Screens whose calls show such values. */
  screenCount: field.int(),
  revealPerm: field.key(),
  roleCount: field.int(),
  /** People who hold the permission. */
  holderCount: field.int(),
  /** Of the last seven days. */
  revealCount: field.int(),
  updatedBy: field.user().nullable(),
  updatedTime: field.time().nullable(),
  version: z.int(),
  /** Who asked for a change that a second person has yet to decide. */
  pendingApproval: field.user().nullable(),
})
export type SensitiveField = z.output<typeof Field>

const Change = z.object({
  version: z.int(),
  changedBy: z.string(),
  checkedBy: z.string().nullable(),
  changedTime: field.time(),
  changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
})

const Seen = z.object({
  accessNo: field.key(),
  actTime: field.time(),
  userNo: field.user(),
  realName: field.user(),
  roleName: field.text(200).nullable(),
  seenKinds: z.array(fieldKey()),
  accessKind: field.dict(accessKinds),
  customerNo: field.key().nullable(),
  customerName: field.customerName().nullable(),
  orderNo: field.key().nullable(),
  /** The screen on which it was seen, where the call said so. */
  route: field.text(200).nullable(),
  reason: field.text(100).nullable(),
  ip: field.text(64).nullable(),
  result: field.dict(seenResults),
  reviewedBy: field.user().nullable(),
})

const Person = z.object({
  userNo: field.user(),
  realName: field.user(),
  roleName: field.text(200).nullable(),
  revealCount: field.int(),
  /** What half of those with the same roles stay below. */
  medianCount: field.int(),
  customerCount: field.int(),
  busiestHour: field.int(),
  /** Before 08:00 and after 20:00. */
  outsideCount: field.int(),
  overCount: field.int(),
})

const Viewer = z.object({
  userNo: field.user(),
  realName: field.user(),
  seenKinds: z.array(fieldKey()),
  seenCount: field.int(),
  firstTime: field.time(),
  lastTime: field.time(),
})

/** Most lines that are marked as reviewed at once. */
const maxReviewed = 200
const ask = (path: `/${string}`, perm: string) => ({ method: 'POST' as const, path, perm })

/** What is sensitive, how much of it is seen, and who has revealed it. */
export const sensitiveInfo = noun('operation/sensitive-info', {
  page: endpoint({
    ...ask('/common/sensitiveInfo/page', page),
    input: z.strictObject({}),
    output: z.object({ list: z.array(Field) }),
  }),
  detail: read('/common/sensitiveInfo/detail', {
    perm: page,
    input: { fieldKey: knownKey() },
    output: z.object({
      screens: z.array(z.object({ tag: z.string(), screenName: z.string() })),
      allowedRoles: z.array(z.object({ roleNo: field.key(), roleName: z.string(), userCount: field.int() })),
      byDay: z.array(z.object({ date: field.date(), count: field.int() })),
      history: z.array(Change),
    }),
  }),
  /** How many people other caps would have stopped yesterday. */
  effect: endpoint({
    ...ask('/common/sensitiveInfo/effect', page),
    input: z.strictObject({
      fieldKey: fieldKey(),
      revealHourCap: settings.revealHourCap,
      revealDayCap: settings.revealDayCap,
    }),
    output: z.object({ holderCount: field.int(), aboveHour: field.int(), aboveDay: field.int() }),
  }),
  /** A stricter setting acts at once; one that is weaker in any respect waits for a second person. */
  save: command({
    path: '/common/sensitiveInfo/save',
    perm: 'operation:sensitiveInfo:save',
    audit: 'sensitiveInfo.save',
    input: z.strictObject({ fieldKey: fieldKey(), version: z.int(), ...settings }),
    output: z.object({ version: z.int(), approvalNo: z.string().nullable() }),
  }),
  revealLog: list('/common/sensitiveInfo/revealLog/page', {
    perm: log,
    row: Seen,
    filters: {
      actTime: field.dateRange().optional(),
      userNo: z.array(field.user()).optional(),
      kind: z.array(fieldKey()).optional(),
      customerNo: field.key().optional(),
      orderNo: field.key().optional(),
      result: z.array(field.dict(seenResults)).optional(),
      reviewed: field.flag().optional(),
    },
    sort: ['actTime'],
    defaultSort: '-actTime',
    exported: { as: 'reveals', perm: 'operation:sensitiveInfo:export' },
  }),
  review: command({
    path: '/common/sensitiveInfo/revealLog/review',
    perm: log,
    audit: 'sensitiveInfo.review',
    input: z.strictObject({
      accessNos: z.array(field.key()).min(1).max(maxReviewed),
      remark: field.remark().optional(),
    }),
    output: results,
  }),
  /** People who revealed values in the last days, those far above the others of their roles first. */
  revealStat: endpoint({
    ...ask('/common/sensitiveInfo/revealStat', log),
    input: z.strictObject({ lastDays: z.int().min(1).max(31) }),
    output: z.object({ list: z.array(Person) }),
  }),
  /** Who saw a customer, by customer or order: what a notice of a breach needs. */
  seenBy: endpoint({
    ...ask('/common/sensitiveInfo/seenBy', log),
    input: z
      .strictObject({
        customerNo: field.key().optional(),
        orderNo: field.key().optional(),
        fromDate: field.date(),
        toDate: field.date(),
      })
      .refine(({ customerNo, orderNo }) => (customerNo === undefined) !== (orderNo === undefined), {
        path: ['customerNo'],
        message: 'validation.customerOrOrder',
      })
      .refine(({ fromDate, toDate }) => fromDate <= toDate, { path: ['toDate'], message: 'validation.wrongValue' }),
    output: z.object({ list: z.array(Viewer) }),
  }),
})
export const sensitiveSettings = settings

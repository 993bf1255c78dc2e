import { z } from 'zod'
import { flow } from '../../rules/machines/after-loan/flow.ts'
import { order } from '../../rules/machines/order/order.ts'
import { channels } from '../after-loan/channel.ts'
import { endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field, posts, sensitiveKinds } from '../fields.ts'
import { LanguageRow } from '../language.ts'
import { approvals } from './approval.ts'

const option = z.object({ value: z.string(), label: z.string() })

/** A value of a dictionary with its label. A label of the kind `json` is a JSON text. */
const Choice = option.extend({
  parent: z.string().nullable(),
  enabled: z.boolean(),
  sort: z.int(),
  json: z.boolean(),
})
export type Choice = z.output<typeof Choice>

/** A value of a dictionary with those below it; what is disabled keeps its words. */
const Cascade = Choice.omit({ parent: true, json: true }).extend({
  childList: z.array(Choice.omit({ parent: true, json: true })),
})

/** A tree as a flat list: branches that hold something, and leaves that may be chosen. */
const tree = z.object({
  list: z.array(z.object({ value: z.string(), label: z.string(), parent: z.string().nullable(), leaf: z.boolean() })),
})

/** A lender's company with the merchants that it runs, in whichever of its organizations. */
const Company = z.object({
  companyCode: z.string(),
  companyName: z.string(),
  childList: z.array(z.object({ merchantNo: z.string(), merchantName: z.string(), orgName: z.string() })),
})
export type Company = z.output<typeof Company>

/** An organization with those that belong to it. */
export type Organization = { orgNo: string; orgName: string; childSet: Organization[] }
const Organization: z.ZodType<Organization> = z.lazy(() =>
  z.object({ orgNo: z.string(), orgName: z.string(), childSet: z.array(Organization) }),
)

const AuditRow = z.object({
  auditNo: z.int(),
  action: z.string(),
  objectType: z.string(),
  objectNo: z.string(),
  actorName: z.string(),
  at: field.time(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
})

const accessKinds = dictionary('ACCESS_KIND', ['reveal', 'view', 'search', 'download', 'recording', 'decode'])
const accessResults = dictionary('ACCESS_RESULT', ['shown', 'empty', 'over_limit'])

const AccessRow = z.object({
  accessNo: z.int(),
  at: field.time(),
  userNo: field.user(),
  realName: field.user(),
  accessKind: field.dict(accessKinds),
  objectType: z.string(),
  objectNo: z.string(),
  field: z.string().nullable(),
  reason: field.text(100).nullable(),
  result: field.dict(accessResults),
})

/** Calls that every system uses: reveal, approvals (with words of their own), organization, merchants, people, logs. */
export const common = {
  ...approvals,
  ...noun('common/common', {
    /** One full sensitive value; every call, also for an empty one, leaves an access-log row. */
    reveal: endpoint({
      method: 'GET',
      path: '/common/reveal/{kind}',
      writes: true,
      input: z.strictObject({
        kind: z.enum(sensitiveKinds),
        objectType: z.enum([
          'order',
          'customer',
          'loanCode',
          'flow',
          'contact',
          'user',
          'refund',
          'withdrawal',
          'phoneBill',
          'verifyCode',
          'fundAccount',
          'contactBlock',
        ]),
        objectNo: field.key(),
        field: field.key(),
        /** Asked for where the settings of the kind want one. */
        reason: field.text(100).optional(),
        /** The element on which the value is shown. */
        route: field.key(80).optional(),
      }),
      stepUp: 'ofRecord',
      output: z.string().nullable(),
    }),
    merchants: read('/common/option/merchants', { input: {}, output: z.object({ list: z.array(option) }) }),
    products: read('/common/option/products', { input: {}, output: z.object({ list: z.array(option) }) }),
    roles: read('/common/option/roles', { input: {}, output: z.object({ list: z.array(option) }) }),
    apps: read('/common/option/apps', { input: {}, output: z.object({ list: z.array(option) }) }),
    /** Why orders are refused, in words; also what is not used any more. */
    refuseReasons: read('/common/option/refuseReasons', { input: {}, output: z.object({ list: z.array(option) }) }),
    /** People of the staff whom the caller may see, of one post or of all, in their departments. */
    people: read('/common/tree/people', {
      input: {
        post: field.dict(posts).optional(),
        /** Those who work here now, unless `all` asks for those who have left or are frozen too. */
        staff: z.enum(['present', 'all']).default('present'),
      },
      output: tree,
    }),
    /** Departments in the departments above them; each can be chosen. */
    departments: read('/common/tree/departments', { input: {}, output: tree }),
    /** Companies with their merchants, as far as the caller may see them. */
    companies: read('/common/tree/companies', { input: {}, output: z.object({ list: z.array(Company) }) }),
    /** Organizations in the organizations that they belong to; each can be chosen. */
    organizations: read('/common/tree/organizations', { input: {}, output: z.object({ list: z.array(Organization) }) }),
    /** The languages that staff may choose. */
    languages: read('/common/language/list', { input: {}, output: z.object({ list: z.array(LanguageRow) }) }),
    /** What may be chosen of a dictionary or a base type, in the caller's language; what is disabled keeps its words. */
    options: endpoint({
      method: 'GET',
      path: '/common/getSelectOptionRespDtos/{KEY}',
      input: z.strictObject({ KEY: field.key(64) }),
      output: z.object({ list: z.array(Choice) }),
    }),
    /** The same as a tree: values of a dictionary of two levels, each with those below it. */
    cascade: endpoint({
      method: 'GET',
      path: '/common/getCascadeOptions/{KEY}',
      input: z.strictObject({ KEY: field.key(64) }),
      output: z.object({ list: z.array(Cascade) }),
    }),
    /** The regions of Uganda; of a region its districts. */
    addresses: read('/common/address/list', {
      input: { parent: field.key(64).optional() },
      output: z.object({ list: z.array(option.extend({ leaf: z.boolean() })) }),
    }),
    fundAccounts: read('/common/option/fundAccounts', {
      perm: 'fund:payout:page',
      input: {},
      output: z.object({ list: z.array(option.extend({ channel: field.dict(channels), balance: field.money() })) }),
    }),
    /**
     * Records by what names them: an order by the beginning of its number or of its customer's name, and exactly by the merchant's number,
     * a loan code, a serial number of its payout, the phone or the national ID of its customer; a receipt by its number or its serial
     * number. At most eight.
     */
    lookup: endpoint({
      method: 'POST',
      path: '/common/lookup',
      anyPerm: ['order:detail:view', 'repay:flow:list'],
      input: z.strictObject({ text: field.key(64).min(3) }),
      output: z.object({
        list: z
          .array(
            z.object({
              objectType: z.enum(['order', 'flow']),
              objectNo: field.key(),
              /** Address of the record with its query. */
              route: z.string(),
              customerName: field.customerName().nullable(),
              orderStatus: field.state(order).nullable(),
              flowStatus: field.state(flow).nullable(),
            }),
          )
          .max(8),
      }),
    }),
    auditLog: list('/common/auditLog/page', {
      perm: 'log:audit:page',
      row: AuditRow,
      filters: {
        objectType: field.key().optional(),
        objectNo: field.key().optional(),
        orderNo: field.key().optional(),
      },
      sort: ['at'],
      defaultSort: '-at',
    }),
    /** Who saw what of a record in full, heard, fetched or looked for; its line is never changed. */
    accessLog: list('/common/accessLog/page', {
      perm: 'log:audit:page',
      row: AccessRow,
      filters: {
        objectType: field.key().optional(),
        objectNo: field.key().optional(),
        orderNo: field.key().optional(),
      },
      sort: ['at'],
      defaultSort: '-at',
    }),
  }),
}

/** What a screen calls that shows what was changed of a record, and who saw it. */
export const logCalls = [common.auditLog, common.accessLog]

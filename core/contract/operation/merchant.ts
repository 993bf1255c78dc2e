import { z } from 'zod'
import { emailFormat } from '../../rules/text/formats.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

const orgTypes = dictionary('ORG_TYPE', ['lender', 'partner', 'outsourced'])
const filterModes = dictionary('FILTER_MODE', ['off', 'count', 'refuse'])
/** Licences that end within so many days, those that have ended among them. */
const licenceWithin = dictionary('LICENCE_WITHIN', ['30', '60', '90'])

/** Before a licence ends within this many days, the merchant is marked. */
export const licenceDays = 60

const perm = 'org:merchant:page'
const add = 'org:merchant:add'
const update = 'org:merchant:update'
const enable = 'org:merchant:enable'

const form = {
  merchantName: field.text(64),
  brandName: field.text(64),
  orgNo: field.organization(),
  legalName: field.text(128),
  licenceNo: field.key(40),
  licenceExpiry: field.date(),
  physicalAddress: field.text(200),
  supportEmail: z.string().trim().max(120).regex(emailFormat, 'validation.emailFormat'),
}

/** Settled loans in the app: -1 for any customer, 0 for those without one, n for those with at least n. */
const trafficLimit = () =>
  z
    .int('validation.wrongValue')
    .min(-1, 'validation.wrongValue')
    .max(999, 'validation.wrongValue')
    .meta({ kind: 'int' })
const traffic = { trafficLimit: trafficLimit(), registerAllowed: field.flag() }

const count = (max: number) =>
  z.int('validation.wrongValue').min(1, 'validation.wrongValue').max(max, 'validation.wrongValue').meta({ kind: 'int' })
/** What a customer must meet to draw a loan; what is empty is not asked. */
const condition = { minContacts: count(10).optional(), settledHours: count(8_760).optional(), noOverdue: field.flag() }
/** What is looked for in an application, and what follows when it is found. */
const filter = {
  refusedHere: field.dict(filterModes),
  refusedHereDays: count(365).optional(),
  openOrder: field.dict(filterModes),
  sameDevice: field.dict(filterModes),
  sameAccount: field.dict(filterModes),
}
/** The filters of a merchant, in the order in which they are asked. */
export const merchantFilters = ['refusedHere', 'openOrder', 'sameDevice', 'sameAccount'] as const
export type MerchantFilter = (typeof merchantFilters)[number]

/** Lending brands: who they are, which customers they take, and whether they take any. */
export const merchants = config({
  name: 'merchant',
  path: '/merchant',
  area: 'org:merchant',
  codes: { add, save: update, enable },
  table: 'merchant',
  key: 'merchantNo',
  row: {
    ...form,
    // Merchants from before these were asked for lack them.
    brandName: field.text().nullable(),
    legalName: field.text(128).nullable(),
    licenceNo: field.key().nullable(),
    licenceExpiry: field.date().nullable(),
    physicalAddress: field.text(200).nullable(),
    supportEmail: z.string().nullable(),
    orgName: field.text(),
    companyName: field.text(),
    appCodes: z.array(field.app()),
    trafficLimit: field.int(),
    registerAllowed: field.flag(),
    minContacts: field.int().nullable(),
    settledHours: field.int().nullable(),
    noOverdue: field.flag(),
    refusedHere: filter.refusedHere,
    refusedHereDays: field.int().nullable(),
    openOrder: filter.openOrder,
    sameDevice: filter.sameDevice,
    sameAccount: filter.sameAccount,
    logoFileNo: z.string().nullable(),
    /** Takes no more orders, and is disabled once its last payout has ended. */
    drain: field.flag(),
    /** Days until the licence ends; negative once it has. */
    licenceLeft: field.int().nullable(),
    /** People whose principal, or associated, merchant it is. */
    peopleCount: field.int(),
    openOrderCount: field.int(),
    /** Of the open orders: under review, paid out and not settled, and with a payout on its way. */
    reviewCount: field.int(),
    loanCount: field.int(),
    payoutCount: field.int(),
  },
  form,
  create: { appName: field.text(40) },
  filters: {
    merchantName: field.text(64).optional(),
    orgNo: field.organization().optional(),
    companyCode: field.key(16).optional(),
    drain: field.flag().optional(),
    licenceWithin: field.dict(licenceWithin).optional(),
  },
  sort: ['merchantName', 'licenceExpiry', 'openOrderCount'],
  checked: 'state',
  used: true,
})

const Merchant = z.object({
  merchantNo: field.key(),
  merchantName: field.text(),
  enabled: z.boolean(),
  licenceEnding: field.flag(),
})
const Organization = z.object({
  orgNo: field.key(),
  orgName: field.text(),
  orgType: field.dict(orgTypes),
  parentOrgNo: field.key().nullable(),
  version: z.int(),
  childSet: z.array(Merchant),
})
const Company = z.object({
  companyName: field.text(),
  companyCode: field.key(),
  version: z.int(),
  childList: z.array(Organization),
})
export type CompanyNode = z.output<typeof Company>
export type OrganizationNode = z.output<typeof Organization>

const Staff = z.object({
  userNo: field.key(),
  realName: field.user(),
  deptName: field.text(),
  isPrincipal: field.flag(),
})
const Met = z.object({
  filter: z.enum(merchantFilters),
  /** Applications of yesterday that it would have met. */
  yesterday: field.int(),
  /** Applications that it met in the last seven days and let pass. */
  counted: field.int(),
})

const one = { merchantNo: field.key() }
const versioned = { ...one, version: z.int() }
const company = { companyName: field.text(64) }
const companyCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9]{2,16}$/, 'validation.companyCode')
const organization = { orgName: field.text(64), orgType: field.dict(orgTypes) }
const saved = z.object({ version: z.int() })

const noRegistrationAtZero = (values: { trafficLimit?: unknown; registerAllowed?: unknown }): Flaw | null =>
  values.trafficLimit === 0 && values.registerAllowed === true
    ? { path: 'registerAllowed', message: 'validation.noRegistrationAtZero' }
    : null

/** Companies, organizations and merchants. */
export const merchant = noun('operation/merchant', {
  ...merchants.calls,
  add: merchants.calls.add as NonNullable<typeof merchants.calls.add>,
  usedBy: merchants.calls.usedBy as NonNullable<typeof merchants.calls.usedBy>,
  tree: read('/organization/tree', { perm, input: {}, output: z.object({ list: z.array(Company) }) }),
  companyAdd: command({
    path: '/organization/company/save',
    perm: add,
    audit: 'company.add',
    input: z.strictObject({ companyCode, ...company }),
    output: saved,
  }),
  companyUpdate: command({
    path: '/organization/company/update',
    perm: update,
    audit: 'company.update',
    input: z.strictObject({ companyCode: field.key(16), version: z.int(), ...company }),
    output: saved,
  }),
  organizationAdd: command({
    path: '/organization/save',
    perm: add,
    audit: 'organization.add',
    /** Below an organization of the company, or directly in it. */
    input: z.strictObject({
      companyCode: field.key(16),
      parentOrgNo: field.organization().optional(),
      ...organization,
    }),
    output: z.object({ orgNo: field.key(), version: z.int() }),
  }),
  organizationUpdate: command({
    path: '/organization/update',
    perm: update,
    audit: 'organization.update',
    input: z.strictObject({ orgNo: field.key(), version: z.int(), ...organization }),
    output: saved,
  }),
  traffic: command({
    path: '/merchant/traffic/save',
    perm: update,
    audit: 'merchant.traffic',
    on: { machine: merchants.machine, event: 'item.update', key: 'merchantNo' },
    input: z.strictObject({ ...versioned, ...traffic }).superRefine((values, context) => {
      const flaw = noRegistrationAtZero(values)
      if (flaw) context.addIssue({ code: 'custom', path: [flaw.path], message: flaw.message })
    }),
    output: saved,
  }),
  condition: read('/merchant/condition', {
    perm,
    input: one,
    output: z.object({
      minContacts: field.int().nullable(),
      settledHours: field.int().nullable(),
      noOverdue: field.flag(),
    }),
  }),
  conditionSave: command({
    path: '/merchant/condition/save',
    perm: 'org:withdrawal:condition',
    audit: 'merchant.condition',
    input: z.strictObject({ ...versioned, ...condition }),
    output: saved,
  }),
  filters: read('/merchant/filter', { perm, input: one, output: z.object({ list: z.array(Met) }) }),
  filterSave: command({
    path: '/merchant/filter/save',
    perm: 'org:filter',
    audit: 'merchant.filter',
    input: z
      .strictObject({ ...versioned, ...filter })
      .refine(({ refusedHere, refusedHereDays }) => refusedHere === 'off' || refusedHereDays !== undefined, {
        path: ['refusedHereDays'],
        message: 'validation.infoComplete',
      }),
    output: saved,
  }),
  logo: command({
    path: '/merchant/logo/save',
    perm: update,
    audit: 'merchant.logo',
    input: z.strictObject({ ...versioned, logo: field.file('logo') }),
    output: saved,
  }),
  /** Stops the intake, or opens it again; a second person agrees. */
  drain: command({
    path: '/merchant/drain',
    perm: enable,
    audit: 'merchant.drain',
    input: z.strictObject({ ...versioned, drain: field.flag() }),
    output: z.object({ approvalNo: field.key() }),
  }),
  staff: read('/merchant/staff', { perm, input: one, output: z.object({ list: z.array(Staff) }) }),
})

import { z } from 'zod'
import { blockedBy } from '../blocked.ts'
import { command, noun, read } from '../endpoint.ts'
import { dictionary, field, type posts, type ValueOf } from '../fields.ts'
import { memberLevels } from '../order/levels.ts'

type MemberLevel = (typeof memberLevels.values)[number]
type MoneyField = ReturnType<typeof field.money>

/** Most holidays that the calendar holds: some ten years of them. */
const maxHolidays = 300

const Holidays = field.rows({ date: field.date(), name: field.texts(64), closed: field.flag() }, maxHolidays)
export type Holiday = z.output<typeof Holidays>[number]

/** How many codes by e-mail and text are sent, and what they may cost. */
const VerifyLimits = z.strictObject({
  /** Between two codes to one phone. */
  secondsBetween: field.seconds().min(60, 'validation.verifySeconds').max(600, 'validation.verifySeconds'),
  perHour: field.int().min(1, 'validation.verifyPerHour').max(10, 'validation.verifyPerHour'),
  perIpHour: field.int().min(1, 'validation.verifyPerIp').max(1_000, 'validation.verifyPerIp'),
  dailyBudget: field.money(),
})
export type VerifyLimits = z.output<typeof VerifyLimits>
/** The limits until somebody sets others. */
const plainLimits: VerifyLimits = { secondsBetween: 60, perHour: 5, perIpHour: 20, dailyBudget: '500000.00' }

/** When a puzzle is shown before the password is checked. */
const slideTimes = dictionary('SIGN_IN_SLIDE', ['always', 'after_failures'])
/** How staff sign in: when a puzzle is shown, and whose people show a code by e-mail or text after their password. */
const SignInPolicy = z.strictObject({
  slide: field.dict(slideTimes),
  /** Organizations; those below them do too. */
  codeFor: z.array(field.organization()).max(200),
})
export type SignInPolicy = z.output<typeof SignInPolicy>
const plainPolicy: SignInPolicy = { slide: 'after_failures', codeFor: [] }

/** Whether pages with records carry the name of who looks at them, so that a picture of the screen says whose it was. */
const Watermark = z.strictObject({ watermark: field.flag() })
export type Watermark = z.output<typeof Watermark>

/** The most that one coupon of each type may be worth. */
const CouponCaps = z.strictObject({
  increase_loan_limit_coupon: field.money(),
  discount_coupon: field.money(),
  interest_discount_coupon: field.money(),
})
export type CouponCaps = z.output<typeof CouponCaps>
const plainCaps: CouponCaps = {
  increase_loan_limit_coupon: '200000.00',
  discount_coupon: '50000.00',
  interest_discount_coupon: '30000.00',
}

/** The most by which the limit of a customer may be raised for a while, by member level. */
const QuotaCaps = z.strictObject({
  ...(Object.fromEntries(memberLevels.values.map(level => [level, field.money()])) as Record<MemberLevel, MoneyField>),
  /** Other amounts of single merchants. */
  merchantCaps: field.rows(
    { merchantNo: field.merchant(), memberLevel: field.dict(memberLevels), quotaAmount: field.money() },
    200,
  ),
})
export type QuotaCaps = z.output<typeof QuotaCaps>
const plainQuotaCaps = {
  ...Object.fromEntries(memberLevels.values.map((level, place) => [level, `${100_000 + place * 50_000}.00`])),
  merchantCaps: [],
} as unknown as QuotaCaps

/** Whether customers must agree before a higher limit counts for them. */
const RaiseConsent = z.strictObject({ raiseConsent: field.flag() })
export type RaiseConsent = z.output<typeof RaiseConsent>

/** What every text of marketing ends with, and where its links may lead. */
const MarketingText = z.strictObject({
  optOutLine: field.texts(80),
  /** Names of hosts, parted by commas; `*.` stands for all below one. None: no text may hold a link. */
  linkHosts: field.remark(1_000),
})
export type MarketingText = z.output<typeof MarketingText>
const plainText: MarketingText = {
  optOutLine: { zh: '回复STOP退订', en: 'Reply STOP to opt out', sw: 'Jibu ACHA kusitisha' },
  linkHosts: '',
}

/** The EAT day within which people are contacted, by what for; reminders keep the hours of collection. Never longer than the law allows. */
const hour = () => field.clock('08:00', '20:00')
const ContactWindow = z.strictObject({
  marketingFrom: hour(),
  marketingTo: hour(),
  collectionFrom: hour(),
  collectionTo: hour(),
  serviceFrom: hour(),
  serviceTo: hour(),
})
export type ContactWindow = z.output<typeof ContactWindow>
const plainHours: ContactWindow = {
  marketingFrom: '08:00',
  marketingTo: '20:00',
  collectionFrom: '08:00',
  collectionTo: '20:00',
  serviceFrom: '08:00',
  serviceTo: '20:00',
}

/** How often one number is contacted at most: by texts of marketing, and by calls and robots together. */
const often = (max: number) => field.int().min(1, 'validation.wrongValue').max(max, 'validation.wrongValue')
const ContactCap = z.strictObject({
  offersADay: often(3),
  offersIn7Days: often(21),
  callsADay: often(10),
  callsIn7Days: often(70),
})
export type ContactCap = z.output<typeof ContactCap>
const plainContacts: ContactCap = { offersADay: 1, offersIn7Days: 3, callsADay: 3, callsIn7Days: 8 }

/** From what size on a task of texts waits for a second person, and what all of a month may cost. */
const SmsTaskMax = z.strictObject({
  taskRecipients: field.int().min(1, 'validation.wrongValue').max(200_000, 'validation.wrongValue'),
  taskCost: field.money(),
  monthBudget: field.money(),
  /** What a part costs while no vendor has charged for one of late. */
  plainPartPrice: field.money(),
})
export type SmsTaskMax = z.output<typeof SmsTaskMax>
const plainTaskMax: SmsTaskMax = {
  taskRecipients: 50_000,
  taskCost: '2000000.00',
  monthBudget: '20000000.00',
  plainPartPrice: '30.00',
}

/** How long before they register a click brings somebody, and the hosts of the apps' own pages that channels lead to. */
const Attribution = z.strictObject({
  attributionDays: field.int().min(1, 'validation.wrongValue').max(30, 'validation.wrongValue'),
  /** Names of hosts, parted by commas; `*.` stands for all below one. None: no channel can be made. */
  landingHosts: field.remark(1_000),
})
export type Attribution = z.output<typeof Attribution>
const plainAttribution: Attribution = { attributionDays: 7, landingHosts: '' }

/** The most airtime that one person of each post gets in a month; who has several posts, the most of theirs. */
const PhoneBillCaps = z.strictObject({
  auditor: field.money(),
  collector: field.money(),
  collectorNew: field.money(),
  telemarketer: field.money(),
  customerService: field.money(),
  aiEmployee: field.money(),
  traffic: field.money(),
  finance: field.money(),
  administrator: field.money(),
} satisfies Record<ValueOf<typeof posts>, z.ZodType>)
export type PhoneBillCaps = z.output<typeof PhoneBillCaps>
const plainAirtime: PhoneBillCaps = {
  auditor: '10000.00',
  collector: '30000.00',
  collectorNew: '30000.00',
  telemarketer: '30000.00',
  customerService: '20000.00',
  aiEmployee: '0.00',
  traffic: '20000.00',
  finance: '10000.00',
  administrator: '10000.00',
}

/** What machine review does: it decides, leaves every order to an auditor, or no application is taken at all. */
export const reviewModes = dictionary('MACHINE_REVIEW_MODE', ['on', 'manual_all', 'stop_intake'])
const ReviewMode = z.strictObject({ reviewMode: field.dict(reviewModes) })
export type ReviewMode = z.output<typeof ReviewMode>

/** Settings of the business, by their keys: what each holds, who reads it, who changes it, and what holds until somebody does. */
export const businessConfigs = {
  /** The one calendar of public holidays; `closed` ones are days on which nobody works. */
  PUBLIC_HOLIDAYS: { schema: Holidays, read: 'merchant:maturity:page', save: 'merchant:maturity:holiday', plain: [] },
  VERIFY_CODE_LIMITS: {
    schema: VerifyLimits,
    read: 'operation:verifyCode:page',
    save: 'operation:verifyCode:limits',
    plain: plainLimits,
  },
  WATERMARK: {
    schema: Watermark,
    read: 'operation:sensitiveInfo:page',
    save: 'operation:sensitiveInfo:save',
    plain: { watermark: false },
  },
  COUPON_TYPE_CAPS: {
    schema: CouponCaps,
    read: 'operation:coupon:page',
    save: 'operation:coupon:caps',
    plain: plainCaps,
  },
  TEMP_QUOTA_MAX: {
    schema: QuotaCaps,
    read: 'tempQuota:page',
    save: 'tempQuota:limits',
    plain: plainQuotaCaps,
  },
  LIMIT_RAISE_CONSENT: {
    schema: RaiseConsent,
    read: 'tempQuota:page',
    save: 'tempQuota:limits',
    plain: { raiseConsent: true } as RaiseConsent,
  },
  ATTRIBUTION_DAYS: {
    schema: Attribution,
    read: 'operation:launch:page',
    save: 'operation:launch:save',
    plain: plainAttribution,
  },
  PHONE_BILL_CAPS: {
    schema: PhoneBillCaps,
    read: 'ops:phoneBill:page',
    save: 'ops:phoneBill:caps',
    plain: plainAirtime,
  },
  SIGN_IN_POLICY: { schema: SignInPolicy, read: 'org:merchant:page', save: 'org:signIn:policy', plain: plainPolicy },
  MARKETING_TEXT: {
    schema: MarketingText,
    read: 'mkt:template:page',
    save: 'mkt:contactRule:update',
    plain: plainText,
  },
  CONTACT_WINDOW: {
    schema: ContactWindow,
    read: 'mkt:sms:page',
    save: 'mkt:contactRule:update',
    plain: plainHours,
  },
  CONTACT_CAP: { schema: ContactCap, read: 'mkt:sms:page', save: 'mkt:contactRule:update', plain: plainContacts },
  /** One person may leave everything to auditors at once; other changes need two. */
  MACHINE_REVIEW_MODE: {
    schema: ReviewMode,
    read: 'risk:ruleSet:page',
    save: 'risk:plan:save',
    plain: { reviewMode: 'on' } as ReviewMode,
  },
  SMS_TASK_MAX: { schema: SmsTaskMax, read: 'mkt:sms:page', save: 'mkt:contactRule:update', plain: plainTaskMax },
} as const
/** The key of a business setting. */
export type BusinessKey = keyof typeof businessConfigs
/** The parsed value of a business setting. */
export type BusinessValue<K extends BusinessKey> = z.output<(typeof businessConfigs)[K]['schema']>

const keys = Object.keys(businessConfigs) as [BusinessKey, ...BusinessKey[]]
const codes = (which: 'read' | 'save') => [...new Set(keys.map(key => businessConfigs[key][which]))]
const change = <K extends BusinessKey>(key: K) =>
  z.strictObject({ configKey: z.literal(key), version: z.int(), value: businessConfigs[key].schema })

/** Reads and writes the settings above, each under its own code and version. */
export const businessConfig = noun('common/business-config', {
  get: read('/common/businessConfig/{configKey}', {
    anyPerm: codes('read'),
    input: { configKey: z.enum(keys) },
    output: z.object({
      configKey: z.enum(keys),
      /** As the schema of the key says. */
      value: z.unknown(),
      version: z.int(),
      updatedBy: field.user().nullable(),
      updatedTime: field.time().nullable(),
      blockedBy: blockedBy(),
      pendingApproval: field.user().nullable(),
    }),
  }),
  /** Asks for a change; a second person agrees to it before it holds. */
  update: command({
    path: '/common/businessConfig/update',
    anyPerm: codes('save'),
    audit: 'businessConfig.update',
    input: z.discriminatedUnion('configKey', [
      change('PUBLIC_HOLIDAYS'),
      change('VERIFY_CODE_LIMITS'),
      change('SIGN_IN_POLICY'),
      change('WATERMARK'),
      change('COUPON_TYPE_CAPS'),
      change('TEMP_QUOTA_MAX'),
      change('LIMIT_RAISE_CONSENT'),
      change('PHONE_BILL_CAPS'),
      change('MARKETING_TEXT'),
      change('ATTRIBUTION_DAYS'),
      change('CONTACT_WINDOW'),
      change('CONTACT_CAP'),
      change('SMS_TASK_MAX'),
      change('MACHINE_REVIEW_MODE'),
    ]),
    output: z.object({ approvalNo: field.key() }),
  }),
})

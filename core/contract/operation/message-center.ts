import { z } from 'zod'
import { message } from '../../rules/machines/operation/message.ts'
import { isPath, isRequest, vendorMeanings, vendorParts } from '../../rules/message/vendor-mapping.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { languageCodes } from '../language.ts'
import { messageBlocks } from './message-event.ts'
import { channelTypes, failReasons } from './sms-report.ts'

/** How an account has carried of late, by the messages of the last hour whose end is known. */
export const accountHealths = dictionary('ACCOUNT_HEALTH', ['up', 'degraded', 'down'])
/** Whose service an account is with. */
export const messageVendors = dictionary('MESSAGE_VENDOR', ['africas_talking', 'smpp', 'http', 'smtp', 'other'])
/** How a vendor in JSON is shown who we are. */
export const httpAuths = dictionary('HTTP_AUTH', ['bearer', 'basic', 'signature'])
/** Where the parts of its answers, reports and replies stand. */
export const vendorPartKinds = dictionary('VENDOR_PART', vendorParts)
/** What its words mean. */
export const vendorMeaningKinds = dictionary('VENDOR_MEANING', vendorMeanings)
/** Vendors whose secret is set on the screen; those of all others stand in the settings of the server. */
export const vendorsWithSecret: readonly string[] = ['africas_talking', 'smpp', 'http']

/** Channels that no account of an app carries: texts go by their routes, and staff send from a handset. */
export const withoutAccount: readonly string[] = ['sms', 'phone_sms']

type Values = Readonly<Record<string, unknown>>
type AppChannel = { channelType: string; accountNo?: string }

const appFlaw = ({ appChannels }: Values): Flaw | null => {
  const given = (appChannels ?? []) as AppChannel[]
  if (new Set(given.map(one => one.channelType)).size !== given.length)
    return { path: 'appChannels', message: 'validation.channelTwice' }
  const wrong = given.some(one => withoutAccount.includes(one.channelType) === (one.accountNo !== undefined))
  return wrong ? { path: 'appChannels', message: 'validation.channelAccount' } : null
}

const appChannels = field.rows(
  { channelType: field.dict(channelTypes), accountNo: field.option('MESSAGE_ACCOUNT').optional() },
  channelTypes.values.length,
  [{ channelType: 'sms' }],
)
const appForm = {
  appName: field.text(64),
  merchantNos: z.array(field.merchant()).min(1).max(100),
  appChannels: appChannels.min(1, 'validation.infoComplete'),
  defaultLanguage: field.dict(languageCodes),
  /** What is not urgent waits from here to there: as the law says, or longer. */
  quietFrom: field.clock('12:00', '20:00').meta({ kind: 'clock', example: '20:00' }),
  quietUntil: field.clock('08:00', '12:00').meta({ kind: 'clock', example: '08:00' }),
}

/** Apps of the message center: over which channels each speaks, and when it keeps quiet. */
export const messageApps = config({
  name: 'messageApp',
  path: '/common/messageApp',
  area: 'app:config',
  table: 'message_app',
  key: 'messageAppNo',
  row: {
    appCode: field.app(),
    ...appForm,
    appChannels,
    merchantNames: z.array(field.text()),
    messagesToday: field.int(),
    deliveredRate: z.number().nullable(),
  },
  form: appForm,
  create: { appCode: field.app() },
  flaw: appFlaw,
  filters: { appName: field.text(64).optional(), merchantNo: z.array(field.merchant()).optional() },
  sort: ['appName'],
})

const isEndpoint = (text: string) => {
  if (/^[A-Za-z0-9.-]+:\d{2,5}$/.test(text)) return true
  return URL.canParse(text) && new URL(text).protocol === 'https:'
}

const accountForm = {
  accountName: field.text(64),
  /** An address by HTTPS, or host and port. */
  vendorEndpoint: z
    .string()
    .trim()
    .max(200)
    .refine(isEndpoint, 'validation.vendorEndpoint')
    .meta({ kind: 'text', example: 'https://api.vendor.example' }),
  senderId: field.key(20),
  /** The line of SMPP is encrypted. */
  overTls: field.flag().optional(),
  httpAuth: field.dict(httpAuths).optional(),
  /** What is posted to a vendor in JSON; `<to>`, `<from>`, `<text>`, `<reference>` and `<user>` are its places. */
  requestTemplate: field
    .longText(2_000)
    .meta({ kind: 'longText', example: '{"to":"<to>","text":"<text>"}' })
    .optional(),
  vendorPaths: field
    .rows({ vendorPart: field.dict(vendorPartKinds), vendorPath: field.key(80) }, vendorParts.length, [
      { vendorPart: 'answer_id', vendorPath: 'data.id' },
    ])
    .optional(),
  /** What the words of the vendor mean: those of its answers and reports, `http` statuses, codes of SMPP, `err:` of receipts. */
  vendorWords: field
    .rows({ vendorWord: field.key(40), wordMeaning: field.dict(vendorMeaningKinds) }, 60, [
      { vendorWord: 'OK', wordMeaning: 'accepted' },
    ])
    .optional(),
  textsADay: z.int().min(0, 'validation.textsADay').max(10_000_000, 'validation.textsADay').optional(),
  unitCost: field.money(),
  lowBalance: field.money(),
}

const isHttp = ({ messageVendor }: Values) => messageVendor === 'http'
const isSmpp = ({ messageVendor }: Values) => messageVendor === 'smpp'

type VendorPathRow = { vendorPart: string; vendorPath: string }
type VendorWordRow = { vendorWord: string; wordMeaning: string }

/** What an account of a kind needs: a vendor in JSON is known by its request and by where its number of a text stands. */
const accountFlaw = (values: Values): Flaw | null => {
  const { channelType, vendorEndpoint, requestTemplate, httpAuth } = values
  const wrong = (path: string, message: Flaw['message']): Flaw => ({ path, message })
  const paths = (values.vendorPaths ?? []) as VendorPathRow[]
  const words = (values.vendorWords ?? []) as VendorWordRow[]
  if ((isHttp(values) || isSmpp(values)) && channelType !== undefined && channelType !== 'sms')
    return wrong('messageVendor', 'validation.vendorOfTexts')
  const isUrl = String(vendorEndpoint ?? '').includes('://')
  if (isHttp(values) && !isUrl) return wrong('vendorEndpoint', 'validation.vendorEndpoint')
  if (isSmpp(values) && isUrl) return wrong('vendorEndpoint', 'validation.vendorHostPort')
  if (requestTemplate !== undefined && !isRequest(String(requestTemplate)))
    return wrong('requestTemplate', 'validation.requestTemplate')
  if (paths.some(({ vendorPath }) => !isPath(vendorPath))) return wrong('vendorPaths', 'validation.vendorPath')
  if (new Set(paths.map(one => one.vendorPart)).size !== paths.length)
    return wrong('vendorPaths', 'validation.vendorPath')
  if (new Set(words.map(one => one.vendorWord)).size !== words.length)
    return wrong('vendorWords', 'validation.vendorWordTwice')
  if (!isHttp(values)) return null
  if (!httpAuth) return wrong('httpAuth', 'validation.infoComplete')
  if (!requestTemplate) return wrong('requestTemplate', 'validation.infoComplete')
  return paths.some(one => one.vendorPart === 'answer_id') ? null : wrong('vendorPaths', 'validation.vendorAnswerId')
}

/** Accounts with those who carry messages. */
export const messageAccounts = config({
  name: 'messageAccount',
  path: '/common/messageAccount',
  area: 'message:account',
  table: 'message_account',
  key: 'accountNo',
  row: {
    channelType: field.dict(channelTypes),
    messageVendor: field.dict(messageVendors),
    ...accountForm,
    vendorEndpoint: field.text(200),
    overTls: field.flag().nullable(),
    httpAuth: field.dict(httpAuths).nullable(),
    requestTemplate: field.longText(2_000).nullable(),
    vendorPaths: accountForm.vendorPaths.unwrap().nullable(),
    vendorWords: accountForm.vendorWords.unwrap().nullable(),
    textsADay: field.int().nullable(),
    /** When the secret was last changed; null where it stands in the settings of the server, or there is none. */
    credentialTime: field.time().nullable(),
    /** The settings of the server have a secret for it. */
    fromServer: field.flag(),
    sentToday: field.int(),
    spentToday: field.money(),
    spentMonth: field.money(),
    balance: field.money().nullable(),
    balanceTime: field.time().nullable(),
    /** For how many days the balance lasts at the spending of the last seven; null where either is unknown. */
    lastsDays: field.int().nullable(),
    balanceLow: field.flag(),
    accountHealth: field.dict(accountHealths),
    usedCount: field.int(),
  },
  form: accountForm,
  create: { channelType: field.dict(channelTypes), messageVendor: field.dict(messageVendors) },
  applies: {
    overTls: isSmpp,
    httpAuth: isHttp,
    requestTemplate: isHttp,
    vendorPaths: isHttp,
    vendorWords: values => isHttp(values) || isSmpp(values),
  },
  flaw: accountFlaw,
  filters: {
    channelType: z.array(field.dict(channelTypes)).optional(),
    messageVendor: z.array(field.dict(messageVendors)).optional(),
    accountHealth: z.array(field.dict(accountHealths)).optional(),
  },
  sort: ['accountName', 'sentToday', 'unitCost'],
  used: true,
})

const account = { accountNo: field.key() }

/** Accounts with vendors of messages. */
export const messageAccount = noun('operation/message-center', {
  ...messageAccounts.calls,
  usedBy: messageAccounts.calls.usedBy as NonNullable<typeof messageAccounts.calls.usedBy>,
  /** Another secret, tried by a text to the caller's phone; the old one works until a second person agrees. */
  rotate: command({
    path: '/common/messageAccount/rotate',
    perm: 'message:account:save',
    audit: 'messageAccount.rotate',
    input: z.strictObject({
      ...account,
      version: z.int(),
      vendorUser: field.key(64),
      credential: z.string().trim().min(8).max(500).meta({ kind: 'text', example: 'at-7f2c9b1e' }),
      reason: field.remark(200).min(1, 'validation.contentEmpty'),
    }),
    output: z.object({ approvalNo: field.key() }),
  }),
  /** A text or letter to the caller, by this account. */
  sendTest: command({
    path: '/common/messageAccount/test',
    perm: 'message:account:save',
    audit: 'messageAccount.test',
    input: z.strictObject(account),
    output: z.object({ messageNo: field.key() }),
  }),
  /** Asks the vendor what is left. */
  askBalance: command({
    path: '/common/messageAccount/balance',
    perm: 'message:account:page',
    audit: 'messageAccount.balance',
    input: z.strictObject(account),
    output: z.object({ balance: field.money() }),
  }),
})

/** Apps of the message center. */
export const messageApp = noun('operation/message-center', messageApps.calls)

const Message = z.object({
  messageNo: field.key(),
  createdTime: field.time(),
  sendTime: field.time().nullable(),
  nodeName: field.texts(64).nullable(),
  channelType: field.dict(channelTypes),
  appCode: field.app().nullable(),
  /** Hidden but for its ends. */
  receiver: field.text(),
  /** As it went out; a code is never shown. */
  messageText: field.text(2_000).nullable(),
  accountNo: field.option('MESSAGE_ACCOUNT').nullable(),
  segments: field.int().nullable(),
  cost: field.money().nullable(),
  messageStatus: field.state(message),
  whyBlocked: field.dict(messageBlocks).nullable(),
  failReason: field.dict(failReasons).nullable(),
  deliverTime: field.time().nullable(),
  orderNo: field.key().nullable(),
  customerNo: field.key().nullable(),
  version: z.int(),
})

const Step = z.object({
  at: field.time(),
  event: field.event(message),
  toState: field.state(message).nullable(),
  said: field.text(200).nullable(),
})

/** Messages that were sent. */
export const sentMessage = noun('operation/message-center', {
  page: list('/common/message/page', {
    perm: 'app:config:page',
    row: Message,
    filters: {
      messageNo: field.key().optional(),
      pointCode: field.key(64).optional(),
      channelType: z.array(field.dict(channelTypes)).optional(),
      messageStatus: z.array(field.state(message)).optional(),
      appCode: field.app().optional(),
      accountNo: field.option('MESSAGE_ACCOUNT').optional(),
      customerNo: field.key().optional(),
      orderNo: field.key().optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime', 'sendTime'],
    defaultSort: '-createdTime',
    exported: { as: 'sentMessages', perm: 'app:config:export' },
  }),
  /** What became of a message, step by step, and why it went as it did. */
  detail: read('/common/message/detail', {
    perm: 'app:config:page',
    input: { messageNo: field.key() },
    output: z.object({
      templateNo: field.key().nullable(),
      templateVersion: field.int().nullable(),
      routeNo: field.key().nullable(),
      vendorRef: field.key(100).nullable(),
      triedAccounts: z.array(field.text()),
      steps: z.array(Step),
    }),
  }),
  /** The same text once more, as another message. */
  resend: command({
    path: '/common/message/resend',
    perm: 'message:account:resend',
    audit: 'sentMessage.resend',
    on: { machine: message, event: 'msg.resend', key: 'messageNo' },
    input: z.strictObject({ messageNo: field.key(), version: z.int() }),
    output: z.object({ messageNo: field.key() }),
  }),
})

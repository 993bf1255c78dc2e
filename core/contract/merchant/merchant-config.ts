import { z } from 'zod'
import { gt, isNegative, isPositive } from '../../rules/amount.ts'
import { allowedLink, isHost } from '../../rules/market/hosts.ts'
import { addressesIn, isAddress, maxAddresses } from '../../rules/merchant/addresses.ts'
import { phoneFormat } from '../../rules/text/formats.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { meters } from './meters.ts'

/** Services are paid in advance, or behind. */
export const walletModes = dictionary('WALLET_MODE', ['prepaid', 'postpaid'])
export const environments = dictionary('API_ENVIRONMENT', ['test', 'live'])
/** What a merchant's systems hear of. */
export const callbackEvents = dictionary('CALLBACK_EVENT', [
  'order.status',
  'payout.result',
  'repayment.posted',
  'order.settled',
])
const deliveries = dictionary('CALLBACK_DELIVERY', ['waiting', 'delivered', 'dead'])
/** Where the wallet stands against its marks. */
export const balanceStates = dictionary('WALLET_STANDING', ['fine', 'low', 'at_floor'])
const callbackStates = dictionary('CALLBACK_STANDING', ['fine', 'failing', 'silent'])
const contractWithin = dictionary('CONTRACT_WITHIN', ['30', '60', '90'])
const cardTypes = dictionary('PAYOUT_CARD', ['wallet', 'bank_account'])
const verifyModes = dictionary('CARD_VERIFY_MODE', ['name_match', 'micro_payment', 'none'])

/** Keys of a merchant that may live at a time: the one in use, and the one that follows it. */
export const maxLiveKeys = 2
/** A key that was used within so many minutes is ended only by who types its number. */
export const usedLatelyMinutes = 60
/** Before a contract ends within this many days, the merchant is marked. */
export const contractDays = 30

type Values = Readonly<Record<string, unknown>>
const signedFormat = /^-?\d{1,16}(\.\d{1,2})?$/
/** An amount that may lie below zero. */
const signed = () => z.string().regex(signedFormat, 'validation.moneyFormat').meta({ kind: 'money', example: '0.00' })

const isSigned = (value: unknown): value is string => typeof value === 'string' && signedFormat.test(value)

const flaw = ({ contractStart, contractEnd, settlementMode, creditFloor, lowBalance }: Values): Flaw | null => {
  if (typeof contractStart === 'string' && typeof contractEnd === 'string' && contractStart >= contractEnd)
    return { path: 'contractEnd', message: 'validation.contractEnds' }
  if (!isSigned(creditFloor)) return null
  if (settlementMode === 'prepaid' && isNegative(creditFloor))
    return { path: 'creditFloor', message: 'validation.prepaidFloor' }
  if (settlementMode === 'postpaid' && isPositive(creditFloor))
    return { path: 'creditFloor', message: 'validation.postpaidFloor' }
  return isSigned(lowBalance) && gt(creditFloor, lowBalance)
    ? { path: 'lowBalance', message: 'validation.lowBelowFloor' }
    : null
}

const form = {
  contractNo: field.key(40),
  contractStart: field.date(),
  contractEnd: field.date(),
  settlementMode: field.dict(walletModes),
  /** How far the wallet may fall: below zero where services are paid behind. */
  creditFloor: signed(),
  lowBalance: signed(),
  contactEmail: z.email('validation.emailFormat').max(120).meta({ kind: 'text' }),
  contactPhone: z
    .string()
    .trim()
    .regex(phoneFormat, 'validation.phoneFormat')
    .meta({ kind: 'text', example: '256772000111' }),
  environment: field.dict(environments),
}

const cards = {
  cardTypes: z.array(field.dict(cardTypes)).min(1, 'validation.infoComplete').max(cardTypes.values.length),
  maxCardsPerCustomer: field.int().min(1, 'validation.wrongValue').max(5, 'validation.wrongValue'),
  cardVerifyMode: field.dict(verifyModes),
  changeCoolingHours: field.int().min(0, 'validation.wrongValue').max(72, 'validation.wrongValue'),
}

const isCallback = (link: string): boolean => {
  if (!URL.canParse(link)) return false
  const { hostname } = new URL(link)
  return isHost(hostname) && allowedLink(link, [hostname]) !== null
}
const integration = {
  /** Addresses and ranges that its systems call from, parted by commas; none is any. */
  ipAllowList: z
    .string()
    .trim()
    .max(2_000)
    .refine(text => addressesIn(text).length <= maxAddresses && addressesIn(text).every(isAddress), {
      error: 'validation.addressList',
      params: { max: maxAddresses },
    })
    .meta({ kind: 'longText', example: '41.210.1.2' })
    .optional(),
  callbackUrl: z
    .string()
    .trim()
    .max(300)
    .refine(isCallback, 'validation.callbackUrl')
    .meta({ kind: 'text', example: 'https://partner.example/mkopo' })
    .optional(),
  callbackEvents: z.array(field.dict(callbackEvents)).max(callbackEvents.values.length),
}

const perm = '/AdminContent/MerchantSystem/MerchantConfigManagement'
const path = '/merchant/config'
const codes = { page: perm, add: 'merchant:config:add', save: 'merchant:config:update' }
const secretPerm = 'merchant:config:secret'

/** How merchants are connected, and what they pay by. */
export const merchantConfigs = config({
  name: 'merchantConfig',
  path,
  area: 'merchant:config',
  codes,
  table: 'merchant_config',
  key: 'merchantNo',
  row: {
    ...form,
    merchantName: field.text(),
    orgName: field.text(),
    walletBalance: signed(),
    /** Used and not posted yet. */
    accruedToday: field.money(),
    availableBalance: signed(),
    balanceState: field.dict(balanceStates),
    /** Days until the wallet is empty at the mean use of a week; null where nothing was used. */
    daysLeft: field.int().nullable(),
    /** Days until the contract ends; negative once it has. */
    contractLeft: field.int(),
    apiKeySetTime: field.time().nullable(),
    liveKeys: field.int(),
    /** Callbacks of 24 hours that arrived, of a hundred; null without one. */
    callbackHealth: field.int().nullable(),
    deadCallbacks: field.int(),
    ordersToday: field.int(),
    /** Loans that are out now. */
    openLoans: field.int(),
    ipAllowList: z.string().max(2_000).meta({ kind: 'longText' }),
    callbackUrl: field.text(300).nullable(),
    callbackEvents: integration.callbackEvents,
    ...cards,
  },
  form,
  create: { merchantNo: field.merchant() },
  flaw,
  filters: {
    merchantName: field.text(64).optional(),
    orgNo: field.organization().optional(),
    settlementMode: z.array(field.dict(walletModes)).optional(),
    environment: z.array(field.dict(environments)).optional(),
    balanceState: field.dict(balanceStates).optional(),
    callbackState: field.dict(callbackStates).optional(),
    contractWithin: field.dict(contractWithin).optional(),
  },
  sort: ['merchantName', 'contractEnd'],
  checked: true,
  used: true,
  exported: { as: 'merchantConfigs', perm: 'merchant:config:export' },
})

const Key = z.object({
  apiKeyId: field.key(),
  environment: field.dict(environments),
  createdBy: field.user(),
  createdTime: field.time(),
  lastUsedTime: field.time().nullable(),
  callsToday: field.int(),
  /** Used so lately that its number is typed by who ends it. */
  usedWithinHour: field.flag(),
  keyEndedTime: field.time().nullable(),
})
export type ApiKey = z.output<typeof Key>

const Callback = z.object({
  callbackNo: field.key(),
  createdTime: field.time(),
  merchantNo: field.merchant(),
  merchantName: field.text(),
  callbackEvent: field.dict(callbackEvents),
  orderNo: field.key(),
  thirdOrderNo: field.key(64),
  delivery: field.dict(deliveries),
  tryCount: field.int(),
  /** The status that the receiver answered; null where it did not. */
  answerCode: field.int().nullable(),
  answerText: field.text(200).nullable(),
  latencyMs: field.int().nullable(),
  lastTryTime: field.time().nullable(),
  deliveredTime: field.time().nullable(),
  payloadHash: field.key(64),
})
export type Callback = z.output<typeof Callback>

const one = { merchantNo: field.merchant() }
const versioned = { ...one, version: z.int() }
const on = (event: string) => ({ machine: merchantConfigs.machine, event, key: 'merchantNo' })
/** Most callbacks that are sent again at once. */
const maxAgain = 200

/** Calls of merchants' configurations: contract, keys, callbacks, cards and the wallet. */
export const merchantConfig = noun('merchant/merchant-config', {
  ...merchantConfigs.calls,
  add: merchantConfigs.calls.add as NonNullable<typeof merchantConfigs.calls.add>,
  usedBy: merchantConfigs.calls.usedBy as NonNullable<typeof merchantConfigs.calls.usedBy>,
  callbacks: list(`${path}/callback/page`, {
    perm,
    row: Callback,
    filters: {
      merchantNo: z.array(field.merchant()).optional(),
      callbackEvent: z.array(field.dict(callbackEvents)).optional(),
      delivery: z.array(field.dict(deliveries)).optional(),
      orderNo: field.key().optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime'],
    defaultSort: '-createdTime',
  }),
  /** Keys, and how far the merchant's systems have come. */
  integration: read(`${path}/integration`, {
    perm,
    input: one,
    output: z.object({
      version: z.int(),
      keys: z.array(Key),
      keyUsedTime: field.time().nullable(),
      callbackAnsweredTime: field.time().nullable(),
      firstOrderTime: field.time().nullable(),
      firstSettledTime: field.time().nullable(),
    }),
  }),
  wallet: read(`${path}/wallet`, {
    perm,
    input: one,
    output: z.object({
      walletBalance: signed(),
      accruedToday: field.money(),
      availableBalance: signed(),
      creditFloor: signed(),
      lowBalance: signed(),
      meanPerDay: field.money(),
      daysLeft: field.int().nullable(),
      /** The day on which the wallet is empty at this use; null where nothing is used. */
      emptyDate: field.date().nullable(),
      balanceDays: z.array(z.object({ date: field.date(), balance: signed() })),
      recentTopUps: z.array(
        z.object({ rechargeNo: field.key(), rechargeAmount: field.money(), bankEntryTime: field.time() }),
      ),
      usedByService: z.array(z.object({ meter: field.dict(meters), quantity: field.int(), amount: field.money() })),
    }),
  }),
  /** Makes a key; the one before it is taken until somebody ends it. The secret is answered this once. */
  credentialCreate: command({
    path: `${path}/credential/create`,
    perm: secretPerm,
    audit: 'merchantConfig.key',
    stepUp: true,
    shownOnce: true,
    input: z.strictObject({ ...versioned, environment: field.dict(environments) }),
    output: z.object({ apiKeyId: field.key(), apiSecret: z.string(), version: z.int() }),
  }),
  credentialEnd: command({
    path: `${path}/credential/end`,
    perm: secretPerm,
    audit: 'merchantConfig.keyEnd',
    /** The number of the key is typed where it was used lately. */
    input: z.strictObject({ ...versioned, apiKeyId: field.key(), typedKeyId: field.key().optional() }),
    output: z.object({ version: z.int() }),
  }),
  /** Where the merchant's systems call from and are called; a second person agrees to another host. */
  callbackSave: command({
    path: `${path}/callback/save`,
    perm: codes.save,
    audit: 'merchantConfig.callback',
    on: on('item.update'),
    input: z.strictObject({ ...versioned, ...integration }),
    output: z.object({ version: z.int(), approvalNo: z.string().nullable() }),
  }),
  /** Sends a signed example to the merchant's address. */
  callbackTest: command({
    path: `${path}/callback/test`,
    perm: codes.save,
    audit: 'merchantConfig.callbackTest',
    input: z.strictObject(one),
    output: z.object({
      callbackUrl: z.string(),
      sentBody: z.string(),
      answerCode: field.int().nullable(),
      answerText: z.string().nullable(),
      latencyMs: field.int(),
    }),
  }),
  resend: command({
    path: `${path}/callback/resend`,
    perm: codes.save,
    audit: 'merchantConfig.resend',
    input: z.strictObject({ callbackNos: z.array(field.key()).min(1).max(maxAgain) }),
    output: results,
  }),
  cardSave: command({
    path: '/cardConfig/save',
    perm: codes.save,
    audit: 'merchantConfig.cards',
    on: on('item.update'),
    input: z.strictObject({ ...versioned, ...cards }),
    output: z.object({ version: z.int() }),
  }),
})

import { z } from 'zod'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { loanKinds } from '../order/levels.ts'

/** What partners are answered; the numbers stay what they are. */
export const acquireResults = dictionary('ACQUIRE_RESULT', [
  '0',
  '101',
  '102',
  '103',
  '104',
  '105',
  '106',
  '107',
  '108',
  '109',
  '110',
  '111',
  '112',
  '199',
])
/** One of the answers. */
export type AcquireResult = (typeof acquireResults)['values'][number]

/** What an application is asked, in this order: the first that it does not pass answers, with 101 and the place of the check. */
export const acquireChecks = dictionary('ACQUIRE_CHECK', [
  'signature',
  'format',
  'duplicate',
  'merchant',
  'hours',
  'cap',
  'share',
  'filter',
  'traffic',
  'blacklist',
  'open_order',
  'product',
])
const checkStates = dictionary('ACQUIRE_CHECK_STATE', ['passed', 'failed', 'not_reached', 'not_asked'])
const intakeResults = dictionary('INTAKE_RESULT', ['accepted', 'refused', 'error'])

/** What may be let in by hand: it was refused for the time, for how many came, or because something broke. */
export const replayable: readonly AcquireResult[] = ['105', '106', '107', '199']
/** Hours in which it may. */
export const replayHours = 24

/** Why an application of the log is not let in by hand. */
export const replayRefusal = (
  { orderNo, intakeCode, intakeTime }: { orderNo: string | null; intakeCode: AcquireResult; intakeTime: string },
  now: Date,
) => {
  if (orderNo !== null) return 'errors.replayTaken'
  if (!replayable.includes(intakeCode)) return 'errors.replayReason'
  if (now.getTime() - Date.parse(intakeTime) >= replayHours * 3_600_000) return 'errors.replayOld'
  return 'errors.noReplay'
}
/** Days at most of the numbers by hour. */
const maxStatDays = 31
/** Most that is let in at once. */
const maxReplay = 200

const between = (min: number, max: number) =>
  field.int().min(min, 'validation.wrongValue').max(max, 'validation.wrongValue')
const most = 1_000_000

const area = 'merchant:orderAcquire'
const path = '/merchant/orderAcquire'
const perm = `${area}:page`

const form = {
  acquireName: field.text(64),
  productNos: z.array(field.product()).min(1, 'validation.infoComplete').max(50),
  /** None: first loans and later ones. */
  loanKind: field.dict(loanKinds).optional(),
  acceptFrom: field.clock(),
  acceptTo: field.clock(),
  /** 0 takes none. */
  dailyCap: between(0, most),
  hourCap: between(0, most).optional(),
  /** First loans among the last hundred that were taken, at most. */
  firstShare: between(0, 100),
  /** Days in which the merchant takes a person once. */
  dedupeDays: between(0, 90),
}

const flaw = ({ acceptFrom, acceptTo }: Readonly<Record<string, unknown>>): Flaw | null =>
  typeof acceptFrom === 'string' && typeof acceptTo === 'string' && acceptFrom >= acceptTo
    ? { path: 'acceptTo', message: 'validation.acceptEnds' }
    : null

/** How many and which orders a merchant takes from a channel. */
export const acquireRules = config({
  name: 'orderAcquire',
  path,
  area,
  table: 'acquire_rule',
  key: 'acquireNo',
  row: {
    ...form,
    loanKind: field.dict(loanKinds).nullable(),
    hourCap: field.int().nullable(),
    merchantNo: field.merchant(),
    merchantName: field.text(),
    incomingChannel: field.openDict('INCOMING_CHANNEL'),
    productNames: field.text(500),
    /** The cap of today: the usual one, or another until midnight. */
    capToday: field.int(),
    todayOnly: field.flag(),
    todayAccepted: field.int(),
    todayRefused: field.int(),
    hourAccepted: field.int(),
    /** Of a hundred that came today; null where none did. */
    todayShare: field.int().nullable(),
    /** What most were refused with today. */
    topCode: field.dict(acquireResults).nullable(),
    /** What an accepted order costs the merchant now; null without a price. */
    price: z.string().meta({ kind: 'rate' }).nullable(),
  },
  form,
  create: { merchantNo: field.merchant(), incomingChannel: field.openDict('INCOMING_CHANNEL') },
  flaw,
  filters: {
    merchantNo: z.array(field.merchant()).optional(),
    incomingChannel: z.array(field.openDict('INCOMING_CHANNEL')).optional(),
    loanKind: z.array(field.dict(loanKinds)).optional(),
    productNo: field.product().optional(),
  },
  sort: ['acquireName', 'dailyCap'],
  bulk: true,
})

const Intake = z.object({
  intakeNo: field.key(),
  intakeTime: field.time(),
  merchantNo: field.merchant(),
  merchantName: field.text(),
  acquireNo: field.key().nullable(),
  acquireName: field.text(64).nullable(),
  incomingChannel: field.openDict('INCOMING_CHANNEL').nullable(),
  /** Null where the sender did not prove who they are, or sent what nobody can read. */
  thirdOrderNo: field.key(64).nullable(),
  orderNo: field.key().nullable(),
  intakeResult: field.dict(intakeResults),
  /** The number that the partner was answered. */
  partnerCode: field.int(),
  intakeCode: field.dict(acquireResults),
  latencyMs: field.int(),
  customerNo: field.key().nullable(),
  customerName: field.customerName().nullable(),
  loanKind: field.dict(loanKinds).nullable(),
  /** How often the same application came. */
  tryCount: field.int(),
  /** Noted as consumption: an order that was taken is, a refused one is not. */
  charged: field.flag(),
  /** Whether people may let it in by hand now. */
  mayReplay: field.flag(),
})
export type IntakeRow = z.output<typeof Intake>

const Step = z.object({
  check: field.dict(acquireChecks),
  checkState: field.dict(checkStates),
  /** What the partner reads; null where it passed. */
  answer: z.string().nullable(),
})
export type Step = z.output<typeof Step>

const Counted = z.object({ intakeCode: field.dict(acquireResults), count: field.int() })
const Hour = z.object({ hour: field.int(), takenCount: field.int(), notTakenCount: field.int() })

/** Calls of order intake: the rules of merchants, and what came of each application. */
export const orderAcquire = noun('merchant/order-acquire', {
  /** Another cap until midnight; without one the usual cap is back. */
  today: command({
    path: `${path}/today`,
    perm: `${area}:save`,
    audit: 'orderAcquire.today',
    on: { machine: acquireRules.machine, event: 'item.update', key: 'acquireNo' },
    input: z.strictObject({ acquireNo: field.key(), version: z.int(), todayCap: between(0, most).optional() }),
    output: z.object({ version: z.int() }),
  }),
  ...acquireRules.calls,
  log: list(`${path}/log/page`, {
    perm,
    row: Intake,
    filters: {
      thirdOrderNo: field.key(64).optional(),
      orderNo: field.key().optional(),
      merchantNo: z.array(field.merchant()).optional(),
      acquireNo: field.key().optional(),
      incomingChannel: z.array(field.openDict('INCOMING_CHANNEL')).optional(),
      intakeResult: z.array(field.dict(intakeResults)).optional(),
      intakeCode: z.array(field.dict(acquireResults)).optional(),
      intakeTime: field.dateRange().optional(),
    },
    sort: ['intakeTime', 'latencyMs'],
    defaultSort: '-intakeTime',
    exported: { as: 'intakes', perm: `${area}:export` },
  }),
  /** Each check with its answer, and what was sent, without the person's own data. */
  logDetail: read(`${path}/log/detail`, {
    perm,
    input: { intakeNo: field.key() },
    output: z.object({
      checkSteps: z.array(Step),
      /** Masked; null where it is not kept, or no longer. */
      payload: z.string().nullable(),
      payloadHash: field.key(64),
    }),
  }),
  /** What came by the hour, and what it was refused with. */
  stat: endpoint({
    method: 'POST',
    path: `${path}/stat`,
    perm,
    input: z
      .strictObject({
        from: field.date(),
        to: field.date(),
        merchantNo: z.array(field.merchant()).max(1_000).optional(),
        acquireNo: field.key().optional(),
      })
      .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < maxStatDays * 86_400_000, {
        path: ['to'],
        message: 'validation.wrongValue',
      }),
    output: z.object({
      takenCount: field.int(),
      notTakenCount: field.int(),
      /** Of the last five minutes. */
      perMinute: z.string().meta({ kind: 'rate' }),
      hourCounts: z.array(Hour),
      codeCounts: z.array(Counted),
    }),
  }),
  /** Lets applications in that were refused for the time or for how many came. */
  replay: command({
    path: `${path}/replay`,
    perm: `${area}:replay`,
    audit: 'orderAcquire.replay',
    input: z.strictObject({ intakeNos: z.array(field.key()).min(1).max(maxReplay) }),
    output: results,
  }),
  /** Asks every check about an application that somebody pastes; nothing is made of it. */
  sample: endpoint({
    method: 'POST',
    path: `${path}/sample`,
    perm,
    input: z.strictObject({ merchantNo: field.merchant(), payload: field.json(200_000) }),
    output: z.object({ checkSteps: z.array(Step) }),
  }),
})

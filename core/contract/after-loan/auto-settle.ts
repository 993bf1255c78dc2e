import { z } from 'zod'
import { config } from '../config.ts'
import { command, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { placeFlaw, placeRow, rulePlace } from './rule-place.ts'

/** What a run did to an order: settled it, paid what was due from held money, or left it. */
const outcomes = dictionary('AUTO_SETTLE_OUTCOME', ['settled', 'paid', 'skipped'])
/** Why a run left an order alone. */
export const settleSkips = dictionary('AUTO_SETTLE_SKIP', ['reversing', 'approval', 'limit', 'overflow'])

const days = () =>
  z.int().min(0, 'validation.settleDays').max(30, 'validation.settleDays').meta({ kind: 'int' }) as z.ZodInt

const form = {
  /** Most that an order may owe to be settled without money. */
  residueLimit: field.money(),
  /** Days without a payment before that. */
  daysSincePayment: days(),
  /** Whether money held for the customer pays first what is due. */
  useOverflow: field.flag(),
}

const change = 'repay:autoSettle:save'

/** Which small residues are forgiven by themselves, and whether held money pays what is due. */
export const autoSettles = config({
  name: 'autoSettle',
  path: '/payManage/autoSettle',
  area: 'repay:autoSettle',
  codes: { page: 'repay:order:page', save: change, enable: change, delete: change },
  table: 'auto_settle_config',
  key: 'configNo',
  row: {
    ...placeRow,
    ...form,
    /** Of the last business date on which it did something. */
    lastRun: field.date().nullable(),
    lastOrders: field.int(),
    lastWaived: field.money(),
  },
  form,
  create: rulePlace,
  flaw: placeFlaw,
  filters: { merchantNo: z.array(field.merchant()).optional() },
  sort: ['residueLimit'],
  checked: true,
  money: 'forgives',
})

const perm = autoSettles.codes.page

const ResultRow = z.object({
  resultNo: field.key(60),
  orderNo: field.key(),
  businessDate: field.date(),
  configNo: field.key(),
  settleOutcome: field.dict(outcomes),
  owedBefore: field.money(),
  fromOverflow: field.money(),
  waived: field.money(),
  owedAfter: field.money(),
  repaymentNo: field.key().nullable(),
  skipReason: field.dict(settleSkips).nullable(),
})

/** Calls of automatic settlement: those of the config, what it would do, what it did, and a run by hand. */
export const autoSettle = noun('after-loan/auto-settle', {
  ...autoSettles.calls,
  /** Orders that owe no more than a limit, and what would be forgiven. */
  preview: read('/payManage/autoSettle/preview', {
    perm,
    input: { ...rulePlace, residueLimit: field.money() },
    output: z.object({ orders: field.int(), waived: field.money() }),
  }),
  results: list('/payManage/autoSettle/result/page', {
    perm,
    row: ResultRow,
    filters: {
      configNo: field.key().optional(),
      orderNo: field.key().optional(),
      businessDate: field.date().optional(),
      settleOutcome: z.array(field.dict(outcomes)).optional(),
    },
    sort: ['owedBefore'],
    defaultSort: '-owedBefore',
  }),
  /** Does today's run now. */
  run: command({
    path: '/payManage/autoSettle/run',
    perm: 'ops:job:run',
    audit: 'autoSettle.run',
    money: 'forgives',
    input: z.strictObject({}),
    output: z.object({ settled: field.int(), paid: field.int(), skipped: field.int() }),
  }),
})

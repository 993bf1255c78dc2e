import { z } from 'zod'
import { gt } from '../../rules/money.ts'
import { moneyFormat } from '../../rules/text/formats.ts'
import { config } from '../config.ts'
import { noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'
import { placeFlaw, placeRow, rulePlace } from './rule-place.ts'

type Values = Readonly<Record<string, unknown>>

const form = {
  /** Most that may be forgiven so that an order is settled. */
  shortfallLimit: field.money(),
  /** How much of that may be principal. */
  principalLimit: field.money(),
  /** Most that may be left over when a receipt is written off by itself; none for any. */
  overflowLimit: field.money().optional(),
  /** Whether a receipt that settles nothing is taken as a partial repayment by itself. */
  autoPartial: field.flag(),
  /** Whether a receipt of exactly the quoted price of an extension is taken as one by itself. */
  autoExtension: field.flag(),
}
const isMoney = (value: unknown): value is string => typeof value === 'string' && moneyFormat.test(value)

const flaw = (values: Values) => {
  const { shortfallLimit, principalLimit } = values
  if (isMoney(shortfallLimit) && isMoney(principalLimit) && gt(principalLimit, shortfallLimit))
    return { path: 'principalLimit', message: 'validation.principalWithin' }
  return placeFlaw(values)
}

const change = 'autoWriteOff:amount:update'

/** How far a receipt may miss the amount due and still be written off, by the system or by a small settlement. */
export const autoWriteOffs = config({
  name: 'autoWriteOff',
  path: '/rePayManage/autoWriteOff',
  area: 'autoWriteOff:amount',
  codes: { page: 'repay:order:page', save: change, enable: change, delete: change },
  table: 'auto_write_off_config',
  key: 'configNo',
  row: {
    ...placeRow,
    ...form,
    overflowLimit: field.money().nullable(),
    /** Orders settled with something forgiven by this rule in the last 30 days, and how much. */
    usedLately: field.int(),
    waivedLately: field.money(),
  },
  form,
  create: rulePlace,
  flaw,
  filters: { merchantNo: z.array(field.merchant()).optional() },
  sort: ['shortfallLimit'],
  checked: true,
  money: 'forgives',
})

/** Calls of write-off limits: those of the config, and what limits would do. */
export const autoWriteOff = noun('after-loan/auto-write-off', {
  ...autoWriteOffs.calls,
  /** Open orders that limits would let be settled now, and what would be forgiven. */
  simulate: read('/rePayManage/autoWriteOff/simulate', {
    perm: autoWriteOffs.codes.page,
    input: { ...rulePlace, shortfallLimit: field.money(), principalLimit: field.money() },
    output: z.object({ orders: field.int(), waived: field.money(), principal: field.money() }),
  }),
})

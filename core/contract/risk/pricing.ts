import { z } from 'zod'
import { cellsFlaw, type PriceCell, pricedLevels } from '../../rules/risk-price.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { endpoint, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { loanKinds } from '../order/levels.ts'
import { capKeys } from './cap-key.ts'

/** What the law says of a price. */
export const verdicts = dictionary('CAP_VERDICT', ['ok', 'warn', 'over'])
/** Levels that are lent to. */
const levels = dictionary('MODEL_LEVEL', pricedLevels)

const cell = {
  modelLevel: field.dict(levels),
  amountMin: field.money(),
  amountMax: field.money(),
  initialLimit: field.money(),
  stepUpAmount: field.money(),
  stepUpAfterSettled: field.int().min(1, 'validation.wrongValue').max(50, 'validation.wrongValue'),
  maxLimit: field.money(),
  interestRateDay: field.rate(),
  serviceFeeValue: field.rate(),
  managementFeeValue: field.rate(),
}
/** Cells as they might be typed. */
const example = pricedLevels.map((modelLevel, at) => ({
  modelLevel,
  amountMin: '50000.00',
  amountMax: `${500_000 - at * 100_000}.00`,
  initialLimit: `${300_000 - at * 50_000}.00`,
  stepUpAmount: '50000.00',
  stepUpAfterSettled: 1 + (at % 2),
  maxLimit: '600000.00',
  interestRateDay: `0.07${at}`,
  serviceFeeValue: '5',
  managementFeeValue: '2000.00',
}))
const cells = () => field.rows(cell, pricedLevels.length, example)

const form = {
  cells: cells(),
  /** Where the regulator learnt of a higher price. */
  regulatorRef: field.text(100).optional(),
  /** The legal opinion by which a price above a cap that only warns is asked for. */
  legalOpinionRef: field.text(100).optional(),
}

const flaw = ({ cells }: Readonly<Record<string, unknown>>): Flaw | null => {
  // Cells that are wrong by themselves are said to be so.
  const typed = form.cells.safeParse(cells)
  const message = typed.success ? cellsFlaw(typed.data as PriceCell[]) : null
  return message === null ? null : { path: 'cells', message }
}

const figures = {
  interestMonthRate: field.rate(),
  interestYearRate: field.rate(),
  allInMonthRate: field.rate(),
  lateMaxRate: field.rate(),
  verdict: field.dict(verdicts),
}

/** Amounts, limits and prices by risk level: for the first or the later loans of a product. */
export const pricings = config({
  name: 'pricing',
  path: '/price',
  area: 'risk:pricing',
  table: 'risk_pricing',
  key: 'pricingNo',
  row: {
    productNo: field.product(),
    productName: field.text(),
    merchantNo: field.merchant(),
    merchantName: field.text(),
    loanKind: field.dict(loanKinds),
    levelCount: field.int().nullable(),
    interestMonthRate: field.rate().nullable(),
    allInMonthRate: field.rate().nullable(),
    verdict: field.dict(verdicts).nullable(),
    /** Orders of the last 30 days that the grid is for. */
    orders30: field.int(),
  },
  form: {},
  create: { productNo: field.product(), loanKind: field.dict(loanKinds) },
  versions: {
    form,
    flaw,
    effect: {
      interestMonthRate: field.rate(),
      allInMonthRate: field.rate(),
      /** The highest lawful interest of a month; null where no cap is in force. */
      capMonth: field.rate().nullable(),
      openOrders: field.int(),
    },
  },
  filters: {
    merchantNo: z.array(field.merchant()).optional(),
    productNo: z.array(field.product()).optional(),
    loanKind: z.array(field.dict(loanKinds)).optional(),
  },
  sort: ['productNo', 'effectiveTime'],
  exported: { as: 'pricings', perm: 'risk:pricing:export' },
})

const perm = 'risk:pricing:page'

const Checked = z.object({
  modelLevel: field.dict(levels),
  ...figures,
  caps: z.array(
    z.object({
      capKey: field.dict(capKeys),
      figure: field.rate(),
      capValue: field.rate(),
      verdict: field.dict(verdicts),
    }),
  ),
  /** Why the product does not allow the cell: a key of words. */
  problem: z.string().nullable(),
  /** A customer who borrows the most of the level: what arrives, what is paid back on time, and 15 days late. */
  borrowed: field.money(),
  arrives: field.money(),
  repaid: field.money(),
  repaidLate: field.money(),
})
export type CheckedCell = z.output<typeof Checked>

const Sum = z.object({
  orders: field.int(),
  lent: field.money(),
  interest: field.money(),
  serviceFee: field.money(),
  managementFee: field.money(),
  tooSmall: field.int(),
})

const Watched = z.object({
  pricingNo: field.key(),
  productName: field.text(),
  loanKind: field.dict(loanKinds),
  modelLevel: field.dict(levels),
  capKey: field.dict(capKeys),
  figure: field.rate(),
  capValue: field.rate(),
  verdict: field.dict(verdicts),
  /** From when on the cap says so. */
  capFrom: field.date(),
})
export type Watched = z.output<typeof Watched>

/** Calls of price grids. */
export const pricing = noun('risk/pricing', {
  ...pricings.calls,
  /** What cells cost customers and what the law says of them, as they are typed. */
  check: endpoint({
    method: 'POST',
    path: '/price/check',
    perm,
    input: z.strictObject({ productNo: field.product(), cells: cells() }),
    output: z.object({
      list: z.array(Checked),
      /** Levels that are dearer than the next lower one. */
      dearerThanNext: z.array(field.dict(levels)),
    }),
  }),
  /** What the last decisions would have lent and earned at other prices. */
  simulate: endpoint({
    method: 'POST',
    path: '/price/simulate',
    perm,
    input: z
      .strictObject({ pricingNo: field.key(), cells: cells(), from: field.date(), to: field.date() })
      .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < 92 * 86_400_000, {
        path: ['to'],
        message: 'validation.wrongValue',
      }),
    output: z.object({ before: Sum, after: Sum }),
  }),
  /** Prices that a cap in force, or one that starts, is broken by. */
  capWatch: endpoint({
    method: 'GET',
    path: '/price/capWatch',
    perm,
    input: z.strictObject({}),
    output: z.object({ list: z.array(Watched) }),
  }),
})

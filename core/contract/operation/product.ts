import { z } from 'zod'
import { contentFlaw, type ProductContent, type Track } from '../../rules/product/product-terms.ts'
import { components } from '../after-loan/component.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, noun, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { capKeys } from '../risk/cap-key.ts'
import { verdicts } from '../risk/pricing.ts'

const methods = dictionary('INTEREST_METHOD', ['flat', 'declining'])
const bases = dictionary('CHARGE_MODE', ['rate', 'amount'])
const timings = dictionary('FEE_TIMING', ['upfront', 'spread'])
const earlyRules = dictionary('EARLY_SETTLE_RULE', ['full', 'proRata'])
const policies = dictionary('AUDIT_POLICY', ['manual', 'auto'])

const between = (min: number, max: number) =>
  field.int().min(min, 'validation.wrongValue').max(max, 'validation.wrongValue')
/** A field with a value as it might be typed: the terms of samples agree with one another. */
const like = <S extends z.ZodType>(schema: S, example: z.input<S>): S => schema.meta({ ...schema.meta(), example }) as S
const paidFirst = ['lateFee', 'liquidatedDamages', 'serviceFee', 'managementFee', 'interest', 'principal'] as const

/** The terms of a product, field by field; `own` are those of its track. */
const formOf = <S extends z.ZodRawShape>(own: S) => ({
  term: like(between(1, 365), 60),
  ...own,
  minAmount: like(field.money(), '50000.00'),
  maxAmount: like(field.money(), '500000.00'),
  amountStep: like(field.money(), '10000.00'),
  interestMethod: like(field.dict(methods), 'flat'),
  interestRateDay: like(field.rate(), '0.07'),
  serviceFeeMode: like(field.dict(bases), 'rate'),
  serviceFeeValue: like(field.rate(), '8'),
  serviceFeeTiming: like(field.dict(timings), 'upfront'),
  managementFeeMode: like(field.dict(bases), 'rate'),
  managementFeeValue: like(field.rate(), '2'),
  managementFeeTiming: like(field.dict(timings), 'upfront'),
  lateFeeValue: like(field.rate(), '1'),
  lateFeeCapRate: like(field.rate(), '30'),
  graceDays: like(between(0, 30), 0),
  damagesMode: like(field.dict(bases), 'rate'),
  damagesValue: like(field.rate(), '5'),
  damagesAfterDays: like(between(1, 365), 10),
  extensionFeeRate: like(field.rate(), '10'),
  extensionDays: like(between(0, 365), 7),
  extensionMax: like(between(0, 12), 2),
  extensionMaxOverdueDays: between(0, 365).optional(),
  allocationOrder: field.rows(
    { component: field.dict(components) },
    components.values.length,
    paidFirst.map(component => ({ component })),
  ),
  earlySettleRule: like(field.dict(earlyRules), 'full'),
  auditPolicy: like(field.dict(policies), 'manual'),
  auditSteps: like(between(1, 2), 1),
  /** Reviewed by machine alone up to this amount. */
  autoApproveMax: like(field.money(), '100000.00').optional(),
  /** Where the regulator learnt of a higher price. */
  regulatorRef: field.text(100).optional(),
})
const forms = { case: formOf({}), stage: formOf({ installmentCount: like(between(2, 24), 4) }) }

/** Fields that are wrong by themselves are said to be so first. */
const flawOf =
  (track: Track) =>
  (values: Readonly<Record<string, unknown>>): Flaw | null => {
    const typed = z.object(forms[track] as z.ZodRawShape).safeParse(values)
    return typed.success ? contentFlaw(track, typed.data as ProductContent) : null
  }

const shared = {
  table: 'product',
  key: 'productNo' as const,
  row: {
    productName: field.text(),
    merchantNo: field.merchant(),
    merchantName: field.text(),
    /** The dearest figures of the version in force over the amounts that it lends. */
    interestMonthRate: field.rate().nullable(),
    allInMonthRate: field.rate().nullable(),
    verdict: field.dict(verdicts).nullable(),
    /** Orders that are neither settled, cancelled nor refused. */
    openOrderCount: field.int(),
  },
  form: { productName: field.text() },
  create: { merchantNo: field.merchant() },
  filters: {
    productName: field.text().optional(),
    merchantNo: z.array(field.merchant()).optional(),
  },
  sort: ['productName', 'effectiveTime', 'openOrderCount'] as const,
  checked: 'state' as const,
  used: true as const,
}

/** What the second person reads of a change. */
const effect = {
  interestBefore: field.text(),
  interestAfter: field.text(),
  feeBefore: field.text(),
  feeAfter: field.text(),
  /** A customer who borrows the most: what arrives, and what is paid back on time. */
  borrowed: field.text(),
  term: field.int(),
  arrives: field.text(),
  repaid: field.text(),
  allInMonthRate: field.rate(),
  openOrders: field.int(),
}

/** Products of one bill: an order that is overdue is one case. */
export const caseProducts = config({
  name: 'product',
  path: '/productRate',
  area: 'operation:product',
  part: { name: 'product', column: 'track', value: 'case' },
  ...shared,
  versions: { form: forms.case, flaw: flawOf('case'), effect },
  exported: { as: 'products', perm: 'operation:product:export' },
})

/** Products of several bills: each bill that is overdue is a case of its own. */
export const stageProducts = config({
  name: 'productNew',
  path: '/productRate/stage',
  area: 'operation:productNew',
  part: { name: 'stage_product', column: 'track', value: 'stage' },
  ...shared,
  versions: { form: forms.stage, flaw: flawOf('stage'), effect },
  exported: { as: 'stageProducts', perm: 'operation:productNew:export' },
})

const Bill = z.object({
  installmentNo: field.int(),
  dueDate: field.date(),
  principal: field.money(),
  interest: field.money(),
  serviceFee: field.money(),
  managementFee: field.money(),
  billAmount: field.money(),
})

const Priced = z.object({
  loanAmount: field.money(),
  /** What arrives, and the sum of all bills paid on time. */
  actualLoanAmount: field.money(),
  repayTotal: field.money(),
  bills: z.array(Bill),
  interestMonthRate: field.rate(),
  interestYearRate: field.rate(),
  allInMonthRate: field.rate(),
  lateMaxRate: field.rate(),
  verdict: field.dict(verdicts),
  caps: z.array(
    z.object({
      capKey: field.dict(capKeys),
      figure: field.rate(),
      capValue: field.rate(),
      verdict: field.dict(verdicts),
    }),
  ),
  /** The summary that the customer reads, in each language. */
  costSummary: z.object({ zh: z.string(), en: z.string(), sw: z.string() }),
})
/** A loan at the terms of a version: its plan, its cost, and what the law says of it. */
export type PricedLoan = z.output<typeof Priced>

/** Most merchants that a product is copied to at once. */
const maxCopies = 50

/** The calls of a track besides those of its config. */
const callsOf = <S extends z.ZodRawShape>(
  track: Track,
  { path, area, name, form }: { path: `/${string}`; area: string; name: string; form: S },
) => ({
  preview: endpoint({
    method: 'POST',
    path: `${path}/preview`,
    perm: `${area}:page`,
    input: z
      .strictObject({ draft: z.strictObject(form), amount: like(field.money(), '100000.00') })
      .superRefine(({ draft }, { addIssue }) => {
        const found = contentFlaw(track, draft as unknown as ProductContent)
        if (found) addIssue({ code: 'custom', path: ['draft', found.path], message: found.message })
      }),
    output: Priced,
  }),
  copy: command({
    path: `${path}/copy`,
    perm: `${area}:save`,
    audit: `${name}.copy`,
    input: z.strictObject({
      productNo: field.key(),
      productName: field.text(),
      merchantNos: z.array(field.merchant()).min(1).max(maxCopies),
    }),
    output: results,
  }),
})

/** Calls of single-bill products. */
export const product = noun('operation/product', {
  ...caseProducts.calls,
  ...callsOf('case', { ...caseProducts, form: forms.case }),
})

/** Calls of installment products. */
export const productNew = noun('operation/product', {
  ...stageProducts.calls,
  ...callsOf('stage', { ...stageProducts, form: forms.stage }),
})

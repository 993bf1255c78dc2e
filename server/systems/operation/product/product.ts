import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { caseProducts, stageProducts } from '../../../../core/contract/operation/product.ts'
import type { LegalCap } from '../../../../core/rules/legal-cap.ts'
import { quote } from '../../../../core/rules/loan/price.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import { formatMoney } from '../../../../core/rules/money.ts'
import {
  isRaised,
  type LoanCost,
  loanCost,
  type ProductContent,
  type Track,
  termsOf,
} from '../../../../core/rules/product/product-terms.ts'
import { outsideProduct } from '../../../../core/rules/risk-price.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { VersionHooks } from '../../../configs/version-store.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import type { Module } from '../../../module.ts'
import { legalCaps } from '../../after-loan/payout/index.ts'
import { planProduct } from '../../risk/plan/index.ts'
import { gridsInForce } from '../../risk/pricing/index.ts'
import { merchantSeen, productCalls } from './product-calls.ts'

type Values = Record<string, unknown>
type Of = { item: Values; content: Values }
const endedStatus = ['settled', 'cancelled', 'machine_refused', 'approval_rejected']

/** Orders of a product that are neither settled, cancelled nor refused; `product` is its number. */
const openOrders = (product: ReturnType<typeof sql>) => sql`(
  select count(*)::int from loan_order o where o.product_no = ${product} and o.order_status <> all(${endedStatus}))`

const costOf = (terms: Terms, caps: readonly LegalCap[], today: string): LoanCost =>
  loanCost(terms, [terms.minAmount, terms.maxAmount], caps, today)

/** The cost, unless fees leave nothing to pay out. */
const costOrFault = (terms: Terms, caps: readonly LegalCap[], today: string): LoanCost | Fault => {
  try {
    return costOf(terms, caps, today)
  } catch (error) {
    if (error instanceof RangeError) return new Fault('validation', 'errors.nothingPaidOut')
    throw error
  }
}

/** Prices by level that the product's new terms would no longer allow. */
const gridOutside = async (tx: Tx, productNo: unknown, terms: Terms): Promise<Fault | null> => {
  for (const { pricingNo, cells } of await gridsInForce(tx, sql`x.product_no = ${productNo}`)) {
    const outside = cells.find(cell => outsideProduct(terms, cell))
    if (outside) return new Fault('validation', 'errors.gridOutsideProduct', { pricingNo, level: outside.modelLevel })
  }
  return null
}

/** Why terms may not be in force: over a cap of the law, a rise that the regulator has not heard of, or prices by level beyond them. */
const holdsOf =
  (track: Track): NonNullable<VersionHooks['holds']> =>
  async (tx, { item, content }) => {
    const typed = content as ProductContent
    const terms = termsOf(track, typed)
    const cost = costOrFault(terms, await legalCaps(tx), tx.today)
    if (cost instanceof Fault) return cost
    const broken = cost.caps.find(one => one.verdict === 'over')
    if (broken)
      return new Fault('validation', 'errors.overLegalCapFrom', {
        cap: `dict.CAP_KEY.${broken.cap.capKey}`,
        figure: Number(broken.figure),
        max: Number(broken.cap.capValue),
        from: broken.cap.effectiveFrom,
      })
    const inForce = await tx.maybe(sql<{ content: ProductContent }>`
      select content from product_version where product_no = ${item.productNo} and version_status = 'effective'`)
    if (inForce && isRaised(typed, inForce.content) && !content.regulatorRef)
      return new Fault('validation', 'errors.regulatorRefNeeded')
    return gridOutside(tx, item.productNo, terms)
  }

const feeOf = (content: Values): string =>
  content.serviceFeeMode === 'rate' ? `${content.serviceFeeValue}%` : `UGX ${formatMoney(`${content.serviceFeeValue}`)}`

/** Before and after, and a customer who borrows the most. */
const effectOf =
  (track: Track): VersionHooks['effect'] =>
  async (tx, { item, content, inForce }) => {
    const terms = termsOf(track, content as ProductContent)
    const cost = costOrFault(terms, [], tx.today)
    if (cost instanceof Fault) throw cost
    const { loanAmount, actualLoanAmount, repayTotal } = quote(terms, { loanAmount: terms.maxAmount })
    const { n } = await tx.one(sql<{ n: number }>`select ${openOrders(sql`${item.productNo}`)} as n`)
    const { allInMonthRate } = loanCost(terms, [terms.maxAmount], [], tx.today)
    return {
      interestBefore: inForce ? String(inForce.interestRateDay) : '–',
      interestAfter: terms.interest.ratePerDay,
      feeBefore: inForce ? feeOf(inForce) : '–',
      feeAfter: feeOf(content),
      borrowed: formatMoney(loanAmount),
      term: terms.termDays,
      arrives: formatMoney(actualLoanAmount),
      repaid: formatMoney(repayTotal),
      allInMonthRate,
      openOrders: n,
    }
  }

/** What the rules say of the version in force of each row. */
const fillOf = (track: Track) => async (tx: Tx, rows: Values[]) => {
  const caps = await legalCaps(tx)
  const none = { interestMonthRate: null, allInMonthRate: null, verdict: null }
  return rows.map(row => {
    if (!row.versionNo) return { ...row, ...none }
    const cost = costOrFault(termsOf(track, row as unknown as ProductContent), caps, tx.today)
    if (cost instanceof Fault) return { ...row, ...none }
    const { interestMonthRate, allInMonthRate, verdict } = cost
    return { ...row, interestMonthRate, allInMonthRate, verdict }
  })
}

/** What names a product: orders, prices by level, due-date rules. */
const usesOf = (tx: Tx, keys: readonly string[]) =>
  tx.rows(sql<{ key: string; kind: string; no: string; name: string }>`
    select product_no as key, 'pricing' as kind, pricing_no as no, loan_kind as name from risk_pricing where product_no = any(${keys as string[]}) and deleted_time is null
    union all
    select product_no, 'maturity', maturity_no, '' from maturity_config where product_no = any(${keys as string[]}) and deleted_time is null
    union all
    select p.product_no, 'order', o.order_no, o.order_status from unnest(${keys as string[]}::text[]) p (product_no),
      lateral (select order_no, order_status from loan_order where product_no = p.product_no order by apply_time desc limit 20) o`)

const moduleOf = (track: Track): Module => {
  const config = track === 'case' ? caseProducts : stageProducts
  const calls = track === 'case' ? contract.product : contract.productNew
  const fields = Object.keys(config.versions?.form ?? {})
  const served = serveConfig(config as never, {
    prefix: 'PD',
    unique: 'productName',
    check: async ({ tx, session }, form, before) => {
      if (before) return
      const merchant = await tx.maybe(sql`
        select 1 from merchant m where m.merchant_no = ${form.merchantNo} and m.deleted_time is null and ${merchantSeen(session, 'm.merchant_no', config.codes.save)}`)
      if (!merchant) throw invalid('merchantNo', 'validation.wrongValue')
    },
    switches: async (tx, item, to) => {
      if (to === 'disabled') return
      const inForce = await tx.maybe(sql`
        select 1 from product_version where product_no = ${item.productNo} and version_status = 'effective'`)
      if (!inForce) throw new Fault('stateConflict', 'errors.productNoVersion')
    },
    uses: usesOf,
    late: {
      columns: ['interestMonthRate', 'allInMonthRate', 'verdict'],
      needs: ['versionNo', ...fields],
      only: sql`true`,
      fill: fillOf(track),
    },
    source: ({ session }) => ({
      where: merchantSeen(session, 'x.merchant_no', config.codes.page),
      joins: { m: sql`join merchant m on m.merchant_no = x.merchant_no` },
      columns: { merchantName: sql`m.merchant_name`, openOrderCount: openOrders(sql`x.product_no`) },
    }),
    versions: {
      prefix: 'PDV',
      holds: holdsOf(track),
      effect: effectOf(track),
      started: async (tx, { item, content }: Of) => {
        const terms = termsOf(track, content as ProductContent)
        await tx.exec(sql`update product set terms = ${json(terms)} where product_no = ${item.productNo}`)
        await planProduct(tx, String(item.productNo))
      },
    },
  })
  return { ...served, served: [...served.served, ...productCalls(track, config as never, calls, served.add)] }
}

/** Single-bill products and installment products: what is lent, and at which price from when. */
export const productModules = (): Module[] => [moduleOf('case'), moduleOf('stage')]

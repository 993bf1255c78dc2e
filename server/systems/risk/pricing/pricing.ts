import { sql } from 'kysely'
import { pricings } from '../../../../core/contract/risk/pricing.ts'
import type { LegalCap } from '../../../../core/rules/legal-cap.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import { Decimal } from '../../../../core/rules/money.ts'
import { type CellCost, cellCost, isDearer, outsideProduct, type PriceCell } from '../../../../core/rules/risk-price.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import type { Module } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import type { WarningRule } from '../../../warnings/rule.ts'
import { legalCaps } from '../../after-loan/payout/index.ts'
import { gridsInForce } from './grids.ts'
import { priceReads } from './price-reads.ts'

type Values = Record<string, unknown>
const perm = pricings.codes.page

/** Products whose prices a person sees; `p` is the product. */
export const productSeen = (session: Session) =>
  scope(session, { merchant: 'p.merchant_no', holder: () => sql`true`, perm })

const productOf = (tx: Tx, productNo: unknown) =>
  tx.one(sql<{ terms: Terms }>`select terms from product where product_no = ${productNo}`)

const highest = (costs: readonly CellCost[], name: 'interestMonthRate' | 'allInMonthRate') =>
  costs.map(cost => cost[name]).reduce((a, b) => (new Decimal(a).gte(b) ? a : b), '0')

const worstOf = (costs: readonly CellCost[]) =>
  costs.some(one => one.verdict === 'over') ? 'over' : costs.some(one => one.verdict === 'warn') ? 'warn' : 'ok'

const overCap = (cell: PriceCell, { caps }: CellCost): Fault | null => {
  const broken = caps.find(one => one.verdict === 'over')
  return broken
    ? new Fault('validation', 'errors.overLegalCapLevel', {
        level: cell.modelLevel,
        cap: `dict.CAP_KEY.${broken.cap.capKey}`,
        figure: Number(broken.figure),
        max: Number(broken.cap.capValue),
      })
    : null
}

/** Why a grid may not be in force: outside of its product, above the law, or without what a dearer or a doubtful price needs. */
const holds = async (
  tx: Tx,
  { item, content }: { item: Values; content: Values },
  caps: readonly LegalCap[],
): Promise<Fault | null> => {
  const cells = content.cells as PriceCell[]
  const { terms } = await productOf(tx, item.productNo)
  let isDoubtful = false
  for (const cell of cells) {
    const problem = outsideProduct(terms, cell)
    if (problem) return new Fault('validation', problem, { level: cell.modelLevel })
    const cost = cellCost(terms, cell, caps, tx.today)
    const over = overCap(cell, cost)
    if (over) return over
    isDoubtful ||= cost.verdict === 'warn'
  }
  if (isDoubtful && !content.legalOpinionRef) return new Fault('validation', 'errors.legalOpinionNeeded')
  const inForce = await tx.maybe(sql<{ cells: PriceCell[] }>`
    select content -> 'cells' as cells from risk_pricing_version where pricing_no = ${item.pricingNo} and version_status = 'effective'`)
  const isRaised = cells.some(cell => {
    const before = inForce?.cells.find(one => one.modelLevel === cell.modelLevel)
    return before !== undefined && isDearer(cell, before)
  })
  return isRaised && !content.regulatorRef ? new Fault('validation', 'errors.regulatorRefNeeded') : null
}

const costsOf = async (tx: Tx, productNo: unknown, cells: readonly PriceCell[], caps: readonly LegalCap[]) => {
  const { terms } = await productOf(tx, productNo)
  return cells.map(cell => cellCost(terms, cell, caps, tx.today))
}

/** What the rules say of the version in force of each row. */
const fill = async (tx: Tx, rows: Values[]): Promise<Values[]> => {
  const caps = await legalCaps(tx)
  return Promise.all(
    rows.map(async row => {
      const cells = row.cells as PriceCell[] | null
      if (!cells) return { ...row, levelCount: null, interestMonthRate: null, allInMonthRate: null, verdict: null }
      const costs = await costsOf(tx, row.productNo, cells, caps)
      return {
        ...row,
        levelCount: cells.length,
        interestMonthRate: highest(costs, 'interestMonthRate'),
        allInMonthRate: highest(costs, 'allInMonthRate'),
        verdict: worstOf(costs),
      }
    }),
  )
}

const config = serveConfig(pricings, {
  prefix: 'PG',
  unique: 'loanKind',
  check: async ({ tx, session }, form, before) => {
    if (before) return
    const product = await tx.maybe(
      sql`select 1 from product p where p.product_no = ${form.productNo} and p.terms is not null and p.deleted_time is null and ${productSeen(session)}`,
    )
    if (!product) throw invalid('productNo', 'validation.wrongValue')
  },
  late: {
    columns: ['levelCount', 'interestMonthRate', 'allInMonthRate', 'verdict'],
    needs: ['productNo', 'cells'],
    only: sql`true`,
    fill,
  },
  source: ({ tx, session }) => ({
    where: sql`exists (select 1 from product p where p.product_no = x.product_no and ${productSeen(session)})`,
    joins: {
      p: sql`join product p on p.product_no = x.product_no`,
      m: sql`join merchant m on m.merchant_no = p.merchant_no`,
    },
    columns: {
      productName: sql`p.product_name`,
      merchantNo: sql`p.merchant_no`,
      merchantName: sql`m.merchant_name`,
      orders30: sql`(select count(*)::int from loan_order o where o.product_no = x.product_no and o.loan_kind = x.loan_kind
        and o.apply_time > ${tx.now}::timestamptz - interval '30 days')`,
    },
  }),
  versions: {
    prefix: 'PV',
    holds: async (tx, at) => holds(tx, at, await legalCaps(tx)),
    /** Above a cap that only warns, a second person of another right agrees. */
    stricter: {
      perm: 'risk:pricing:overCap',
      when: async (tx, { item, content }) => {
        const costs = await costsOf(tx, item.productNo, content.cells as PriceCell[], await legalCaps(tx))
        return costs.some(cost => cost.verdict === 'warn')
      },
    },
    effect: async (tx, { item, content }) => {
      const caps = await legalCaps(tx)
      const costs = await costsOf(tx, item.productNo, content.cells as PriceCell[], caps)
      const month = costs[0]?.caps.find(({ cap }) => cap.capKey === 'interest_month')
      const { openOrders } = await tx.one(sql<{ openOrders: number }>`
        select count(*)::int as open_orders from loan_order where product_no = ${item.productNo} and loan_kind = ${item.loanKind} and order_status = 'funds_disbursed'`)
      return {
        interestMonthRate: highest(costs, 'interestMonthRate'),
        allInMonthRate: highest(costs, 'allInMonthRate'),
        capMonth: month ? month.cap.capValue : null,
        openOrders,
      }
    },
  },
})

/** Prices in force that the law forbids by now: they serve no order, and somebody has to set others. */
const overCapWarning: WarningRule = {
  type: 'price_over_cap',
  level: 'warning',
  async find(tx) {
    const caps = await legalCaps(tx)
    return (await gridsInForce(tx)).flatMap(({ pricingNo, productName, terms, cells }) => {
      const over = cells.filter(cell => cellCost(terms, cell, caps, tx.today).verdict === 'over')
      if (over.length === 0) return []
      return [
        {
          key: pricingNo,
          merchantNo: null,
          objectType: pricings.table,
          affected: [{ objectNo: pricingNo, route: null }],
          facts: { productName, levels: over.map(cell => cell.modelLevel).join(', ') },
        },
      ]
    })
  },
}

/** Amounts, limits and prices by risk level, inside what product and law allow. */
export const pricingModule = (): Module => ({
  ...config,
  served: [...config.served, ...priceReads(productSeen)],
  warnings: [...config.warnings, overCapWarning],
})

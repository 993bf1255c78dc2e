import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { CheckedCell, Watched } from '../../../../core/contract/risk/pricing.ts'
import type { Key } from '../../../../core/i18n/index.ts'
import type { LegalCap } from '../../../../core/rules/legal-cap.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import { add, type Money } from '../../../../core/rules/money.ts'
import {
  cellCost,
  cellIncome,
  cellsFlaw,
  isDearer,
  offeredAmount,
  outsideProduct,
  type PriceCell,
  paidLate,
} from '../../../../core/rules/risk-price.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { type Served, serve } from '../../../http/serve.ts'
import { orderHolder, scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { legalCaps } from '../../after-loan/payout/index.ts'
import { type Grid, gridsInForce } from './grids.ts'

const { pricing } = contract
/** How late the customer of the example is. */
const lateDays = 15

const none = { interestMonthRate: '0', interestYearRate: '0', allInMonthRate: '0', lateMaxRate: '0' }

/** A cell as it is typed may be one that nothing would be paid out at: that is said instead of figures. */
const checked = (terms: Terms, cell: PriceCell, caps: readonly LegalCap[], today: string): CheckedCell => {
  const { modelLevel, amountMax } = cell
  try {
    return costed(terms, cell, caps, today)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const amounts = { borrowed: amountMax, arrives: '0.00', repaid: '0.00', repaidLate: '0.00' }
    const problem = 'errors.priceAmountOutside'
    return {
      ...none,
      ...amounts,
      modelLevel: modelLevel as CheckedCell['modelLevel'],
      verdict: 'ok',
      caps: [],
      problem,
    }
  }
}

const costed = (terms: Terms, cell: PriceCell, caps: readonly LegalCap[], today: string): CheckedCell => {
  const cost = cellCost(terms, cell, caps, today)
  const { received: arrives, repaid } = cellIncome(terms, cell, cell.amountMax)
  return {
    ...cost,
    modelLevel: cell.modelLevel as CheckedCell['modelLevel'],
    caps: cost.caps.map(({ cap, figure, verdict }) => ({
      capKey: cap.capKey,
      figure,
      capValue: cap.capValue,
      verdict,
    })),
    problem: outsideProduct(terms, cell),
    borrowed: cell.amountMax,
    arrives,
    repaid,
    repaidLate: paidLate(terms, cell, cell.amountMax, lateDays),
  }
}

type Decided = { requestedAmount: Money; modelLevel: string; settled: number }
type Sums = ReturnType<typeof nothing>
const nothing = () => ({
  orders: 0,
  lent: '0.00',
  interest: '0.00',
  serviceFee: '0.00',
  managementFee: '0.00',
  tooSmall: 0,
})

/** What decisions lend and earn at the prices of some cells; at the product's own where there are none. */
const lentAt = (terms: Terms, cells: readonly PriceCell[] | null, decided: readonly Decided[]): Sums => {
  const sums = nothing()
  for (const { requestedAmount, modelLevel, settled } of decided) {
    const cell = cells?.find(one => one.modelLevel === modelLevel) ?? null
    const amount = cell ? offeredAmount(terms, cell, requestedAmount, settled) : cells ? null : requestedAmount
    if (!amount) {
      sums.tooSmall++
      continue
    }
    const income = cellIncome(terms, cell, amount)
    sums.orders++
    sums.lent = add(sums.lent, amount)
    for (const name of ['interest', 'serviceFee', 'managementFee'] as const) sums[name] = add(sums[name], income[name])
  }
  return sums
}

const decidedBetween = (
  tx: Tx,
  session: Session,
  grid: { productNo: string; loanKind: string },
  from: string,
  to: string,
) =>
  tx.rows(sql<Decided>`
    select o.requested_amount, o.model_level,
      (select count(*)::int from loan_order s where s.customer_no = o.customer_no and s.settled_time < o.machine_time) as settled
    from loan_order o where o.product_no = ${grid.productNo} and o.loan_kind = ${grid.loanKind} and o.refuse_code is null
      and o.machine_time >= ${startOfEatDay(from)} and o.machine_time < ${startOfEatDay(addDays(to, 1))}
      and ${scope(session, { merchant: 'o.merchant_no', holder: orderHolder('o'), perm: pricing.simulate.perm as string })}
    order by o.machine_time desc limit 20000`)

/** The first day from today on, of those on which caps change, on which a cap is broken by a cell. */
const watchOf = (grid: Grid, caps: readonly LegalCap[], days: readonly string[]): Watched[] =>
  grid.cells.flatMap(cell => {
    const seen = new Set<string>()
    return days.flatMap(day =>
      cellCost(grid.terms, cell, caps, day).caps.flatMap(({ cap, figure, verdict }) => {
        const key = `${cap.capKey} ${cap.effectiveFrom}`
        if (verdict === 'ok' || seen.has(key)) return []
        seen.add(key)
        return [
          {
            pricingNo: grid.pricingNo,
            productName: grid.productName,
            loanKind: grid.loanKind,
            modelLevel: cell.modelLevel as Watched['modelLevel'],
            capKey: cap.capKey,
            figure,
            capValue: cap.capValue,
            verdict,
            capFrom: cap.effectiveFrom,
          },
        ]
      }),
    )
  })

/** Questions about prices that nothing is changed by. */
export const priceReads = (productSeen: (session: Session) => RawBuilder<unknown>): Served[] => [
  serve(pricing.check, async ({ tx, session, input }) => {
    const product = await tx.maybe(
      sql<{
        terms: Terms
      }>`select p.terms from product p where p.product_no = ${input.productNo} and p.terms is not null and ${productSeen(session)}`,
    )
    if (!product) throw notFound()
    const caps = await legalCaps(tx)
    const list = input.cells.map(cell => checked(product.terms, cell, caps, tx.today))
    const byLevel = [...input.cells].sort((a, b) => (a.modelLevel < b.modelLevel ? -1 : 1))
    const dearerThanNext = byLevel
      .filter((cell, at) => byLevel[at + 1] && isDearer(cell, byLevel[at + 1] as PriceCell))
      .map(cell => cell.modelLevel)
    return { list, dearerThanNext }
  }),
  serve(pricing.simulate, async ({ tx, session, input }) => {
    const grid = await tx.maybe(sql<Pick<Grid, 'productNo' | 'loanKind' | 'terms'>>`
      select x.product_no, x.loan_kind, p.terms from risk_pricing x join product p using (product_no)
      where x.pricing_no = ${input.pricingNo} and x.deleted_time is null and ${productSeen(session)}`)
    if (!grid) throw notFound()
    const problem = input.cells.map(cell => outsideProduct(grid.terms, cell)).find(Boolean) ?? cellsFlaw(input.cells)
    if (problem) throw invalid('cells', problem as Key)
    const [inForce] = await gridsInForce(tx, sql`x.pricing_no = ${input.pricingNo}`)
    const decided = await decidedBetween(tx, session, grid, input.from, input.to)
    return {
      before: lentAt(grid.terms, inForce?.cells ?? null, decided),
      after: lentAt(grid.terms, input.cells, decided),
    }
  }),
  serve(pricing.capWatch, async ({ tx, session }) => {
    const caps = await legalCaps(tx)
    const days = [tx.today, ...caps.map(cap => cap.effectiveFrom).filter(day => day > tx.today)].sort()
    const grids = await gridsInForce(tx, productSeen(session))
    return { list: grids.flatMap(grid => watchOf(grid, caps, days)) }
  }),
]

import { sql } from 'kysely'
import { costFigures } from '../../../../core/rules/legal-cap.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import { Decimal } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'

/** What our own terms cost in a month, as the shelf states it. */
const ratesOf = (terms: Terms) => {
  const figures = costFigures(terms, terms.minAmount, 'principal')
  const shown = (rate: string) => new Decimal(rate).toDecimalPlaces(2, Decimal.ROUND_CEIL).toFixed(2)
  return { month: shown(figures.interestMonthRate), allIn: shown(figures.allInMonthRate) }
}

/** The description of a product of ours: amounts, term and price are those it is lent at. */
export const ownData = async (tx: Tx, productNo: string) => {
  const own = await tx.maybe(
    sql<{
      productName: string
      terms: Terms
    }>`select product_name, terms from product where product_no = ${productNo} and enabled = 'enabled' and terms is not null and deleted_time is null`,
  )
  if (!own) throw invalid('productNo', 'validation.wrongValue')
  const { month, allIn } = ratesOf(own.terms)
  if (Number(month) > 100 || Number(allIn) > 100) throw invalid('productNo', 'validation.wrongValue')
  return {
    marketProductName: own.productName,
    amountMin: own.terms.minAmount,
    amountMax: own.terms.maxAmount,
    termMin: own.terms.termDays,
    termMax: own.terms.termDays,
    termUnit: 'day',
    rateMonthMin: month,
    rateMonthMax: month,
    allInMonthRate: allIn,
  }
}

/** Products on the shelves whose price is no longer the one that we lend at. */
export const untrue = async (tx: Tx): Promise<string[]> => {
  const rows = await tx.rows(sql<{
    marketProductNo: string
    rateMonthMax: string
    allInMonthRate: string
    lent: boolean
    terms: Terms
  }>`
    select p.market_product_no, p.rate_month_max, p.all_in_month_rate, (o.enabled = 'enabled' and o.deleted_time is null) as lent, o.terms from market_product p join product o on o.product_no = p.source_product_no
    where p.product_status = 'online' and p.deleted_time is null order by p.market_product_no`)
  return rows
    .filter(({ terms, rateMonthMax, allInMonthRate, lent }) => {
      const { month, allIn } = ratesOf(terms)
      return !lent || !new Decimal(rateMonthMax).eq(month) || !new Decimal(allInMonthRate).eq(allIn)
    })
    .map(row => row.marketProductNo)
}

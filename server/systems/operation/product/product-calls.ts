import { sql } from 'kysely'
import type { Config } from '../../../../core/contract/config.ts'
import type { contract } from '../../../../core/contract/contract.ts'
import type { PricedLoan } from '../../../../core/contract/operation/product.ts'
import { languages } from '../../../../core/i18n/language.ts'
import { text } from '../../../../core/i18n/server.ts'
import { quote } from '../../../../core/rules/loan/price.ts'
import { schedule } from '../../../../core/rules/loan/schedule.ts'
import { amountRefusal, type Terms } from '../../../../core/rules/loan/terms.ts'
import { formatMoney, money, sum } from '../../../../core/rules/money.ts'
import { loanCost, type ProductContent, type Track, termsOf } from '../../../../core/rules/product/product-terms.ts'
import type { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Served, serve, serveEach } from '../../../http/serve.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { legalCaps } from '../../after-loan/payout/index.ts'

type Add = ReturnType<typeof serveConfig>['add']
type Calls = typeof contract.product | typeof contract.productNew

/** Merchants whose products a person sees and keeps; `merchant` is the column of their number. */
export const merchantSeen = (session: Session, merchant: string, perm: string) =>
  scope(session, { merchant, holder: () => sql`true`, perm })

/** What the customer reads of the cost, in each language. */
const summaryOf = (terms: Terms, loan: Pick<PricedLoan, 'loanAmount' | 'actualLoanAmount' | 'repayTotal' | 'bills'>) =>
  Object.fromEntries(
    languages.map(language => [
      language,
      text(language, 'product.costSummary', {
        borrowed: formatMoney(loan.loanAmount),
        arrives: formatMoney(loan.actualLoanAmount),
        repaid: formatMoney(loan.repayTotal),
        n: loan.bills.length,
        days: terms.termDays,
        rate: terms.interest.ratePerDay,
        late: terms.lateFee.ratePerDay,
        most: terms.lateFee.capRate,
      }),
    ]),
  ) as PricedLoan['costSummary']

/** A loan at some terms that is paid out today: the same engine that prices and books orders. */
const priced = async (tx: Tx, terms: Terms, amount: string): Promise<PricedLoan> => {
  const { loanAmount, actualLoanAmount, repayTotal } = quote(terms, { loanAmount: amount })
  const cost = loanCost(terms, [amount], await legalCaps(tx), tx.today)
  const bills = schedule(terms, loanAmount, tx.today).map(bill => ({
    ...bill,
    billAmount: sum([bill.principal, bill.interest, bill.serviceFee, bill.managementFee]),
  }))
  const loan = { loanAmount, actualLoanAmount, repayTotal, bills }
  return {
    ...loan,
    ...cost,
    caps: cost.caps.map(({ cap, figure, verdict }) => ({
      capKey: cap.capKey,
      figure,
      capValue: cap.capValue,
      verdict,
    })),
    costSummary: summaryOf(terms, loan),
  }
}

const preview = (track: Track, calls: Calls) =>
  serve(calls.preview as typeof contract.product.preview, async ({ tx, input }) => {
    const terms = termsOf(track, input.draft as unknown as ProductContent)
    const refusal = amountRefusal(terms, input.amount)
    if (refusal) throw invalid('amount', refusal.words, { step: refusal.step })
    try {
      return await priced(tx, terms, money(input.amount))
    } catch (error) {
      if (error instanceof RangeError) throw new Fault('validation', 'errors.nothingPaidOut')
      throw error
    }
  })

type Copied = { content: Record<string, unknown> }

/** Drafts of the same terms for other merchants, one each. */
const copy = (config: Config, calls: Calls, add: Add) =>
  serveEach(calls.copy as typeof contract.product.copy, {
    prepare: async ({ tx, session, input }) => {
      const found = await tx.maybe(sql<Copied>`
        select v.content from product x join product_version v using (product_no)
        where x.product_no = ${input.productNo} and x.track = ${config.part?.value} and x.deleted_time is null and ${merchantSeen(session, 'x.merchant_no', config.codes.save)}
          and v.version_status in ('effective', 'scheduled', 'pending', 'draft', 'rejected')
        order by array_position(array['effective', 'scheduled', 'pending', 'draft', 'rejected'], v.version_status) limit 1`)
      if (!found) throw notFound()
      return found
    },
    ids: input => input.merchantNos,
    row: async (merchantNo, call, { content }) => {
      const { tx, session, input } = call
      const merchant = await tx.maybe(sql`
        select 1 from merchant m where m.merchant_no = ${merchantNo} and m.deleted_time is null and ${merchantSeen(session, 'm.merchant_no', config.codes.save)}`)
      if (!merchant) throw notFound()
      await add(call, { productName: input.productName, merchantNo, ...content }, false)
    },
  })

/** The price simulator, and copies for other merchants. */
export const productCalls = (track: Track, config: Config, calls: Calls, add: Add): Served[] => [
  preview(track, calls),
  copy(config, calls, add),
]

import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import type { Terms } from '../../../core/rules/loan/terms.ts'
import { Decimal, type Exact } from '../../../core/rules/money.ts'
import type { PriceCell } from '../../../core/rules/risk-price.ts'
import { addDays, startOfEatDay } from '../../../core/rules/time.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { legalCapModule } from '../../systems/risk/legal-cap/legal-cap.ts'
import { pricingModule } from '../../systems/risk/pricing/pricing.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { pricing, legalCap, common } = contract
type Values = Record<string, unknown>
const levels = ['A', 'B', 'C', 'D'] as const

const whole = (amount: string | Exact, step: string) =>
  `${new Decimal(amount).div(step).floor().times(step).toFixed(0)}.00`

/** The better the level, the more is lent and the lower the interest; customers who paid back get more. */
const cellsOf = (terms: Terms, repeat: boolean, change: Partial<PriceCell> = {}): PriceCell[] =>
  levels.map((modelLevel, index) => {
    const share = (repeat ? 1 : 0.6) - index * 0.15
    const most = Decimal.max(new Decimal(terms.maxAmount).times(share), terms.minAmount)
    const rate = new Decimal(terms.interest.ratePerDay).times(repeat ? 0.9 + index * 0.03 : 0.94 + index * 0.02)
    return {
      modelLevel,
      amountMin: terms.minAmount,
      amountMax: whole(most, terms.amountStep),
      initialLimit: whole(Decimal.max(most.times(0.7), terms.minAmount), terms.amountStep),
      stepUpAmount: whole(Decimal.max(most.times(0.1), terms.amountStep), terms.amountStep),
      stepUpAfterSettled: index < 2 ? 1 : 2,
      maxLimit: terms.maxAmount,
      interestRateDay: Decimal.min(rate, terms.interest.ratePerDay).toDecimalPlaces(4).toString(),
      serviceFeeValue: terms.serviceFee.value,
      managementFeeValue: terms.managementFee.value,
      ...change,
    }
  })

type Product = { productNo: string; terms: Terms }

/** A grid for the first and the later loans of each product, as people made them: in force, waiting, scheduled, and one that is too dear. */
export const writePrices = async (tx: Tx): Promise<void> => {
  const own = [pricingModule(), legalCapModule()]
  const hand = handFor([...own, approvalModule(own.flatMap(one => one.approvals ?? []))])
  const now = at(tx, tx.now)
  const [boss, second] = await Promise.all(['admin', 'admin2'].map(login => rightsOfPerson(tx, userNoOf(login), 'en')))
  if (!boss || !second) return
  const call = async (who: typeof boss, endpoint: unknown, input: Values) => {
    const answer = (await hand.call(now, who, endpoint as Endpoint, input as never)) as Values
    await tx.flush()
    return answer
  }
  const draftOf = async (pricingNo: unknown) =>
    tx.one(sql<{ versionNo: string; version: number }>`
      select version_no, version from risk_pricing_version where pricing_no = ${pricingNo} and version_status = 'draft'`)
  const submit = async (pricingNo: unknown, reason: string, effectiveTime?: string) => {
    const input = { ...(await draftOf(pricingNo)), reason, ...(effectiveTime ? { effectiveTime } : {}) }
    return (await call(boss, pricing.versionSubmit, input)).approvalNo
  }
  const products = await tx.rows(
    sql<Product>`select product_no, terms from product where terms is not null order by product_no`,
  )
  const grids: { pricingNo: unknown; product: Product; repeat: boolean }[] = []
  for (const product of products)
    for (const loanKind of ['first', 'repeat'] as const) {
      const repeat = loanKind === 'repeat'
      const cells = cellsOf(product.terms, repeat)
      const { key } = await call(boss, pricing.save, { productNo: product.productNo, loanKind, cells })
      await call(second, common.approve, { approvalNo: await submit(key, 'Prices of the new year'), version: 0 })
      const { version } = await tx.one(
        sql<{ version: number }>`select version from risk_pricing where pricing_no = ${key}`,
      )
      await call(boss, pricing.state, { pricingNo: key, enabled: true, version })
      grids.push({ pricingNo: key, product, repeat })
    }
  const [dear, , scheduled] = grids
  if (dear) {
    const cells = cellsOf(dear.product.terms, dear.repeat)
    await call(boss, pricing.versionSave, {
      pricingNo: dear.pricingNo,
      cells: cells.map(cell => ({ ...cell, amountMax: cell.amountMin, interestRateDay: '0.09' })),
    })
  }
  if (scheduled) {
    const { pricingNo, product, repeat } = scheduled
    const cells = cellsOf(product.terms, repeat, { interestRateDay: '0.07' })
    await call(boss, pricing.versionSave, { pricingNo, cells })
    const approvalNo = await submit(
      pricingNo,
      'Lower prices for the school fees season',
      startOfEatDay(addDays(tx.today, 7)),
    )
    await call(second, common.approve, { approvalNo, version: 0 })
  }
  await stricterCap(tx, call, boss)
}

/** A draft of compliance: what if late charges were to stop at 40 %. */
const stricterCap = async (
  tx: Tx,
  call: (who: never, endpoint: unknown, input: Values) => Promise<Values>,
  boss: unknown,
) => {
  const { capNo } = await tx.one(sql<{ capNo: string }>`select cap_no from legal_cap where cap_key = 'default_charges'`)
  await call(boss as never, legalCap.versionSave, {
    capNo,
    capValue: '40',
    capBase: 'principal',
    feeTreatment: 'interestOnly',
    capMode: 'enforce',
    legalSource: 'Consultation paper of the regulator, first draft',
  })
}

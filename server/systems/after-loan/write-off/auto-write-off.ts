import { sql } from 'kysely'
import type { flowWaits } from '../../../../core/contract/after-loan/repayment-rows.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import { eq, gt, gte } from '../../../../core/rules/money.ts'
import { phoneFormat } from '../../../../core/rules/text/formats.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import type { Actor } from '../../../rights/actor.ts'
import { type Usable, usableCoupons } from '../../operation/coupon/index.ts'
import { type Flow, remainingOf } from '../flow/flow-store.ts'
import { orderOfAsk } from '../pay-link/pay-link-store.ts'
import { matchReturn } from '../payout/payout-reverse.ts'
import { naturalValueDate, type Outcome, type Standing, tryOut } from '../repayment/trial.ts'
import { writeOff } from './write-off.ts'

export type FlowWait = ValueOf<typeof flowWaits>
type Match = { orderNo: string } | { wait: FlowWait }

/** The one order that a payment means: by the payment link that asked for it, by its pay code or order number, or by the phone that paid where nothing else was said. */
export const matchOrder = async (tx: Tx, given: string, channel: string): Promise<Match> => {
  const reference = (await orderOfAsk(tx, given)) ?? given
  const phone = phoneFormat.test(reference) ? reference : null
  const found = await tx.rows(sql<{ orderNo: string }>`
    select o.order_no from loan_order o join merchant_customer c using (customer_no, merchant_no)
    where o.order_status = 'funds_disbursed' and (o.pay_code = ${reference} or o.order_no = ${reference} or c.phone = ${phone} and exists (
      select 1 from fund_account_merchant m join fund_account a using (fund_account_no)
      where m.merchant_no = o.merchant_no and a.channel = ${channel} and a.enabled = 'enabled' and a.account_role in ('collection', 'both')))
    limit 2`)
  const [first] = found
  if (!first) return { wait: 'no_match' }
  return found.length > 1 ? { wait: 'several_orders' } : { orderNo: first.orderNo }
}

/** How a payment is read when there is only one way to read it; a coupon that the customer named when they applied counts where the money does not settle without it. */
const reading = (standing: Standing, flow: Flow, coupon: Usable | undefined, today: string): Outcome | FlowWait => {
  const amount = remainingOf(flow)
  const asked = {
    valueDate: naturalValueDate(standing, [flow.entryTime], today),
    amounts: [amount],
    sources: [`${flow.channel} ${flow.serialNo}`],
    smallSettle: false,
  }
  const settle = tryOut(standing, { ...asked, repayType: 'settle' }, today)
  if (gte(amount, settle.trial.settleAmount)) {
    const { overflowLimit } = standing.facts
    if (overflowLimit !== null && gt(settle.trial.overflow, overflowLimit)) return 'overflow_limit'
    return settle.refusal ? 'amount_unclear' : settle
  }
  const cheaper = coupon && tryOut(standing, { ...asked, repayType: 'settle', coupon }, today)
  if (cheaper && !cheaper.refusal && gte(amount, cheaper.trial.settleAmount)) return cheaper
  if (standing.facts.quotedAmount !== null && eq(amount, standing.facts.quotedAmount)) {
    if (!standing.facts.autoExtension) return 'extension_off'
    const extension = tryOut(standing, { ...asked, repayType: 'extension' }, today)
    return extension.refusal ? 'amount_unclear' : extension
  }
  if (!standing.facts.autoPartial) return 'partial_off'
  const partial = tryOut(standing, { ...asked, repayType: 'partial' }, today)
  return partial.refusal || partial.trial.flags.confirmNotExtension ? 'amount_unclear' : partial
}

const returned = (tx: Tx, { order }: Standing) =>
  tx.maybe(sql<{ loanCode: string; actualLoanAmount: string }>`
    select loan_code, actual_loan_amount from loan_code where order_no = ${order.orderNo} and loan_code_status = 'reversing'`)

/**
 * Writes a received flow off by itself when nothing about it is in doubt; answers why not otherwise, and then leaves it alone.
 * While a payout is being taken back, exactly its amount ends it. The order is locked.
 */
export const autoWriteOff = async (tx: Tx, standing: Standing, flow: Flow, actor: Actor): Promise<FlowWait | null> => {
  const code = standing.facts.reversing ? await returned(tx, standing) : undefined
  if (code && !eq(code.actualLoanAmount, flow.amount)) return 'amount_unclear'
  if (!code && standing.order.orderStatus !== 'funds_disbursed') return 'no_match'
  const [coupon] = code ? [] : await usableCoupons(tx, standing.order, { repayType: 'settle', lock: true })
  const outcome = code ? null : reading(standing, flow, coupon?.bound ? coupon : undefined, tx.today)
  if (typeof outcome === 'string') return outcome
  try {
    await tx.attempt(async inner => {
      if (code) await matchReturn(inner, flow, code.loanCode, actor)
      else if (outcome) {
        const flows = [{ flow, amount: remainingOf(flow) }]
        await writeOff(inner, standing, outcome, { event: 'repay.auto', sources: { kind: 'flows', flows }, actor })
      }
    })
    return null
  } catch (error) {
    if (error instanceof Fault) return 'amount_unclear'
    throw error
  }
}

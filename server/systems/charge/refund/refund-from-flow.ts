import { sql } from 'kysely'
import { refund as calls } from '../../../../core/contract/charge/refund.ts'
import { add, isZero, neg } from '../../../../core/rules/money.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { account, post } from '../../../money/ledger.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { flowScope, lockFlow, remainingOf } from '../../after-loan/flow/index.ts'
import { creditOverflow } from '../../after-loan/repayment/index.ts'

/** The customer that stands for everybody who pays a merchant and is not known. */
const unidentified = async (tx: Tx, merchantNo: string): Promise<string> => {
  const customerNo = `UNKNOWN-${merchantNo}`
  await tx.exec(sql`
    insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time, technical)
    values (${customerNo}, 'Unidentified payer', ${customerNo}, '', 0, 0, ${tx.now}, true) on conflict (customer_no) do nothing`)
  return customerNo
}

/**
 * Holds what is left of a receipt that belongs to nobody: for the unidentified payer of its merchant, from where it goes back to
 * the account that it came from, and nowhere else.
 */
export const fromFlow = serve(calls.fromFlow, async call => {
  const { tx, session, actor, input } = call
  const flow = await lockFlow(tx, input.flowNo, flowScope(session))
  if (!flow) throw notFound()
  requireEvent('flow', flow.flowStatus, 'flow.toRefund')
  if (flow.customerNo) throw new Fault('stateConflict', 'errors.flowHasCustomer')
  if (!flow.merchantNo) throw invalid('flowNo', 'errors.flowOfNoMerchant')
  if (!flow.payerAccount) throw invalid('flowNo', 'errors.flowNamesNoPayer')
  const amount = remainingOf(flow)
  if (isZero(amount)) throw new Fault('validation', 'errors.flowUsedUp')
  const customerNo = await unidentified(tx, flow.merchantNo)
  const set = { refunded: add(flow.refunded, amount), customerNo, waitReason: null }
  const { reason } = input
  await transition(tx, 'flow', flow, { event: 'flow.toRefund', set, payload: { reason, amount } }, actor)
  const { flowNo, merchantNo } = flow
  const lines = [
    { account: account.suspense(flowNo), amount, flowNo },
    { account: account.overpayment(customerNo), amount: neg(amount), flowNo },
  ]
  const valueDate = eatDate(flow.entryTime)
  await post(
    tx,
    { code: 'P4b', cause: `repay_flow:${flowNo}`, valueDate, keys: { customerNo, merchantNo }, lines },
    actor,
  )
  await creditOverflow(tx, { customerNo, merchantNo, flowNo, amount }, actor)
  call.audit({ objectType: 'flow', objectNo: flowNo, after: { flowStatus: 'exhausted', customerNo, amount, reason } })
  return { customerNo, amount }
})

import { sql } from 'kysely'
import { consumption as calls } from '../../../../core/contract/merchant/consumption.ts'
import { formatMoney, neg } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { attachEvidence } from '../../../files/uploads/stored.ts'
import { checkVersion, Fault, invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import { account, post } from '../../../money/ledger.ts'
import { newNo } from '../../../money/numbers.ts'
import { transition } from '../../../states/transition.ts'
import { consumptionBlocks, lockRecord, objectType, type Stored, worthOf } from './consumption-source.ts'
import { walletBalance } from './wallet.ts'

const action = 'consumption.reverse'
const perm = calls.reverse.perm as string

const tooMuch = (row: Stored, quantity: number) =>
  quantity > row.quantity - row.reversedQuantity
    ? new Fault('stateConflict', 'errors.moreThanUsed', { left: row.quantity - row.reversedQuantity })
    : null

/** Asks for what was charged to be given back; nothing moves before a second person agrees. */
export const reverseServed = serve(calls.reverse, async call => {
  const { tx, session, actor, input } = call
  const { consumptionNo, quantity, reason } = input
  const row = await lockRecord(tx, session, consumptionNo)
  checkVersion(row, input.version)
  await consumptionBlocks.check(call, calls.reverse, consumptionNo)
  if (tooMuch(row, quantity)) throw invalid('quantity', 'validation.moreThanUsed')
  const amount = await worthOf(tx, row, quantity)
  const balance = await walletBalance(tx, row.merchantNo)
  const files = await attachEvidence(
    tx,
    input.evidence,
    { objectType, objectNo: consumptionNo, decision: action },
    actor,
  )
  const approvalNo = await requestApproval(call, {
    action,
    perm,
    objectType,
    objectNo: consumptionNo,
    merchantNo: row.merchantNo,
    version: row.version,
    payload: { quantity, reason },
    summary: [
      { label: 'fields.quantity', before: String(row.quantity - row.reversedQuantity), after: String(quantity) },
      { label: 'fields.amount', before: null, after: formatMoney(amount) },
      { label: 'fields.walletBalance', before: formatMoney(balance), after: null },
      { label: 'fields.reason', before: null, after: reason },
    ],
  })
  call.audit({ objectType, objectNo: consumptionNo, after: { approvalNo, quantity, amount, reason, ...files } })
  return { approvalNo, amount }
})

/** What was charged goes back into the wallet by a journal that names the record. */
export const reverseApproval: ApprovalAction = {
  action,
  perm,
  money: true,
  async execute(tx, { objectNo, payload, maker, checker }) {
    const { quantity, reason } = payload as { quantity: number; reason: string }
    const row = await lockRecord(tx, null, objectNo)
    const refusal = tooMuch(row, quantity)
    if (refusal) throw refusal
    const amount = await worthOf(tx, row, quantity)
    const { merchantNo } = row
    const reversalNo = newNo('CR', tx.now)
    const journalNo = await post(
      tx,
      {
        code: 'P13',
        cause: `consumption_record:${objectNo}`,
        keys: { merchantNo },
        lines: [
          { account: account.serviceIncome, amount },
          { account: account.merchant(merchantNo), amount: neg(amount) },
        ],
      },
      checker,
    )
    await tx.exec(sql`
      insert into consumption_reversal (reversal_no, consumption_no, quantity, amount, reason, journal_no, maker_no, maker_name, checker_no, checker_name, reversed_time)
      values (${reversalNo}, ${objectNo}, ${quantity}, ${amount}, ${reason}, ${journalNo}, ${maker.no}, ${maker.name}, ${checker.no}, ${checker.name}, ${tx.now})`)
    const reversedQuantity = row.reversedQuantity + quantity
    const as = reversedQuantity === row.quantity ? 'all' : 'part'
    const set = { reversedQuantity, reversedAmount: sql`reversed_amount + ${amount}::numeric` }
    const payload_ = { reversalNo, quantity, amount }
    await transition(
      tx,
      'consumptionRecord',
      row,
      { event: 'consumption.reverse', as, set, payload: payload_ },
      checker,
    )
  },
}

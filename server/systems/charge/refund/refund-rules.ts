import { sql } from 'kysely'
import type { refund as calls } from '../../../../core/contract/charge/refund.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { formatMoney, gt, isWhole, lt, type Money, sub, wholePart } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { attachEvidence, lockReady } from '../../../files/uploads/stored.ts'
import { invalid } from '../../../http/fault.ts'
import type { Actor } from '../../../rights/actor.ts'
import type { Overpayment } from '../../after-loan/repayment/index.ts'
import { sourcesOf } from './refund-source.ts'

/** Nobody sends less. */
export const leastRefund: Money = '20.00'

/** What may be asked for of an overflow. `refundable` is what it holds and nothing else has promised. */
export const checkAmount = (amount: Money, refundable: Money): void => {
  if (lt(amount, leastRefund))
    throw invalid('refundAmount', 'errors.refundTooSmall', { least: formatMoney(leastRefund) })
  if (!isWhole(amount))
    throw invalid('refundAmount', 'errors.refundWholeOnly', { rest: formatMoney(sub(amount, wholePart(amount))) })
  if (gt(amount, refundable))
    throw invalid('refundAmount', 'errors.refundTooMuch', {
      asked: formatMoney(amount),
      refundable: formatMoney(refundable),
    })
}

type Given = Pick<ParsedOf<typeof calls.submit>, 'channel' | 'payeeName' | 'payeeAccount' | 'payeeBank'>

/** The payee as a refund keeps it, beside the account that the money came from. */
export type Payee = {
  channel: string
  payeeName: string
  payeeAccount: string
  payeeBank: string | null
  sourceAccount: string | null
  samePayer: boolean
}

/** A channel that money can go out over. */
const checkChannel = async (tx: Tx, channel: string): Promise<void> => {
  const open = await tx.maybe(sql`
    select 1 from channel ch where ch.channel = ${channel} and ch.enabled = 'enabled' and exists (
      select 1 from fund_account fa where fa.channel = ch.channel and fa.enabled = 'enabled' and fa.account_role in ('payout', 'both'))`)
  if (!open) throw invalid('channel', 'errors.channelSendsNothing')
}

/**
 * Whom the money may go to: nobody's money goes back to where it came from, and any other account than that is shown to be the
 * customer's by a file (`shown`).
 */
export const checkedPayee = async (
  tx: Tx,
  { customerNo }: Overpayment,
  given: Given,
  shown: boolean,
): Promise<Payee> => {
  await checkChannel(tx, given.channel)
  const { technical } = await tx.one(
    sql<{ technical: boolean }>`select technical from customer where customer_no = ${customerNo}`,
  )
  const accounts = (await sourcesOf(tx, customerNo)).flatMap(({ payerAccount }) => (payerAccount ? [payerAccount] : []))
  const samePayer = accounts.includes(given.payeeAccount)
  if (technical && !samePayer) throw invalid('payeeAccount', 'errors.onlySourceAccount')
  if (!samePayer && !shown) throw invalid('attachNos', 'errors.otherPayeeEvidence')
  return {
    channel: given.channel,
    payeeName: given.payeeName,
    payeeAccount: given.payeeAccount,
    payeeBank: given.channel === 'bank_file' ? (given.payeeBank ?? null) : null,
    sourceAccount: samePayer ? given.payeeAccount : (accounts[0] ?? null),
    samePayer,
  }
}

/** The files that show why stay with the refund for good; answers what the log keeps of them. */
export const keepFiles = async (tx: Tx, refundNo: string, attachNos: readonly string[] = [], actor: Actor) => {
  const kept: string[] = []
  for (const uploadNo of new Set(attachNos)) {
    await lockReady(tx, uploadNo, { purpose: 'attachment', userNo: actor.no })
    const about = { objectType: 'refund', objectNo: refundNo, decision: 'refund.submit' }
    kept.push((await attachEvidence(tx, uploadNo, about, actor)).evidence)
  }
  return kept.length > 0 ? { files: kept } : {}
}

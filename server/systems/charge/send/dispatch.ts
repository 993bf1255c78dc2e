import { sql } from 'kysely'
import { formatMoney, lt, type Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { refOf } from '../../../gateways/gateway.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { spendable } from '../../../money/spendable.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { leftToday } from '../../after-loan/fund-account/index.ts'
import type { Attempt } from '../../after-loan/payout/index.ts'
import type { Payable } from './payable.ts'

/** An account of ours that money leaves. */
export type PayingAccount = {
  fundAccountNo: string
  accountName: string
  accountNumber: string
  lenderName: string
  channel: string
  enabled: boolean
  minBalance: Money
  shortAmount: Money | null
  /** Its channel sends nothing now. */
  paused: boolean
}

/** Reads an account of ours, whatever it is for. */
export const fundAccount = (tx: Tx, fundAccountNo: string): Promise<PayingAccount | undefined> =>
  tx.maybe(sql<PayingAccount>`
    select fa.fund_account_no, fa.account_name, fa.account_number, fa.lender_name, fa.channel, fa.enabled = 'enabled' as enabled, fa.min_balance, fa.short_amount,
      coalesce(ch.enabled <> 'enabled' or ch.pause_status = 'paused', true) as paused
    from fund_account fa left join channel ch on ch.channel = fa.channel where fa.fund_account_no = ${fundAccountNo}`)

/** Money that leaves an account is there: read under the lock that every send takes. @throws {Fault} 40001 *balance short* */
export const needBalance = async (tx: Tx, fundAccountNo: string, amount: Money): Promise<void> => {
  const balance = await spendable(tx, fundAccountNo)
  if (lt(balance, amount)) throw invalid('fundAccountNo', 'errors.balanceShort', { available: formatMoney(balance) })
}

/** What an account sends stays within its cap of the day: read when the balance is locked, so that what left meanwhile counts. @throws {Fault} 40001 *daily cap reached* */
const needCap = async (tx: Tx, fundAccountNo: string, amount: Money): Promise<void> => {
  const { left } = await tx.one(sql<{ left: Money | null }>`
    select (${leftToday(tx)})::numeric(18,2) as left from fund_account fa where fa.fund_account_no = ${fundAccountNo}`)
  if (left !== null && lt(left, amount))
    throw invalid('fundAccountNo', 'errors.dailyCapReached', {
      available: formatMoney(lt(left, '0.00') ? '0.00' : left),
    })
}

/** Refuses an account that sends nothing by itself now. */
export const needSending = (from: PayingAccount): void => {
  if (!from.enabled) throw invalid('fundAccountNo', 'validation.accountUnfit')
  if (from.channel === 'bank_file') throw new Fault('stateConflict', 'errors.paidByHand')
  if (from.paused || from.shortAmount !== null) throw new Fault('stateConflict', 'errors.channelPaused')
}

export type Way = { from: PayingAccount; amount: Money; payee: string; byHand?: { serialNo: string } }

/**
 * Books a new send of a locked payable and hands it to the network. By hand it has left already: its outcome is unknown until
 * two persons say it by a statement. `row` is the payable after its event, with the number of this send.
 */
export const sendOut = async (tx: Tx, payable: Payable, { from, amount, payee, byHand }: Way, actor: Actor) => {
  const { kind, no, row } = payable
  const { fundAccountNo, channel } = from
  await needBalance(tx, fundAccountNo, amount)
  // What was paid by hand has left; it counts for the sends after it.
  if (!byHand) await needCap(tx, fundAccountNo, amount)
  const externalId = `${no}-${row.attemptNo}`
  const attempt = {
    externalId,
    gatewayRef: refOf(channel, externalId),
    parentKind: kind,
    parentNo: no,
    attemptNo: row.attemptNo,
    channel,
    amount,
    payee,
    fundAccountNo,
    createdTime: tx.now,
    serialNo: byHand?.serialNo ?? null,
  }
  await create(tx, 'gatewayAttempt', attempt, { event: 'attempt.prepare' }, actor)
  const made = await tx.one(sql<Attempt>`select * from gateway_attempt where external_id = ${externalId}`)
  await payable.book('sent', made, actor)
  if (byHand) await transition(tx, 'gatewayAttempt', made, { event: 'attempt.send', set: { sentTime: tx.now } }, actor)
  else await enqueue(tx, 'payout.send', externalId, { externalId })
}

/** A serial of a channel stands for one payment: looked up one after the other, so that two are not noted with the same. */
export const freeSerial = async (
  tx: Tx,
  o: { channel: string; serialNo: string; externalId: string },
): Promise<void> => {
  await tx.exec(sql`select 1 from channel where channel = ${o.channel} for no key update`)
  const used = await tx.maybe(sql<{ no: string }>`
    select parent_no as no from gateway_attempt
    where channel = ${o.channel} and serial_no = ${o.serialNo} and external_id <> ${o.externalId}
    union all
    select cf.parent_no from loan_code_confirm cf join gateway_attempt ga on ga.parent_kind = cf.parent_kind and ga.parent_no = cf.parent_no and ga.channel = ${o.channel}
    where cf.serial_no = ${o.serialNo} and cf.confirm_status = 'first_confirmed' and ga.external_id <> ${o.externalId} and cf.parent_no <> split_part(${o.externalId}, '-', 1) limit 1`)
  if (used) throw invalid('serialNo', 'validation.serialTaken', { loanCode: used.no })
}

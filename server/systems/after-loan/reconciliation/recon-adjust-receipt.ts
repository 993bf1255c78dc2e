import { sql } from 'kysely'
import type { LedgerLine } from '../../../../core/rules/ledger/check.ts'
import { isNegative, isZero, type Money, neg, sub, sum } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { account } from '../../../money/ledger.ts'
import type { Actor } from '../../../rights/actor.ts'
import { bookReceipt, collectionAccounts, enterFlow } from '../flow/flow-store.ts'
import { receiptBooking } from './recon-booking.ts'
import type { ReconItem } from './recon-item.ts'
import type { Line } from './statement-store.ts'

/** Stands for the receipt that an adjustment makes of money in: it has no number before. */
export const newReceipt = account.suspense('new')

const lineOf = async (tx: Tx, { lineNo }: ReconItem) =>
  lineNo ? tx.maybe(sql<Line>`select * from statement_line where line_no = ${lineNo}`) : undefined

/** What of the money becomes a receipt. */
export const receivedBy = (lines: readonly LedgerLine[]): Money =>
  neg(sum(lines.filter(line => line.account === newReceipt).map(({ amount }) => amount)))

/** What is left to post beside the receipt. */
export const besideReceipt = (lines: readonly LedgerLine[], bank: string): LedgerLine[] => {
  const received = receivedBy(lines)
  return lines
    .filter(line => line.account !== newReceipt)
    .map(line => (line.account === bank ? { ...line, amount: sub(line.amount, received) } : line))
    .filter(({ amount }) => !isZero(amount))
}

/** Money waits for its order only where a line shows that somebody paid it in, and no receipt has its number. */
export const checkReceipt = async (tx: Tx, item: ReconItem, lines: readonly LedgerLine[]): Promise<void> => {
  const received = receivedBy(lines)
  if (isZero(received)) return
  const line = await lineOf(tx, item)
  if (line?.direction !== 'in' || line.lineKind !== 'payment' || isNegative(received))
    throw invalid('lines', 'errors.adjustSuspense')
  const channel = String(item.channel)
  const known = await tx.maybe(sql`
    select 1 from repay_flow where channel = ${channel} and serial_no = ${line.serialNo} and flow_status <> 'void'`)
  if (known) throw new Fault('stateConflict', 'errors.receiptKnown')
  const own = await collectionAccounts(tx, { channel, fundAccountNo: line.fundAccountNo })
  if (own.length === 0) throw new Fault('stateConflict', 'errors.accountReceivesNothing')
}

/** Makes a receipt of the part of a line that is a customer's (P3), and answers its booking. */
export const takeReceipt = async (tx: Tx, item: ReconItem, amount: Money, actor: Actor): Promise<number> => {
  const line = await lineOf(tx, item)
  if (!line) throw new Error(`${item.reconItemNo} is about no line`)
  const { serialNo, fundAccountNo, payerAccount, reference } = line
  const channel = String(item.channel)
  const [own] = await collectionAccounts(tx, { channel, fundAccountNo })
  const flow = await enterFlow(
    tx,
    'import.row',
    {
      channel,
      serialNo,
      amount,
      entryTime: [line.entryTime, tx.now.toISOString()].sort()[0] as string,
      source: 'import',
      paymentCode: reference,
      fundAccountNo,
      payerAccount,
      payerName: line.payerName,
      merchantNo: own?.merchants.length === 1 ? (own.merchants[0] ?? null) : null,
      isrecord: true,
    },
    actor,
  )
  await bookReceipt(tx, flow, actor)
  return receiptBooking(tx, flow.flowNo, fundAccountNo)
}

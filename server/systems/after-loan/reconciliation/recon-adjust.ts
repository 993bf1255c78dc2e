import { sql } from 'kysely'
import { recon } from '../../../../core/contract/after-loan/reconciliation.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import type { LedgerKeys, LedgerLine } from '../../../../core/rules/ledger/check.ts'
import { eq, formatMoney, isNegative, isZero, type Money, neg, sum, zeroMoney } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import { account, post } from '../../../money/ledger.ts'
import type { Actor } from '../../../rights/actor.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { lockCode } from '../payout/desk/loan-source.ts'
import { payoutKeys } from '../payout/payout.ts'
import { blockWaiting } from '../payout/payout-outcome.ts'
import { besideReceipt, checkReceipt, newReceipt, receivedBy, takeReceipt } from './recon-adjust-receipt.ts'
import { bookingOf, explainBookings, lockLine, matchUp } from './recon-booking.ts'
import { openDifference, type ReconItem } from './recon-item.ts'
import { lockItem } from './recon-source.ts'

const action = 'recon.adjust'
const perm = String(recon.adjust.perm)

type Given = ParsedOf<typeof recon.adjust>['lines']

/** Where money stands that nobody expected: by our reference, or by the number of the line that shows it. */
const exceptionOf = ({ reference }: ReconItem) => account.exception(reference ?? '')

/** The accounts that an adjustment of an own account names, as lines of the ledger. */
export const ledgerLines = async (
  tx: Tx,
  fundAccountNo: string,
  given: Given,
  exception = '',
): Promise<LedgerLine[]> => {
  const { lenderName, channel } = await tx.one(sql<{ lenderName: string; channel: string }>`
    select lender_name, channel from fund_account where fund_account_no = ${fundAccountNo}`)
  const codes: Record<Given[number]['account'], string> = {
    bank: account.bank(fundAccountNo),
    suspense: newReceipt,
    payout_exception: exception,
    channel_cost: account.channelCost(channel),
    owner_funds: account.ownerFunds(lenderName),
    other_income: 'other_income',
    other_expense: 'other_expense',
  }
  return given.map(({ account: kind, side, amount }) => ({
    account: codes[kind],
    amount: side === 'debit' ? amount : neg(amount),
  }))
}

const linesOf = (tx: Tx, item: ReconItem, given: Given) =>
  ledgerLines(tx, item.fundAccountNo ?? '', given, exceptionOf(item))

export const on = (lines: readonly LedgerLine[], code: string): Money =>
  sum(lines.filter(line => line.account === code).map(({ amount }) => amount))

/** Refuses lines that do not balance, or that name an account of ours or a receipt twice. */
export const checkBalanced = (lines: readonly LedgerLine[], bank: string) => {
  const isOff = lines.some(({ amount }) => isZero(amount)) || !isZero(sum(lines.map(({ amount }) => amount)))
  const isTwice = [bank, newReceipt].some(code => lines.filter(line => line.account === code).length > 1)
  if (isOff || isTwice) throw invalid('lines', 'errors.adjustUnbalanced')
}

/** Refuses lines that do not balance, or that leave the difference as it is. */
const checkLines = (item: ReconItem, lines: readonly LedgerLine[]) => {
  const bank = account.bank(item.fundAccountNo ?? '')
  const moved = on(lines, bank)
  checkBalanced(lines, bank)
  if (!isZero(item.gap) && !eq(moved, item.gap))
    throw invalid('lines', 'errors.adjustAmount', { amount: formatMoney(item.gap) })
  const apart = on(lines, exceptionOf(item))
  const held = item.reconKind === 'paid_not_expected' ? neg(item.difference) : null
  const paidOut = item.lineNo !== null && isNegative(item.gap)
  const right = held === null ? isZero(apart) || (paidOut && eq(apart, neg(item.gap))) : eq(apart, held)
  if (!right) throw invalid('lines', 'errors.adjustException', { amount: formatMoney(held ?? neg(item.gap)) })
}

/** The lines as the second person reads them. */
export const saidOf = (given: Given) =>
  given.map(line => ({
    label: `dict.ADJUST_ACCOUNT.${line.account}`,
    before: null,
    after: `${line.side === 'credit' ? '−' : ''}UGX ${formatMoney(line.amount)}`,
  }))

const checkOpen = (item: ReconItem) => requireEvent('reconItem', item.reconStatus, 'recon.adjust')

/** Asks for the posting that settles a difference: it counts once a second person agrees. */
export const adjustServed = serve(recon.adjust, async call => {
  const { tx, session, input } = call
  const { reconItemNo, reason } = input
  const item = await lockItem(tx, session, reconItemNo)
  checkOpen(item)
  checkVersion(item, input.version)
  const lines = await linesOf(tx, item, input.lines)
  checkLines(item, lines)
  await checkReceipt(tx, item, lines)
  const approvalNo = await requestApproval(call, {
    action,
    perm,
    objectType: 'reconItem',
    objectNo: reconItemNo,
    version: item.version,
    payload: { lines: input.lines, reason },
    summary: [
      { label: 'fields.reconKind', before: null, after: `dict.RECON_KIND.${item.reconKind}` },
      ...saidOf(input.lines),
      { label: 'fields.reason', before: null, after: reason },
    ],
  })
  call.audit({ objectType: 'reconItem', objectNo: reconItemNo, after: { approvalNo, lines: input.lines, reason } })
  return { approvalNo }
})

/** Money that is set apart of a payout: it waits for its own settlement, and nothing more is sent for its order meanwhile. */
const setApart = async (tx: Tx, item: ReconItem, actor: Actor) => {
  const amount = neg(item.gap)
  const { fundAccountNo, channel, objectType, objectNo } = item
  await openDifference(
    tx,
    {
      kind: 'paid_not_expected',
      fundAccountNo,
      channel: channel ?? '',
      reference: item.reference ?? '',
      amount,
      difference: amount,
      ...(objectType && objectNo ? { objectType, objectNo } : {}),
    },
    actor,
  )
  if (objectType !== 'loanCode' || !objectNo) return {}
  const { order } = await lockCode(tx, null, objectNo)
  await blockWaiting(tx, order.orderNo, actor)
  return payoutKeys(order, objectNo)
}

const settle = async (tx: Tx, item: ReconItem, all: readonly LedgerLine[], actor: Actor): Promise<number[]> => {
  const fundAccountNo = item.fundAccountNo ?? ''
  const received = receivedBy(all)
  const taken = isZero(received) ? [] : [await takeReceipt(tx, item, received, actor)]
  const lines = besideReceipt(all, account.bank(fundAccountNo))
  if (lines.length === 0) return taken
  const apart = item.reconKind !== 'paid_not_expected' && !isZero(on(lines, exceptionOf(item)))
  const keys: LedgerKeys = apart ? await setApart(tx, item, actor) : {}
  const late = apart && lines.length === 2 && 'loanCode' in keys
  const cause = `recon_item:${item.reconItemNo}`
  const posting = late ? { code: 'P1e' as const } : { code: 'P15' as const, valueDate: item.gapDate ?? tx.today }
  const journalNo = await post(tx, { ...posting, cause, keys, lines }, actor)
  const booking = await bookingOf(tx, Number(journalNo), fundAccountNo)
  return booking === null ? taken : [...taken, booking]
}

/** Posts what settles a difference, and lets its line and its booking agree. */
const adjust = async (tx: Tx, item: ReconItem, lines: readonly LedgerLine[], actor: Actor) => {
  const { lineNo, bookingNo, gap } = item
  const fundAccountNo = item.fundAccountNo ?? ''
  const alone = !lineNo && !bookingNo
  const set = {
    gap: alone ? gap : zeroMoney,
    gapUntil: alone && !isZero(gap) ? tx.today : null,
    closedTime: tx.now,
    handlerNo: actor.no,
    handlerName: actor.name,
  }
  await transition(tx, 'reconItem', item, { event: 'recon.adjust', set }, actor)
  const bookings = await settle(tx, item, lines, actor)
  if (bookings.length === 0 || isZero(gap)) return
  if (alone) {
    await explainBookings(tx, { fundAccountNo, bookingNos: bookings, matchNo: null })
    return
  }
  const bookingNos = bookingNo ? [bookingNo, ...bookings] : bookings
  const held = lineNo ? [await lockLine(tx, lineNo)] : []
  await matchUp(tx, { fundAccountNo, lines: held, bookingNos, as: 'person' }, actor)
}

export const adjustApproval: ApprovalAction = {
  action,
  perm,
  money: true,
  async execute(tx, { objectNo, payload, checker }) {
    const item = await lockItem(tx, null, objectNo)
    checkOpen(item)
    const lines = await linesOf(tx, item, payload.lines as Given)
    checkLines(item, lines)
    await checkReceipt(tx, item, lines)
    await adjust(tx, item, lines, checker)
  },
}

const unblockAction = 'payout.unblock'
const unblockPerm = String(recon.unblock.perm)

/** A code waits until every payment of its order that nobody expected is settled. */
const checkBlocked = async (tx: Tx, { order, code }: Awaited<ReturnType<typeof lockCode>>) => {
  requireEvent('loanCode', code.loanCodeStatus, 'code.unblock')
  if (code.waitReason !== 'blocked') throw new Fault('stateConflict', 'errors.notBlocked')
  const open = await tx.maybe(sql`
    select 1 from recon_item i join loan_code c on i.object_type = 'loanCode' and i.object_no = c.loan_code
    where c.order_no = ${order.orderNo} and i.recon_kind = 'paid_not_expected' and i.recon_status = 'open'`)
  if (open) throw new Fault('stateConflict', 'errors.exceptionOpen')
}

/** Asks for a blocked code to be sent after all. */
export const unblockServed = serve(recon.unblock, async call => {
  const { tx, session, input } = call
  const held = await lockCode(tx, session, input.loanCode)
  const { order, code } = held
  checkVersion(code, input.version)
  await checkBlocked(tx, held)
  const approvalNo = await requestApproval(call, {
    action: unblockAction,
    perm: unblockPerm,
    objectType: 'loanCode',
    objectNo: code.loanCode,
    orderNo: order.orderNo,
    merchantNo: order.merchantNo,
    version: code.version,
    payload: { loanCode: code.loanCode, reason: input.reason },
    summary: [
      { label: 'fields.waitReason', before: 'dict.WAIT_REASON.blocked', after: null },
      { label: 'fields.actualLoanAmount', before: null, after: code.actualLoanAmount },
      { label: 'fields.reason', before: null, after: input.reason },
    ],
  })
  const { loanCode: objectNo } = code
  call.audit({ objectType: 'loanCode', objectNo, orderNo: order.orderNo, after: { approvalNo, reason: input.reason } })
  return { approvalNo }
})

export const unblockApproval: ApprovalAction = {
  action: unblockAction,
  perm: unblockPerm,
  money: true,
  async execute(tx, { objectNo, checker }) {
    const held = await lockCode(tx, null, objectNo)
    await checkBlocked(tx, held)
    await transition(tx, 'loanCode', held.code, { event: 'code.unblock', set: { waitReason: null } }, checker)
  },
}

import { sql } from 'kysely'
import {
  type AccountKind,
  type accounts,
  keptKinds,
  type LedgerKey,
  ledgerKeys,
  readAccount,
} from '../../core/rules/ledger/accounts.ts'
import { flawOf, type LedgerKeys, type LedgerLine, mirrored } from '../../core/rules/ledger/check.ts'
import type { DirectCode, PostingCode } from '../../core/rules/ledger/postings.ts'
import { add, isZero, type Money } from '../../core/rules/money.ts'
import type { EatDate } from '../../core/rules/time.ts'
import { snakeOf } from '../db/append.ts'
import type { Tx } from '../db/database.ts'
import type { Actor } from '../rights/actor.ts'
import { ledgerNumber } from './numbers.ts'

type Held = { [K in AccountKind]: (typeof accounts)[K] extends { of: string } ? K : never }[AccountKind]
const of = (kind: Held) => (no: string) => `${kind}:${no}`
const only = (kind: Exclude<AccountKind, Held>): string => kind

/** Account codes of the ledger. A parameter names the object whose balance is kept. */
export const account = {
  bank: of('bank'),
  ownerFunds: of('owner_funds'),
  inFlight: of('payout_in_flight'),
  exception: of('payout_exception'),
  principal: of('principal'),
  interest: of('interest_rcv'),
  fee: of('fee_rcv'),
  penalty: of('penalty_rcv'),
  deferredInterest: of('deferred_interest'),
  deferredFee: of('deferred_fee'),
  suspense: of('suspense'),
  overpayment: of('overpayment'),
  refundPayable: of('refund_payable'),
  refundInFlight: of('refund_in_flight'),
  transferInFlight: of('transfer_in_flight'),
  merchant: of('merchant'),
  wallet: of('wallet'),
  walletInFlight: of('wallet_in_flight'),
  staffInFlight: of('staff_benefit_in_flight'),
  channelCost: of('channel_cost'),
  interestIncome: only('interest_income'),
  feeIncome: only('fee_income'),
  penaltyIncome: only('penalty_income'),
  extensionIncome: only('extension_income'),
  couponExpense: only('coupon_expense'),
  exemptionExpense: only('exemption_expense'),
  serviceIncome: only('service_income'),
  rewardExpense: only('reward_expense'),
  smallBalance: only('small_balance_expense'),
  staffExpense: only('staff_benefit_expense'),
} as const

/** What `postings` declares under the code, for one cause. */
export type Posting = {
  code: DirectCode
  /** What caused it: `loan_code:LC…`, so that every journal leads back to a transition. */
  cause: string
  /** The EAT day on which it counts for the customer, where that is not the day of the posting. */
  valueDate?: EatDate
  keys: LedgerKeys
  lines: readonly LedgerLine[]
}

const noKeys = Object.fromEntries(ledgerKeys.map(key => [key, null]))

const pending = new WeakMap<Tx, Map<string, Money>>()

const keep = (tx: Tx, code: string, amount: Money) => {
  const kind = readAccount(code)?.kind
  if (!kind || !keptKinds.includes(kind)) return
  let deltas = pending.get(tx)
  if (!deltas) {
    const fresh = new Map<string, Money>()
    pending.set(tx, (deltas = fresh))
    tx.beforeCommit(async () => {
      const rows = [...fresh].filter(([, delta]) => !isZero(delta)).sort(([a], [b]) => (a < b ? -1 : 1))
      fresh.clear()
      if (rows.length === 0) return
      await tx.exec(sql`
        insert into ledger_balance (account_code, balance)
        select * from unnest(${rows.map(([name]) => name)}::text[], ${rows.map(([, delta]) => delta)}::numeric[])
        on conflict (account_code) do update set balance = ledger_balance.balance + excluded.balance`)
    })
  }
  deltas.set(code, add(deltas.get(code) ?? '0.00', amount))
}

const moved = new WeakSet<Tx>()
/** Whether a transaction has posted anything. */
export const hasPosted = (tx: Tx): boolean => moved.has(tx)

type Journal = Omit<Posting, 'code' | 'keys' | 'lines'> & {
  code: PostingCode
  orderNo?: string | null
  reverses?: { journalNo: number; code: string }
  lines: readonly LedgerLine[]
}

const write = async (tx: Tx, journal: Journal, actor: Actor): Promise<number | null> => {
  const { code, cause, valueDate, orderNo, reverses, lines } = journal
  const flaw = flawOf({ code, valueDate, lines }, tx.today)
  if (flaw) throw new Error(`${code} for ${cause} ${flaw}`)
  if (lines.length === 0) return null
  moved.add(tx)
  const journalNo = await ledgerNumber(tx)
  tx.append('journal', {
    journalNo,
    postingCode: code,
    businessDate: tx.today,
    valueDate: valueDate ?? tx.today,
    postedTime: tx.now,
    cause,
    requestId: actor.requestId,
    actor: actor.no,
    orderNo: orderNo ?? null,
    reversesJournalNo: reverses?.journalNo ?? null,
    reversedPostingCode: reverses?.code ?? null,
  })
  for (const { account: accountCode, ...line } of lines) {
    tx.append('journalLine', { ...noKeys, ...line, component: line.component ?? null, journalNo, accountCode })
    keep(tx, accountCode, line.amount)
  }
  return journalNo
}

/**
 * The one way to move money: writes a journal as `postings` declares it. Debits are positive, credits negative; together they are 0.00.
 * Zero lines are left out; without any other line nothing is written.
 * @returns the number of the journal, null where nothing was written
 * @throws Error when the lines do not fit the declaration of their posting code
 */
export const post = async (tx: Tx, { keys, lines, ...posting }: Posting, actor: Actor): Promise<number | null> => {
  const full = lines.filter(line => !isZero(line.amount)).map(line => ({ ...keys, ...line }))
  return write(tx, { ...posting, orderNo: keys.orderNo, lines: full }, actor)
}

type Stored = { postingCode: PostingCode; valueDate: EatDate; orderNo: string | null; reversed: boolean }
type StoredLine = { accountCode: string; amount: Money } & Record<'component' | LedgerKey, string | null>

const lineOf = ({ accountCode, amount, ...named }: StoredLine): LedgerLine => ({
  account: accountCode,
  amount,
  ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null)),
})

/**
 * Takes a journal back by its exact negation, on the value date of the original. What was taken back, and what takes
 * something back, is not taken back again: refused here, and by the database where two do it at once.
 */
export const reverse = async (tx: Tx, journalNo: number, cause: string, actor: Actor): Promise<number | null> => {
  await tx.flush()
  const journal = await tx.one(sql<Stored>`
    select posting_code, value_date, order_no, exists (select 1 from journal r where r.reverses_journal_no = j.journal_no) as reversed
    from journal j where journal_no = ${journalNo}`)
  const { postingCode: code, valueDate, orderNo } = journal
  if (code === 'P-REV') throw new Error(`journal ${journalNo} is a reversal and is not taken back for ${cause}`)
  if (journal.reversed) throw new Error(`journal ${journalNo} was taken back before ${cause}`)
  const stored = await tx.rows(sql<StoredLine>`
    select account_code, amount, component, ${sql.join(ledgerKeys.map(key => sql.ref(snakeOf(key))))}
    from journal_line where journal_no = ${journalNo} order by line_no`)
  const reverses = { journalNo, code }
  const lines = mirrored(stored.map(lineOf))
  return write(tx, { code: 'P-REV', cause, valueDate, orderNo, reverses, lines }, actor)
}

/** Locks the balance of an account and answers it, with what this transaction has posted so far. */
export const lockedBalance = async (tx: Tx, accountCode: string): Promise<Money> => {
  const stored = await tx.maybe(
    sql<{ balance: Money }>`select balance from ledger_balance where account_code = ${accountCode} for update`,
  )
  return add(stored?.balance ?? '0.00', pending.get(tx)?.get(accountCode) ?? '0.00')
}

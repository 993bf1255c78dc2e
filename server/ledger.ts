import { sql } from 'kysely'
import { add, isZero, type Money, neg, sum } from '../core/rules/money.ts'
import type { Actor } from './actor.ts'
import type { Tx } from './db/database.ts'
import { ledgerNumber } from './numbers.ts'

/** Account codes of the ledger. A parameter names the object whose balance is kept. */
export const account = {
  bank: (fundAccountNo: string) => `bank:${fundAccountNo}`,
  ownerFunds: (lender: string) => `owner_funds:${lender}`,
  inFlight: (loanCode: string) => `payout_in_flight:${loanCode}`,
  exception: (externalId: string) => `payout_exception:${externalId}`,
  principal: (orderNo: string) => `principal:${orderNo}`,
  interest: (orderNo: string) => `interest_rcv:${orderNo}`,
  fee: (orderNo: string) => `fee_rcv:${orderNo}`,
  penalty: (orderNo: string) => `penalty_rcv:${orderNo}`,
  deferredInterest: (orderNo: string) => `deferred_interest:${orderNo}`,
  deferredFee: (orderNo: string) => `deferred_fee:${orderNo}`,
  suspense: (flowNo: string) => `suspense:${flowNo}`,
  overpayment: (customerNo: string) => `overpayment:${customerNo}`,
  channelCost: (channel: string) => `channel_cost:${channel}`,
  interestIncome: 'interest_income',
  feeIncome: 'fee_income',
  penaltyIncome: 'penalty_income',
  exemptionExpense: 'exemption_expense',
  smallBalance: 'small_balance_expense',
} as const

export type PostingCode =
  | 'P0'
  | 'P1a'
  | 'P1b'
  | 'P1c'
  | 'P1d'
  | 'P1e'
  | 'P2a'
  | 'P2b'
  | 'P2c'
  | 'P2d'
  | 'P3'
  | 'P4'
  | 'P4b'
  | 'P4c'
  | 'P5'
  | 'P15'
  | 'P16'
  | 'P17'
  | 'P-REV'

type Keys = {
  orderNo?: string
  billNo?: string
  loanCode?: string
  flowNo?: string
  repaymentNo?: string
  customerNo?: string
  merchantNo?: string
}
export type Posting = {
  code: PostingCode
  /** What caused it: `loan_code:LC…`, so that every journal leads back to a transition. */
  cause: string
  /** The EAT day on which it counts for the customer; today unless money came on another day. */
  valueDate?: string
  reverses?: { journalNo: number; code: string }
  keys: Keys
  lines: readonly ({ account: string; amount: Money; component?: string } & Keys)[]
}

/** Accounts whose balance is kept; incomes and expenses are summed when somebody asks. */
const kept =
  /^(bank|payout_in_flight|payout_exception|principal|interest_rcv|fee_rcv|penalty_rcv|deferred_interest|deferred_fee|suspense|overpayment):/

const pending = new WeakMap<Tx, Map<string, Money>>()

const keep = (tx: Tx, code: string, amount: Money) => {
  if (!kept.test(code)) return
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

/** The one way to move money: writes a balanced journal, debit plus and credit minus. Zero lines are left out; nothing left, nothing written. */
export const post = async (tx: Tx, posting: Posting, actor: Actor): Promise<number | null> => {
  const lines = posting.lines.filter(line => !isZero(line.amount))
  if (!isZero(sum(lines.map(line => line.amount))))
    throw new Error(`${posting.code} for ${posting.cause} does not balance`)
  if (lines.length === 0) return null
  const journalNo = await ledgerNumber(tx)
  tx.append('journal', {
    journalNo,
    postingCode: posting.code,
    businessDate: tx.today,
    valueDate: posting.valueDate ?? tx.today,
    postedTime: tx.now,
    cause: posting.cause,
    requestId: actor.requestId,
    actor: actor.no,
    orderNo: posting.keys.orderNo ?? null,
    reversesJournalNo: posting.reverses?.journalNo ?? null,
    reversedPostingCode: posting.reverses?.code ?? null,
  })
  for (const { account: accountCode, amount, component, ...own } of lines) {
    const keys = { ...posting.keys, ...own }
    tx.append('journalLine', {
      journalNo,
      accountCode,
      component: component ?? null,
      amount,
      orderNo: keys.orderNo ?? null,
      billNo: keys.billNo ?? null,
      loanCode: keys.loanCode ?? null,
      flowNo: keys.flowNo ?? null,
      repaymentNo: keys.repaymentNo ?? null,
      customerNo: keys.customerNo ?? null,
      merchantNo: keys.merchantNo ?? null,
    })
    keep(tx, accountCode, amount)
  }
  return journalNo
}

type StoredLine = {
  accountCode: string
  amount: Money
  component: string | null
  orderNo: string | null
  billNo: string | null
  loanCode: string | null
  flowNo: string | null
  repaymentNo: string | null
  customerNo: string | null
  merchantNo: string | null
}

/** Takes a journal back by its exact negation, on the value date of the original; a second time is refused by the database. */
export const reverse = async (tx: Tx, journalNo: number, cause: string, actor: Actor): Promise<number | null> => {
  await tx.flush()
  const journal = await tx.one(
    sql<{
      postingCode: string
      valueDate: string
      orderNo: string | null
    }>`select posting_code, value_date, order_no from journal where journal_no = ${journalNo}`,
  )
  const lines = await tx.rows(
    sql<StoredLine>`select account_code, amount, component, order_no, bill_no, loan_code, flow_no, repayment_no, customer_no, merchant_no from journal_line where journal_no = ${journalNo} order by line_no`,
  )
  return post(
    tx,
    {
      code: 'P-REV',
      cause,
      valueDate: journal.valueDate,
      reverses: { journalNo, code: journal.postingCode },
      keys: journal.orderNo ? { orderNo: journal.orderNo } : {},
      lines: lines.map(({ accountCode, amount, component, ...keys }) => ({
        account: accountCode,
        amount: neg(amount),
        ...(component ? { component } : {}),
        ...(Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== null)) as Keys),
      })),
    },
    actor,
  )
}

/** Locks the balance of an account and answers it, with what this transaction has posted so far. */
export const lockedBalance = async (tx: Tx, accountCode: string): Promise<Money> => {
  const stored = await tx.maybe(
    sql<{ balance: Money }>`select balance from ledger_balance where account_code = ${accountCode} for update`,
  )
  return add(stored?.balance ?? '0.00', pending.get(tx)?.get(accountCode) ?? '0.00')
}

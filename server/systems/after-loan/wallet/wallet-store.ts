import { type RawBuilder, type Selectable, sql } from 'kysely'
import { add, formatMoney, type Money, neg, sub } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { notFound } from '../../../http/fault.ts'
import { account, post, reverse } from '../../../money/ledger.ts'
import type { Actor } from '../../../rights/actor.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { type Payable, senderOf } from '../../charge/send/index.ts'

type Frag = RawBuilder<unknown>
export type Withdrawal = Selectable<DB['walletWithdrawal']>

/** The data rule of a reward, a withdrawal or an entry of a wallet: its merchant. They are nobody's work. */
export const walletScope = (session: Session, alias: string, perm?: string): Frag =>
  scope(session, { merchant: `${alias}.merchant_no`, holder: () => sql`true`, perm })

/** A withdrawal as it is now, locked. */
export const reread = (tx: Tx, withdrawNo: string): Promise<Withdrawal> =>
  tx.one(sql<Withdrawal>`select * from wallet_withdrawal where withdraw_no = ${withdrawNo} for update`)

/** A withdrawal for changing it; jobs have no session. */
export const lockWithdrawal = async (tx: Tx, session: Session | null, withdrawNo: string): Promise<Withdrawal> => {
  const found = await tx.maybe(sql`
    select 1 from wallet_withdrawal w where w.withdraw_no = ${withdrawNo} and ${session ? walletScope(session, 'w') : sql`true`}`)
  if (!found) throw notFound()
  return reread(tx, withdrawNo)
}

/** What a customer has in the wallet, under the lock that whatever changes it takes. */
export const lockedWallet = async (tx: Tx, customerNo: string): Promise<Money> => {
  await tx.exec(sql`select 1 from customer where customer_no = ${customerNo} for no key update`)
  const last = await tx.maybe(sql<{ walletBalance: Money }>`
    select wallet_balance from wallet_entry where customer_no = ${customerNo} order by entry_no desc limit 1`)
  return last?.walletBalance ?? '0.00'
}

const kinds = { P12r: 'reward', P12a: 'withdrawal', P12c: 'returned' } as const
type Change = {
  code: keyof typeof kinds
  customerNo: string
  merchantNo: string
  /** The reward or the withdrawal that changes it. */
  reference: string
  amount: Money
}

/** Changes a locked wallet: a line of its statement and the posting behind it. Answers what is in it now. */
export const changeWallet = async (tx: Tx, balance: Money, change: Change, actor: Actor): Promise<Money> => {
  const { code, customerNo, merchantNo, reference, amount } = change
  const signed: Money = code === 'P12a' ? neg(amount) : amount
  const after = add(balance, signed)
  await tx.exec(sql`
    insert into wallet_entry (customer_no, merchant_no, entry_kind, reference, amount, wallet_balance, entry_time)
    values (${customerNo}, ${merchantNo}, ${kinds[code]}, ${reference}, ${signed}, ${after}, ${tx.now})`)
  const other = code === 'P12r' ? account.rewardExpense : account.walletInFlight(reference)
  const lines = [
    { account: account.wallet(customerNo), amount: neg(signed) },
    { account: other, amount: signed },
  ]
  const cause = `${code === 'P12r' ? 'wallet_reward' : 'wallet_withdrawal'}:${reference}`
  await post(tx, { code, cause, keys: { customerNo }, lines }, actor)
  return after
}

/** Takes a reward out of a locked wallet: a line of its statement, and the exact negation of what gave it. */
export const takeOut = async (tx: Tx, balance: Money, change: Omit<Change, 'code'>, actor: Actor): Promise<void> => {
  const { customerNo, merchantNo, reference, amount } = change
  await tx.exec(sql`
    insert into wallet_entry (customer_no, merchant_no, entry_kind, reference, amount, wallet_balance, entry_time)
    values (${customerNo}, ${merchantNo}, 'taken_back', ${reference}, ${neg(amount)}, ${sub(balance, amount)}, ${tx.now})`)
  const cause = `wallet_reward:${reference}`
  await tx.flush()
  const { journalNo } = await tx.one(sql<{ journalNo: number }>`
    select journal_no from journal where cause = ${cause} and posting_code = 'P12r'`)
  await reverse(tx, journalNo, cause, actor)
}

/**
 * A withdrawal as something that money is sent for. It left the wallet when it was asked for and waits in flight until it arrives or
 * somebody cancels it, so that only an arrival is posted.
 */
export const payableOf = (tx: Tx, withdrawal: Withdrawal): Payable<Withdrawal> => {
  const { withdrawNo, withdrawAmount, customerNo, merchantNo } = withdrawal
  return {
    kind: 'withdrawal',
    machine: 'walletWithdrawal',
    no: withdrawNo,
    row: withdrawal,
    status: withdrawal.withdrawStatus,
    states: { running: 'paying', failed: 'pay_failed', paid: 'success' },
    notesUnknown: false,
    async book(way, { fundAccountNo }, actor) {
      if (way !== 'arrived') return
      const lines = [
        { account: account.walletInFlight(withdrawNo), amount: withdrawAmount },
        { account: account.bank(fundAccountNo), amount: neg(withdrawAmount) },
      ]
      const cause = `wallet_withdrawal:${withdrawNo}`
      await post(tx, { code: 'P12b', cause, keys: { customerNo }, lines }, actor)
    },
    paidSet: { finishTime: tx.now },
    paid: async () => undefined,
    async message() {
      const { appName } = await tx.one(
        sql<{ appName: string }>`select app_name from merchant where merchant_no = ${merchantNo}`,
      )
      return `${appName}: your rewards, UGX ${formatMoney(withdrawAmount)}, number ${withdrawNo}`
    },
  }
}

/** Sends of withdrawals. */
export const withdrawalSender = senderOf('withdrawal', async (tx, no) =>
  payableOf(tx, await lockWithdrawal(tx, null, no)),
)

import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Money } from '../../../core/rules/money.ts'
import type { Tx } from '../../db/database.ts'
import { noPayout } from '../../money/no-gateway.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { loanModule } from '../../systems/after-loan/payout/desk/loan.ts'
import { giveReward, type Reward } from '../../systems/after-loan/wallet/index.ts'
import { walletModule } from '../../systems/after-loan/wallet/wallet.ts'
import { lockWithdrawal, withdrawalSender } from '../../systems/after-loan/wallet/wallet-store.ts'
import { takeOut } from '../../systems/after-loan/wallet/withdraw.ts'
import { at, type Hand, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const actor = system('demo wallets')
let serials = 9_960_000_000

type Customer = { customerNo: string; merchantNo: string; merchantName: string; orderNo: string; payoutTime: string }

/** Customers whose loan was paid to a wallet of MTN long enough ago. */
const customers = (tx: Tx) =>
  tx.rows(sql<Customer>`
    select * from (
      select distinct on (o.customer_no) o.customer_no, o.merchant_no, m.merchant_name, o.order_no, o.payout_time
      from loan_order o join merchant m using (merchant_no) join loan_code lc using (order_no)
      where lc.loan_code_status = 'success' and lc.payout_subtype = 'mtn' and o.payout_time < ${new Date(tx.now.getTime() - 4 * day)}
        and exists (select 1 from fund_account fa join fund_account_merchant fm using (fund_account_no)
          where fm.merchant_no = o.merchant_no and fa.channel = 'mtn_momo' and fa.enabled = 'enabled' and fa.account_role in ('payout', 'both'))
      order by o.customer_no, o.payout_time) x
    order by payout_time, order_no limit 20`)

const kinds: readonly (readonly [Reward['rewardType'], string, Money])[] = [
  ['invite', 'Invite a friend', '5000.00'],
  ['task', 'Complete your profile', '1000.00'],
  ['activity', 'Repay on time', '2000.00'],
  ['manual', 'Goodwill', '3000.00'],
]

type End = 'paid' | 'paying' | 'failed' | 'cancelled'
const cases: readonly (readonly [amount: Money, age: number, end: End])[] = [
  ['5000.00', 50 * minute, 'paying'],
  ['3000.00', 3 * hour, 'failed'],
  ['4000.00', 9 * hour, 'failed'],
  ['6000.00', 20 * hour, 'cancelled'],
  ['2000.00', 30 * hour, 'paid'],
  ['5000.00', 44 * hour, 'paid'],
  ['3000.00', 60 * hour, 'paid'],
]

const withdrawn = async (hand: Hand, then: Tx, of: Customer, amount: Money): Promise<string> => {
  const input = { requestNo: `APP${++serials}`, customerNo: of.customerNo, withdrawAmount: amount }
  const { withdrawNo } = await takeOut({ tx: then, input, actor, audit: () => undefined }, of)
  await then.flush()
  const externalId = `${withdrawNo}-1`
  await hand.network(then, 'payout.send', externalId, { externalId }, { kind: 'accepted' })
  await then.flush()
  return withdrawNo
}

const answered = async (then: Tx, withdrawNo: string, end: End) => {
  const held = await withdrawalSender.hold(then, `${withdrawNo}-1`)
  if (end === 'paid') await held.apply({ kind: 'success', serialNo: String(++serials) }, actor)
  else if (end === 'paying') await held.apply({ kind: 'unknown', answerCode: 'TIMEOUT' }, actor)
  else {
    const said = { failType: 'payee_limit', answerCode: 'PAYEE_LIMIT', answerMessage: 'payee limit reached' } as const
    await held.apply({ kind: 'failure', ...said }, actor)
  }
  await then.flush()
}

/** Rewards of all kinds, and withdrawals in all states: one of them hangs. */
export const writeWallets = async (tx: Tx): Promise<void> => {
  const payout = { mtn_momo: noPayout }
  const hand = handFor([walletModule({ payout }), loanModule({ payout }, undefined, [withdrawalSender])])
  const cashier = await rightsOfPerson(tx, userNoOf('finance1'), 'en')
  const all = await customers(tx)
  for (const [n, of] of all.entries())
    for (const [k, [rewardType, activityType, rewardAmount]] of kinds.entries()) {
      if ((n + k) % 2) continue
      const then = at(tx, new Date(tx.now.getTime() - 4 * day + (n * kinds.length + k) * 10 * minute))
      const reward = { rewardType, activityType, rewardAmount, sourceNo: `${of.orderNo}-${k}` }
      const { customerNo, merchantNo } = of
      await giveReward(then, { customerNo, merchantNo, ...reward }, actor)
      await then.flush()
    }
  for (const [n, [amount, age, end]] of cases.entries()) {
    const of = all[2 * n]
    if (!of) continue
    const then = at(tx, new Date(tx.now.getTime() - age))
    const withdrawNo = await withdrawn(hand, then, of, amount)
    const later = at(tx, new Date(tx.now.getTime() - age + minute))
    await answered(later, withdrawNo, end)
    if (end !== 'cancelled') continue
    const { version } = await lockWithdrawal(later, null, withdrawNo)
    await hand.call(later, cashier, contract.wallet.cancel, {
      withdrawNo,
      version,
      reason: 'Customer changed the number',
    })
    await later.flush()
  }
}

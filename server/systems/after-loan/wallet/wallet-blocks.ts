import { sql } from 'kysely'
import { wallet as calls } from '../../../../core/contract/after-loan/wallet.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, stateConflict } from '../../../http/fault.ts'
import { tooEarly } from '../../charge/send/index.ts'
import type { Withdrawal } from './wallet-store.ts'

/** Sends of one withdrawal. */
export const maxAttempts = 5

type Facts = { withdrawal: Withdrawal; sentTime: string | null; firstBy: string | null }

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, Facts>> => {
  const mine = sql`w.withdraw_no = any(${[...keys]})`
  const rows = await tx.rows(sql<Withdrawal>`select w.* from wallet_withdrawal w where ${mine}`)
  const rest = await tx.rows(sql<Omit<Facts, 'withdrawal'> & { withdrawNo: string }>`
    select w.withdraw_no, ga.sent_time,
      (select cf.first_by from loan_code_confirm cf where cf.parent_kind = 'withdrawal' and cf.parent_no = w.withdraw_no and cf.confirm_status = 'first_confirmed') as first_by
    from wallet_withdrawal w left join gateway_attempt ga on ga.parent_kind = 'withdrawal' and ga.parent_no = w.withdraw_no and ga.attempt_no = w.attempt_no
    where ${mine}`)
  const restOf = new Map(rest.map(one => [one.withdrawNo, one]))
  return new Map(
    rows.map(withdrawal => {
      const { sentTime = null, firstBy = null } = restOf.get(withdrawal.withdrawNo) ?? {}
      return [withdrawal.withdrawNo, { withdrawal, sentTime, firstBy }]
    }),
  )
}

const isRunning = ({ withdrawal }: Facts) => withdrawal.withdrawStatus === 'paying'
const under = () => new Fault('stateConflict', 'errors.withdrawPaying', {}, { status: 'paying' })

const retry = (facts: Facts) => {
  if (isRunning(facts)) return under()
  const { withdrawStatus, attemptNo } = facts.withdrawal
  return withdrawStatus === 'pay_failed' && attemptNo >= maxAttempts
    ? new Fault('stateConflict', 'errors.withdrawAttempts', { count: maxAttempts })
    : null
}

const query = ({ withdrawal: { withdrawStatus } }: Facts) =>
  withdrawStatus === 'paying' ? null : stateConflict(withdrawStatus, 'WALLET_WITHDRAW_STATUS')

const confirm = (facts: Facts, { tx, session }: Asker) => {
  if (!isRunning(facts)) return null
  if (session && facts.firstBy === session.userNo) return new Fault('forbidden', 'errors.makerChecker')
  return tooEarly(tx.now, { sentTime: facts.sentTime, channel: facts.withdrawal.channel })
}

/** Why withdrawals do not take what people would do with them. */
export const walletBlocks = blocks<Facts>({
  read,
  states: ({ withdrawal }) => ({ walletWithdrawal: withdrawal.withdrawStatus }),
  commands: [
    { command: calls.retry, refuses: retry },
    { command: calls.cancel, refuses: facts => (isRunning(facts) ? under() : null) },
    { command: calls.query, refuses: query },
    { command: calls.confirm, refuses: confirm },
  ],
})

import { sql } from 'kysely'
import { wallet as calls, WithdrawalRow } from '../../../../core/contract/after-loan/wallet.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { fromFor, selected } from '../../../lists/list.ts'
import { attemptRows, journalRows } from '../payout/index.ts'
import { walletBlocks } from './wallet-blocks.ts'
import { withdrawals } from './wallet-source.ts'
import { walletScope } from './wallet-store.ts'

type Statement = OutputOf<typeof calls.statement>
type Detail = OutputOf<typeof calls.withdrawal>

/** Lines of a statement that are shown, the newest first. */
const shown = 200

const statement = serve(calls.statement, async ({ tx, session, input: { customerNo } }) => {
  const entries = await tx.rows(sql<Statement['entries'][number]>`
    select e.entry_no, e.entry_time, e.entry_kind, e.reference, m.merchant_name, e.amount as entry_amount, e.wallet_balance
    from wallet_entry e join merchant m using (merchant_no)
    where e.customer_no = ${customerNo} and ${walletScope(session, 'e')} order by e.entry_no desc limit ${shown}`)
  if (entries.length === 0) throw notFound()
  const held = await tx.one(sql<Omit<Statement, 'entries'>>`
    select c.customer_no, c.customer_name,
      (select e.wallet_balance from wallet_entry e where e.customer_no = c.customer_no order by e.entry_no desc limit 1) as wallet_balance,
      coalesce((select sum(w.withdraw_amount) from wallet_withdrawal w where w.customer_no = c.customer_no
        and w.withdraw_status in ('paying', 'pay_failed') and ${walletScope(session, 'w')}), 0)::numeric(18,2) as withdrawing
    from customer c where c.customer_no = ${customerNo}`)
  return { ...held, entries }
})

const detail = serve(calls.withdrawal, async ({ tx, session, input: { withdrawNo } }) => {
  const source = withdrawals.source({ tx, session })
  const columns = selected(source, Object.keys(WithdrawalRow.shape))
  const where = sql`w.withdraw_no = ${withdrawNo} and ${walletScope(session, 'w')}`
  const row = await tx.maybe(
    sql<WithdrawalRow>`select ${sql.join(columns)} from ${fromFor(tx, source, [where, ...columns])} where ${where}`,
  )
  if (!row) throw notFound()
  const [blockedBy = {}] = await walletBlocks.of({ tx, session }, [withdrawNo])
  return {
    withdrawal: { ...row, blockedBy },
    attempts: await attemptRows(tx, sql`ga.parent_kind = 'withdrawal' and ga.parent_no = ${withdrawNo}`),
    confirms: await tx.rows(sql<Detail['confirms'][number]>`
      select confirm_no, confirm_status, result, serial_no, first_name, first_time, second_name, second_time
      from loan_code_confirm where parent_kind = 'withdrawal' and parent_no = ${withdrawNo} order by first_time nulls last, confirm_no`),
    history: await tx.rows(sql<Detail['history'][number]>`
      select t.at, t.event, t.from_state as "from", t.to_state as "to", t.machine, coalesce(u.real_name, t.actor) as actor_name
      from state_transition t left join app_user u on u.user_no = t.actor
      where (t.machine = 'M62' and t.object_no = ${withdrawNo})
        or (t.machine = 'M23' and t.object_no in (select confirm_no from loan_code_confirm where parent_kind = 'withdrawal' and parent_no = ${withdrawNo}))
      order by t.transition_no`),
    journals: await journalRows(
      tx,
      sql`j.cause = ${`wallet_withdrawal:${withdrawNo}`} or j.cause in (
        select 'payout_attempt:' || external_id from gateway_attempt where parent_kind = 'withdrawal' and parent_no = ${withdrawNo})`,
    ),
  }
})

/** The statement of a wallet, and one withdrawal with its sends. */
export const detailServed = [statement, detail]

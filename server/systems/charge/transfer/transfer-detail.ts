import { sql } from 'kysely'
import { transfer as calls, TransferRow } from '../../../../core/contract/charge/transfer.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { fromFor, selected } from '../../../lists/list.ts'
import type { Session } from '../../../session/session.ts'
import { attemptRows, journalRows } from '../../after-loan/payout/index.ts'
import { transferBlocks } from './transfer-blocks.ts'
import { ownAccounts, transfers } from './transfer-source.ts'
import { type Transfer, transferScope } from './transfer-store.ts'

type Detail = OutputOf<typeof calls.detail>

const rowOf = async (tx: Tx, session: Session, transferNo: string): Promise<TransferRow> => {
  const source = transfers.source({ tx, session })
  const columns = selected(source, Object.keys(TransferRow.shape))
  const where = sql`t.transfer_no = ${transferNo} and ${transferScope(session)}`
  const row = await tx.maybe(
    sql<TransferRow>`select ${sql.join(columns)} from ${fromFor(tx, source, [where, ...columns])} where ${where}`,
  )
  if (!row) throw notFound()
  const [blockedBy = {}] = await transferBlocks.of({ tx, session }, [transferNo])
  return { ...row, blockedBy }
}

const historyOf = (tx: Tx, transferNo: string) =>
  tx.rows(sql<Detail['history'][number]>`
    select t.at, t.event, t.from_state as "from", t.to_state as "to", t.machine, coalesce(u.real_name, t.actor) as actor_name
    from state_transition t left join app_user u on u.user_no = t.actor
    where (t.machine = 'M61' and t.object_no = ${transferNo})
      or (t.machine = 'M23' and t.object_no in (select confirm_no from loan_code_confirm where parent_kind = 'transfer' and parent_no = ${transferNo}))
    order by t.transition_no`)

/** One transfer with the balances then and now, its approvals, sends and journals. */
export const detailServed = serve(calls.detail, async ({ tx, session, input: { transferNo } }) => {
  const transfer = await rowOf(tx, session, transferNo)
  const stored = await tx.one(sql<Transfer>`select * from transfer_apply where transfer_no = ${transferNo}`)
  const both = [transfer.fromAccountNo, transfer.toAccountNo]
  return {
    transfer,
    accounts: await ownAccounts(tx, session, sql`fa.fund_account_no = any(${both})`),
    balancesThen: [
      { accountName: transfer.fromAccountName, balance: stored.fromBalanceThen },
      { accountName: transfer.toAccountName, balance: stored.toBalanceThen },
    ],
    approvals: await tx.rows(sql<Detail['approvals'][number]>`
      select round, real_name, approved_time, remark from transfer_approval where transfer_no = ${transferNo} order by round, approved_time, user_no`),
    attempts: await attemptRows(tx, sql`ga.parent_kind = 'transfer' and ga.parent_no = ${transferNo}`),
    confirms: await tx.rows(sql<Detail['confirms'][number]>`
      select confirm_no, confirm_status, result, serial_no, first_name, first_time, second_name, second_time
      from loan_code_confirm where parent_kind = 'transfer' and parent_no = ${transferNo} order by first_time nulls last, confirm_no`),
    history: await historyOf(tx, transferNo),
    journals: await journalRows(
      tx,
      sql`j.cause = ${`transfer_apply:${transferNo}`} or j.cause in (
        select 'payout_attempt:' || external_id from gateway_attempt where parent_kind = 'transfer' and parent_no = ${transferNo})`,
    ),
  }
})

/** Own accounts for the form, the review and the suggestion. */
export const accountsServed = serve(calls.accounts, async ({ tx, session }) => ({
  list: await ownAccounts(tx, session),
}))

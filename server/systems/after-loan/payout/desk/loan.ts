import { sql } from 'kysely'
import { loan } from '../../../../../core/contract/after-loan/loan.ts'
import type { OutputOf } from '../../../../../core/contract/endpoint.ts'
import { notFound } from '../../../../http/fault.ts'
import { serve } from '../../../../http/serve.ts'
import { numbersOf } from '../../../../lists/list.ts'
import { listed, serveListed } from '../../../../lists/listed.ts'
import type { Deps, Module } from '../../../../module.ts'
import { scope } from '../../../../rights/scope.ts'
import { findOrder, noteSearch } from '../../../order/order/index.ts'
import { listValues } from '../../../risk/name-list/index.ts'
import { fileApproval, fileQueue } from '../../released-order/released-confirm.ts'
import { releasedOrders } from '../../released-order/released-orders.ts'
import { balanceJob, balanceQueue } from '../channel-balance.ts'
import { markCodeChecked } from '../mark-checked.ts'
import { acceptCodePayee } from '../payee/payee-approval.ts'
import { correctApproval } from '../payee/payee-correct.ts'
import { type AskTimes, askTimes, dispatchJob, dispatchQueue } from '../payout.ts'
import { abortServed, cancelPaidApproval, cancelPaidServed } from '../payout-reverse.ts'
import {
  askJob,
  askQueue,
  callbackQueue,
  holdOf,
  loanSender,
  resendQueue,
  type Sender,
  sendQueue,
} from '../payout-send.ts'
import { payoutWarnings } from '../payout-warnings.ts'
import { confirmServed } from './confirm.ts'
import { loanBlocks } from './loan-blocks.ts'
import { loanCommands } from './loan-command.ts'
import {
  attemptsOfCode,
  historyOfCode,
  journalsOfCode,
  loanCodeRows,
  loanColumns,
  loanFrom,
  loanJoins,
  loanPage,
  loanScope,
  unknownMinutes,
  waitsForApproval,
} from './loan-source.ts'

type Detail = OutputOf<typeof loan.detail>
type Summary = OutputOf<typeof loan.summary>

const codes = listed({
  list: loan.page,
  source: ({ tx, session }) => ({
    from: sql`loan_code lc`,
    joins: loanJoins,
    where: loanScope(session),
    columns: loanColumns(tx),
    alias: 'lc',
    key: sql`lc.loan_code`,
    filters: {
      keyword: text => {
        const any = sql`any(${numbersOf(text)})`
        return sql`lc.loan_code in (
          select l.loan_code from loan_code l where l.loan_code = ${any} or l.order_no = ${any} or l.serial_no = ${any}
          union all select l.loan_code from loan_order t join loan_code l on l.order_no = t.order_no where t.third_order_no = ${any}
          union all select g.parent_no from gateway_attempt g where g.parent_kind = 'loanCode' and (g.external_id = ${any} or g.serial_no = ${any}))`
      },
      waitsForApproval,
      // Only what is under way is in doubt: its states are looked up, the rest is not asked.
      unknownMinutes: ([least, most]: readonly [number | null, number | null]) => {
        if (least === null && most === null) return sql`true`
        return sql`lc.loan_code_status in ('remitting', 'unknown') and ${unknownMinutes(tx)} between ${least ?? 0} and ${most ?? 2_147_483_647}`
      },
    },
  }),
  check: noteSearch,
  blocked: loanBlocks,
})

const accountsInScope = sql`fa.enabled = 'enabled' and fa.account_role in ('payout', 'both')`

/** What waits, runs and failed in the caller's reach, and whether the paying accounts hold enough for it. */
const summary = serve(loan.summary, async ({ tx, session }) => {
  const within = loanScope(session)
  const statuses = await tx.rows(sql<{ loanCodeStatus: string; count: number; amount: string }>`
    select lc.loan_code_status, count(*)::int as count, sum(lc.actual_loan_amount)::numeric(18,2) as amount
    from loan_code lc join loan_order o on o.order_no = lc.order_no where ${within} group by lc.loan_code_status`)
  const { oldest } = await tx.one(sql<{ oldest: number | null }>`
    select max(${unknownMinutes(tx)}) as oldest from ${loanFrom} where lc.loan_code_status in ('remitting', 'unknown') and ${within}`)
  const served = scope(session, { merchant: 'fm.merchant_no', holder: () => sql`true`, perm: loanPage })
  const accounts = await tx.rows(sql<Omit<Summary['accounts'][number], 'enough'> & { enough: boolean }>`
    with waiting as (
      select lc.fund_account_no, sum(lc.actual_loan_amount) as amount from loan_code lc join loan_order o on o.order_no = lc.order_no
      where lc.loan_code_status = 'created' and ${within} group by lc.fund_account_no)
    select fa.fund_account_no, fa.account_name, fa.channel, coalesce(b.balance, 0)::numeric(18,2) as balance, coalesce(w.amount, 0)::numeric(18,2) as waiting,
      coalesce(b.balance, 0) >= coalesce(w.amount, 0) as enough
    from fund_account fa left join waiting w on w.fund_account_no = fa.fund_account_no left join ledger_balance b on b.account_code = 'bank:' || fa.fund_account_no
    where ${accountsInScope} and exists (select 1 from fund_account_merchant fm where fm.fund_account_no = fa.fund_account_no and ${served}) order by fa.fund_account_no`)
  const byStatus = Object.fromEntries(
    statuses.map(({ loanCodeStatus, count, amount }) => [loanCodeStatus, { count, amount }]),
  )
  return { byStatus, oldestUnknownMinutes: oldest, accounts }
})

const detail = serve(loan.detail, async ({ tx, session, input }) => {
  const [code] = await loanCodeRows(tx, sql`lc.loan_code = ${input.loanCode} and ${loanScope(session)}`)
  if (!code) throw notFound()
  const confirms = await tx.rows(sql<Detail['confirms'][number]>`
    select confirm_no, confirm_status, result, serial_no, first_name, first_time, second_name, second_time
    from loan_code_confirm where parent_kind = 'loanCode' and parent_no = ${code.loanCode} order by first_time nulls last, confirm_no`)
  const [blockedBy = {}] = await loanBlocks.of({ tx, session }, [code.loanCode])
  return {
    code: { ...code, blockedBy },
    confirms,
    attempts: await attemptsOfCode(tx, code.loanCode),
    journals: await journalsOfCode(tx, code),
    history: await historyOfCode(tx, code.loanCode),
    otherCodes: await loanCodeRows(tx, sql`lc.order_no = ${code.orderNo} and lc.loan_code <> ${code.loanCode}`),
  }
})

const codesOfOrder = serve(loan.codesOfOrder, async ({ tx, session, input }) => {
  const { orderNo } = await findOrder(tx, session, input.orderNo, loanPage)
  return { list: await loanCodeRows(tx, sql`lc.order_no = ${orderNo}`) }
})

/** Paying approved loans out, and knowing the fate of every shilling that left. */
export const loanModule = (
  deps: Pick<Deps, 'payout'> & Partial<Pick<Deps, 'secretKey'>>,
  times: AskTimes = askTimes,
  /** What else money is sent for. */
  others: readonly Sender[] = [],
): Module => {
  const { payout } = deps
  const senders = [loanSender, ...others]
  const hold = holdOf(senders)
  const channels = [...Object.keys(payout), 'bank_file']
  return {
    served: [
      serveListed(codes),
      summary,
      detail,
      codesOfOrder,
      ...loanCommands(payout, times),
      markCodeChecked(payout),
      confirmServed,
      cancelPaidServed,
      abortServed,
    ],
    lists: [codes],
    warnings: payoutWarnings,
    imports: [releasedOrders],
    queues: [
      dispatchQueue(channels, listValues(deps.secretKey ?? Buffer.alloc(32))),
      sendQueue(payout, times, hold),
      resendQueue(payout, times, hold),
      askQueue(payout, times, hold),
      callbackQueue(hold),
      balanceQueue(payout),
      fileQueue,
    ],
    scheduled: [dispatchJob(channels), askJob(senders), balanceJob],
    approvals: [cancelPaidApproval, fileApproval, correctApproval, acceptCodePayee],
  }
}

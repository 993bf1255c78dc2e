import { sql } from 'kysely'
import { loan, type ReleasedOrder } from '../../../../core/contract/after-loan/loan.ts'
import { formatMoney } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { type ImportJob, imported, KnownRow, type RowCall } from '../../../files/imports/store.ts'
import { keepAsEvidence } from '../../../files/uploads/stored.ts'
import type { Call } from '../../../http/serve.ts'
import {
  checkEvidence,
  confirmConflict,
  confirmFirst,
  isSame,
  openedConfirm,
  waitingSend,
} from '../payout/desk/confirm.ts'
import { lockCode } from '../payout/desk/loan-source.ts'
import { fileAction } from './released-confirm.ts'
import { checkOrder, saidBy } from './released-rules.ts'
import { takeMany } from './released-together.ts'

const { importing } = loan.page
if (!importing) throw new Error('released orders are not declared')

/** Confirms the outcome of a payout first, as a person would (M23). */
const take = async (call: RowCall, row: ReleasedOrder): Promise<string> => {
  const { tx, session, actor, importNo } = call
  const seen = await lockCode(tx, session, row.loanCode)
  checkOrder(seen, row)
  const held = await waitingSend(tx, seen)
  const conflict = await confirmConflict(tx, held, actor)
  if (conflict) throw conflict
  const said = saidBy(row, tx.today)
  await checkEvidence(tx, said, held, 'payoutTime')
  const record = await openedConfirm(tx, row.loanCode, actor)
  if (record.confirmStatus !== 'unconfirmed') {
    const key = isSame(record, said) ? 'errors.firstConfirmed' : 'errors.firstConfirmedOther'
    throw new KnownRow('stateConflict', key, { name: record.firstName ?? '' })
  }
  const from = { importNo, ...(row.failReason === undefined ? {} : { failReason: row.failReason }) }
  await confirmFirst(tx, record, { ...said, ...from }, actor)
  await tx.exec(sql`update loan_code set version = version + 1 where loan_code = ${row.loanCode}`)
  call.audit({
    objectType: 'loanCode',
    objectNo: row.loanCode,
    orderNo: row.orderNo,
    before: { loanCodeStatus: held.code.loanCodeStatus },
    after: { confirmStatus: 'first_confirmed', ...said },
  })
  return record.confirmNo
}

type Sums = { merchantNo: string | null; paid: number; failed: number; paidAmount: string; failedAmount: string }

/** Asks a second person to agree to the whole file. */
const ask = async (call: Pick<Call, 'tx' | 'session' | 'actor'>, job: ImportJob): Promise<void> => {
  const { tx } = call
  const { importNo, fileName, okCount, sha256 } = job
  await tx.flush()
  const sums = await tx.one(sql<Sums>`
    select case when count(distinct o.merchant_no) = 1 then min(o.merchant_no) end as merchant_no,
      count(*) filter (where cf.result = 'success')::int as paid, count(*) filter (where cf.result = 'failure')::int as failed,
      coalesce(sum(lc.actual_loan_amount) filter (where cf.result = 'success'), 0)::numeric(18,2) as paid_amount,
      coalesce(sum(lc.actual_loan_amount) filter (where cf.result = 'failure'), 0)::numeric(18,2) as failed_amount
    from loan_code_confirm cf join loan_code lc on lc.loan_code = cf.parent_no join loan_order o on o.order_no = lc.order_no
    where cf.import_no = ${importNo} and cf.confirm_status = 'first_confirmed'`)
  const line = (label: string, after: string) => ({ label, before: null, after })
  await keepAsEvidence(tx, { objectType: 'import', objectNo: importNo, decision: fileAction })
  await requestApproval(call, {
    action: fileAction,
    perm: importing.perm,
    objectType: 'import',
    objectNo: importNo,
    ...(sums.merchantNo ? { merchantNo: sums.merchantNo } : {}),
    version: job.version,
    payload: { importNo, sha256, okCount, paidAmount: sums.paidAmount, failedAmount: sums.failedAmount },
    summary: [
      line('fields.fileName', fileName),
      line('afterLoan.filePaid', `${sums.paid} · UGX ${formatMoney(sums.paidAmount)}`),
      line('afterLoan.fileNotPaid', `${sums.failed} · UGX ${formatMoney(sums.failedAmount)}`),
    ],
  })
}

/** What the bank or the network says of payouts, brought in a file: each row is a first confirmation, and a second person agrees to the file. */
export const releasedOrders = imported({
  list: loan.page,
  schema: importing.row as never,
  row: take as never,
  rows: takeMany as never,
  ended: ask,
})

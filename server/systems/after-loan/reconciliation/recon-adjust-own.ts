import { sql } from 'kysely'
import { recon } from '../../../../core/contract/after-loan/reconciliation.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import type { LedgerLine } from '../../../../core/rules/ledger/check.ts'
import { formatMoney, isNegative, isZero, lt, neg } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import { account, post } from '../../../money/ledger.ts'
import { spendable } from '../../../money/spendable.ts'
import { checkBalanced, ledgerLines, on, saidOf } from './recon-adjust.ts'
import { accountScope } from './recon-source.ts'

const action = 'recon.adjustOwn'
const perm = String(recon.adjustOwn.perm)

type Given = ParsedOf<typeof recon.adjustOwn>['lines']

/** Refuses lines that leave the account as it is, or take more out than it holds: what is on its way is gone already. */
const checkOwn = async (tx: Tx, fundAccountNo: string, lines: readonly LedgerLine[]) => {
  const bank = account.bank(fundAccountNo)
  checkBalanced(lines, bank)
  const moved = on(lines, bank)
  if (isZero(moved)) throw invalid('lines', 'errors.adjustOwnBank')
  if (!isNegative(moved)) return
  const left = await spendable(tx, fundAccountNo)
  if (lt(left, neg(moved))) throw invalid('lines', 'errors.adjustOwnBalance', { balance: formatMoney(left) })
}

/** Asks for a posting on an account of ours that no difference stands behind; a second person agrees to it. */
export const adjustOwnServed = serve(recon.adjustOwn, async call => {
  const { tx, session, input } = call
  const { fundAccountNo, reason } = input
  const own = await tx.maybe(sql<{ accountName: string; version: number }>`
    select account_name, version from fund_account x where fund_account_no = ${fundAccountNo} and ${accountScope(session, sql`x.fund_account_no`)}`)
  if (!own) throw notFound()
  await checkOwn(tx, fundAccountNo, await ledgerLines(tx, fundAccountNo, input.lines))
  const approvalNo = await requestApproval(call, {
    action,
    perm,
    objectType: 'fundAccount',
    objectNo: fundAccountNo,
    version: own.version,
    payload: { lines: input.lines, reason },
    summary: [
      { label: 'fields.fundAccountNo', before: null, after: own.accountName },
      ...saidOf(input.lines),
      { label: 'fields.reason', before: null, after: reason },
    ],
  })
  const after = { approvalNo, lines: input.lines, reason }
  call.audit({ objectType: 'fundAccount', objectNo: fundAccountNo, after })
  return { approvalNo }
})

/** Own funds are booked as such (P0); everything else is an adjustment (P15). */
export const adjustOwnApproval: ApprovalAction = {
  action,
  perm,
  money: true,
  async execute(tx, { objectNo, payload, checker }) {
    const given = payload.lines as Given
    const lines = await ledgerLines(tx, objectNo, given)
    await checkOwn(tx, objectNo, lines)
    const isFunds = given.every(({ account: kind }) => kind === 'bank' || kind === 'owner_funds')
    const posting = isFunds ? { code: 'P0' as const } : { code: 'P15' as const, valueDate: tx.today }
    await post(tx, { ...posting, cause: `fund_account:${objectNo}`, keys: {}, lines }, checker)
  },
}

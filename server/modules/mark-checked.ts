import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import type { Tx } from '../db/database.ts'
import { checkVersion, Fault, stateConflict } from '../fault.ts'
import type { Deps } from '../module.ts'
import { type Served, serve } from '../serve.ts'
import { attachEvidence } from '../uploads/stored.ts'
import { canTellHolder, type Instrument } from './holder.ts'
import { isSamePayee } from './loan-payee.ts'
import { lockCode } from './loan-source.ts'
import { lockHeld } from './task-lease.ts'

const { audit, loan } = contract

/** Whether somebody may say it. @throws {Fault} 40901 where the network can tell, or where the account has been verified already */
const checkable = (payout: Deps['payout'], payee: Instrument, verifyResult: string) => {
  if (canTellHolder(payout, payee)) throw new Fault('stateConflict', 'errors.networkCanTell')
  if (verifyResult === 'passed') throw new Fault('stateConflict', 'errors.payeeIsVerified')
}

const passOrder = (tx: Tx, orderNo: string) =>
  tx.exec(sql`update loan_order set payout_verify = 'passed', payout_holder_name = null where order_no = ${orderNo}`)

/** At the review: the account of a bank is whose it should be. Nobody can be asked; the auditor has looked, and shows by what. */
export const markOrderChecked = (payout: Deps['payout']): Served =>
  serve(audit.markPayoutChecked, async call => {
    const { tx, session, input, actor } = call
    const { order } = await lockHeld(tx, session, input, audit.markPayoutChecked.perm)
    checkVersion(order, input.version)
    checkable(payout, order, order.payoutVerify)
    const of = { objectType: 'order', objectNo: order.orderNo }
    const shown = await attachEvidence(tx, input.evidence, of, actor)
    await passOrder(tx, order.orderNo)
    call.audit({
      ...of,
      orderNo: order.orderNo,
      before: { payoutVerify: order.payoutVerify },
      after: { payoutVerify: 'passed', ...shown },
    })
    return { verifyResult: 'passed' as const }
  })

/** The same of a code that waits to be sent or was refused, and of its order while that names the same account. */
export const markCodeChecked = (payout: Deps['payout']): Served =>
  serve(loan.markChecked, async call => {
    const { tx, session, input, actor } = call
    const { order, code } = await lockCode(tx, session, input.loanCode)
    checkVersion(code, input.version)
    const { loanCode, loanCodeStatus, verifyResult } = code
    if (!['created', 'failed'].includes(loanCodeStatus)) throw stateConflict(loanCodeStatus, 'LOAN_CODE_STATUS')
    checkable(payout, code, verifyResult)
    const of = { objectType: 'loanCode', objectNo: loanCode }
    const shown = await attachEvidence(tx, input.evidence, of, actor)
    await tx.exec(
      sql`update loan_code set verify_result = 'passed', holder_name = null, version = version + 1 where loan_code = ${loanCode}`,
    )
    if (isSamePayee(order, code)) await passOrder(tx, order.orderNo)
    call.audit({ ...of, orderNo: order.orderNo, before: { verifyResult }, after: { verifyResult: 'passed', ...shown } })
    return { verifyResult: 'passed' as const }
  })

import { sql } from 'kysely'
import { loan } from '../../../../../core/contract/after-loan/loan.ts'
import { isProvenPayee } from '../../../../../core/rules/payee.ts'
import { requestApproval } from '../../../../approval/approval.ts'
import { attachEvidence } from '../../../../files/uploads/stored.ts'
import { checkVersion, Fault, invalid } from '../../../../http/fault.ts'
import { type Served, serveWork } from '../../../../http/serve.ts'
import type { ApprovalAction, Deps } from '../../../../module.ts'
import { findOrder } from '../../../order/order/index.ts'
import { loanBlocks } from '../desk/loan-blocks.ts'
import { lockCode } from '../desk/loan-source.ts'
import { verifyHolder } from './holder.ts'
import { isSamePayee, keepPayee, maskedPayee, ownerOf, type Payee, payeeOf, typedPayee } from './loan-payee.ts'
import { payeeSummary } from './payee-approval.ts'

const action = 'payout.correctPayee'
const perm = 'fund:userInfo:update'

type Payload = { from: Payee; to: Payee; verifyResult: string; sha256: string }

/**
 * Asks for another account of a failed payout. The channel is asked whose it is while nothing is locked; nothing changes until a
 * second person agrees, whatever it said.
 */
export const correctPayee = (payout: Deps['payout']): Served =>
  serveWork(loan.userInfo, {
    async before({ tx, session, input }) {
      const seen = await tx.maybe(
        sql<{ orderNo: string }>`select order_no from loan_code where loan_code = ${input.loanCode}`,
      )
      if (!seen) throw new Fault('notFound', 'errors.notFound')
      const owner = await ownerOf(tx, await findOrder(tx, session, seen.orderNo, loan.page.perm))
      return { owner, to: typedPayee(input) }
    },
    work: async ({ owner, to }) => ({ to, verifyResult: (await verifyHolder(payout, to, owner)).verifyResult }),
    async after(call, { to, verifyResult }) {
      const { tx, session, input, actor } = call
      const { order, code } = await lockCode(tx, session, input.loanCode)
      checkVersion(code, input.version)
      await loanBlocks.check(call, loan.userInfo, code.loanCode)
      if (isSamePayee(order, to)) throw invalid(to.walletAccount ? 'walletAccount' : 'bankCardNo', 'errors.dataExists')
      const of = { objectType: 'loanCode', objectNo: code.loanCode }
      const shown = await attachEvidence(tx, input.evidence, { ...of, decision: action }, actor)
      const from = payeeOf(order)
      const approvalNo = await requestApproval(call, {
        ...of,
        action,
        perm,
        orderNo: order.orderNo,
        merchantNo: order.merchantNo,
        version: code.version,
        payload: { from, to, verifyResult, sha256: shown.sha256 } satisfies Payload,
        summary: await payeeSummary(tx, order, { before: from, after: to, verifyResult, evidence: shown.evidence }),
      })
      call.audit({
        ...of,
        orderNo: order.orderNo,
        before: maskedPayee(order),
        after: { ...maskedPayee(to), verifyResult, approvalNo, ...shown },
      })
      return { approvalNo, verifyResult }
    },
  })

/** A second person agrees to another account: the order has it from now on, and its failed code can be replaced. */
export const correctApproval: ApprovalAction = {
  action,
  perm,
  money: true,
  async execute(tx, { objectNo, payload, maker }) {
    const held = await lockCode(tx, null, objectNo)
    const { order, code } = held
    await loanBlocks.check({ tx, session: null }, loan.userInfo, code.loanCode)
    const { from, to, verifyResult } = payload as Payload
    if (!isSamePayee(order, from)) throw new Fault('stateConflict', 'errors.recordChanged')
    await keepPayee(tx, order, maker.no)
    await tx.exec(sql`
      update loan_order set payout_type = ${to.payoutType}, payout_subtype = ${to.payoutSubtype}, wallet_account = ${to.walletAccount},
        bank_name = ${to.bankName}, branch = ${to.branch}, bank_card_no = ${to.bankCardNo}, cardholder_name = ${to.cardholderName},
        payout_verify = ${isProvenPayee(verifyResult) ? verifyResult : 'accepted'}, payout_holder_name = null, version = version + 1
      where order_no = ${order.orderNo}`)
    await tx.exec(sql`update loan_code set version = version + 1 where loan_code = ${code.loanCode}`)
  },
}

import { sql } from 'kysely'
import { loan } from '../../../../../core/contract/after-loan/loan.ts'
import { isProvenPayee } from '../../../../../core/rules/payee.ts'
import type { SummaryLine } from '../../../../approval/approval.ts'
import { requestApproval } from '../../../../approval/approval.ts'
import { attachEvidence } from '../../../../files/uploads/stored.ts'
import { Fault, stateConflict } from '../../../../http/fault.ts'
import type { Call } from '../../../../http/serve.ts'
import type { ApprovalAction, Deps } from '../../../../module.ts'
import { lockOrder, type Order } from '../../../order/order/index.ts'
import { loanBlocks } from '../desk/loan-blocks.ts'
import { type HeldCode, lockCode } from '../desk/loan-source.ts'
import { canTellHolder, type Instrument } from './holder.ts'
import { isSamePayee, ownerOf, type Payee, payeeChangers, payeeOf } from './loan-payee.ts'

/** How an account is named to the person who decides about it. */
const lines = (before: Payee | null, after: Payee): SummaryLine[] => {
  const line = (label: string, value: (payee: Payee) => string | null, sensitive?: true): SummaryLine[] => {
    const [from, to] = [before && value(before), value(after)]
    return from || to
      ? [{ label, before: from === to ? null : from, after: to, ...(sensitive ? { sensitive } : {}) }]
      : []
  }
  return [
    ...line('fields.payoutSubtype', payee => `dict.PAYOUT_SUBTYPE.${payee.payoutSubtype}`),
    ...line('fields.walletAccount', payee => payee.walletAccount, true),
    ...line('fields.bankName', payee => payee.bankName),
    ...line('fields.branch', payee => payee.branch),
    ...line('fields.bankCardNo', payee => payee.bankCardNo, true),
    ...line('fields.cardholderName', payee => payee.cardholderName, true),
  ]
}

/** What a second person reads: the customer, the account, and what its channel said of the name. */
export const payeeSummary = async (
  tx: Call['tx'],
  order: Order,
  o: { before: Payee | null; after: Payee; verifyResult: string; evidence: string },
): Promise<SummaryLine[]> => [
  { label: 'fields.customerName', before: null, after: (await ownerOf(tx, order)).customerName, sensitive: true },
  ...lines(o.before, o.after),
  { label: 'afterLoan.nameCheck', before: null, after: `dict.VERIFY_RESULT.${o.verifyResult}` },
  { label: 'fields.evidence', before: null, after: o.evidence },
]

/** Whether a second person is needed at all. @throws {Fault} 40901 where the channel can be asked, or the account is proven already */
const needsSecond = (payout: Deps['payout'], payee: Instrument, verifyResult: string): void => {
  if (isProvenPayee(verifyResult)) throw new Fault('stateConflict', 'errors.payeeIsVerified')
  if (canTellHolder(payout, payee) && verifyResult !== 'failed')
    throw new Fault('stateConflict', 'errors.networkCanTell')
}

type Asking = Pick<Call, 'tx' | 'session' | 'actor' | 'audit'>

/** Asks a second person to accept the account of a locked order, or of a locked code of it, as shown by a file. */
export const askAcceptance = async (
  call: Asking,
  payout: Deps['payout'],
  { order, code }: { order: Order; code?: HeldCode['code'] },
  uploadNo: string,
): Promise<string> => {
  const { tx, actor } = call
  const payee = payeeOf(code ?? order)
  const verifyResult = code ? code.verifyResult : order.payoutVerify
  needsSecond(payout, payee, verifyResult)
  const of = code
    ? { objectType: 'loanCode', objectNo: code.loanCode }
    : { objectType: 'order', objectNo: order.orderNo }
  const shown = await attachEvidence(tx, uploadNo, { ...of, decision: 'payout.markChecked' }, actor)
  const approvalNo = await requestApproval(call, {
    ...of,
    ...(code ? codeAcceptance : orderAcceptance),
    orderNo: order.orderNo,
    merchantNo: order.merchantNo,
    version: (code ?? order).version,
    payload: { payee, sha256: shown.sha256 },
    alsoMadeBy: await payeeChangers(tx, order.orderNo),
    summary: await payeeSummary(tx, order, { before: null, after: payee, verifyResult, evidence: shown.evidence }),
  })
  call.audit({ ...of, orderNo: order.orderNo, before: { verifyResult }, after: { approvalNo, ...shown } })
  return approvalNo
}

const orderAcceptance = { action: 'payout.acceptPayee', perm: 'audit:order:changePayout' }
const codeAcceptance = { action: 'payout.acceptCodePayee', perm: 'fund:payout:verify' }

const inReview = ['to_be_allocated', 'pending_review']

/** At the review: a second person accepts the account that the order has, unless it has another one by now. */
export const acceptOrderPayee: ApprovalAction = {
  ...orderAcceptance,
  money: true,
  async execute(tx, { objectNo, payload }) {
    const order = await lockOrder(tx, null, objectNo)
    if (!inReview.includes(order.orderStatus)) throw stateConflict(order.orderStatus, 'ORDER_STATUS')
    if (!isSamePayee(order, payload.payee as Payee)) throw new Fault('stateConflict', 'errors.recordChanged')
    await tx.exec(sql`update loan_order set payout_verify = 'accepted' where order_no = ${objectNo}`)
  },
}

/** At the payout desk: a second person accepts the account of a code, and of its order while that names the same one. */
export const acceptCodePayee: ApprovalAction = {
  ...codeAcceptance,
  money: true,
  async execute(tx, { objectNo, payload }) {
    const { order, code } = await lockCode(tx, null, objectNo)
    await loanBlocks.check({ tx, session: null }, loan.markChecked, code.loanCode)
    if (!isSamePayee(code, payload.payee as Payee)) throw new Fault('stateConflict', 'errors.recordChanged')
    await tx.exec(
      sql`update loan_code set verify_result = 'accepted', version = version + 1 where loan_code = ${code.loanCode}`,
    )
    if (isSamePayee(order, code))
      await tx.exec(sql`update loan_order set payout_verify = 'accepted' where order_no = ${order.orderNo}`)
  },
}

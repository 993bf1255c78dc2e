import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import type { ParsedOf } from '../../core/contract/endpoint.ts'
import { mask } from '../../core/rules/mask.ts'
import { Fault, invalid } from '../fault.ts'
import type { Deps } from '../module.ts'
import { type Served, serve } from '../serve.ts'
import { transition } from '../transition.ts'
import { changes } from './changes.ts'
import { type Verified, verifyHolder } from './holder.ts'
import { isSamePayee, keepPayee, type Payee } from './loan-payee.ts'
import { lockHeld, readHeld } from './task-lease.ts'

const { audit } = contract
const perm = 'audit:order:changePayout'

/** The account that was typed in, without what the other kind of account has. */
const typed = (input: ParsedOf<typeof audit.changePayout>): Payee => {
  const { payoutType, payoutSubtype, cardholderName } = input
  if ((payoutType === 'bank') !== (payoutSubtype === 'bank_transfer'))
    throw invalid('payoutSubtype', 'validation.wrongValue')
  const wallet = payoutType === 'wallet'
  return {
    payoutType,
    payoutSubtype,
    cardholderName,
    walletAccount: wallet ? (input.walletAccount ?? null) : null,
    bankName: wallet ? null : (input.bankName ?? null),
    branch: wallet ? null : (input.branch ?? null),
    bankCardNo: wallet ? null : (input.bankCardNo ?? null),
  }
}

/** What a log may hold of an account. */
const logged = (account: Payee, verifyResult: string) => ({
  ...account,
  walletAccount: account.walletAccount && mask(account.walletAccount),
  bankCardNo: account.bankCardNo && mask(account.bankCardNo),
  cardholderName: mask(account.cardholderName),
  payoutVerify: verifyResult,
})

const seen = (desensitized: boolean, { holderName, ...rest }: Verified) => ({
  ...rest,
  holderName: holderName && desensitized ? mask(holderName) : holderName,
})

/** The account an approved loan goes to: whose it is, and another one instead. The network is asked before anything is locked. */
export const auditPayout = (payout: Deps['payout']): Served[] => [
  serve(audit.verifyPayout, async call => {
    const { tx, session, input } = call
    const before = (await readHeld(tx, session, input, perm)).order
    const verified = await verifyHolder(payout, before)
    const { order } = await lockHeld(tx, session, input, perm)
    if (!isSamePayee(before, order))
      throw new Fault('versionConflict', 'errors.recordChanged', {}, { version: order.version })
    await tx.exec(
      sql`update loan_order set payout_verify = ${verified.verifyResult}, payout_holder_name = ${verified.holderName} where order_no = ${order.orderNo}`,
    )
    call.audit({
      objectType: 'order',
      objectNo: order.orderNo,
      orderNo: order.orderNo,
      ...changes({ payoutVerify: order.payoutVerify }, { payoutVerify: verified.verifyResult }),
    })
    return seen(session.desensitized, verified)
  }),

  serve(audit.changePayout, async call => {
    const { tx, session, input, actor } = call
    const account = typed(input)
    const before = (await readHeld(tx, session, input, perm)).order
    if (isSamePayee(before, account)) throw invalid('walletAccount', 'errors.dataExists')
    const verified = await verifyHolder(payout, account)
    const { order } = await lockHeld(tx, session, input, perm)
    if (isSamePayee(order, account)) throw invalid('walletAccount', 'errors.dataExists')
    await keepPayee(tx, order, session.userNo)
    const set = { ...account, payoutVerify: verified.verifyResult, payoutHolderName: verified.holderName }
    await transition(
      tx,
      'order',
      order,
      { event: 'payout.change', set, payload: { auditStep: order.auditStep, payoutVerify: verified.verifyResult } },
      actor,
    )
    call.audit({
      objectType: 'order',
      objectNo: order.orderNo,
      orderNo: order.orderNo,
      ...changes(logged(order, order.payoutVerify), logged(account, verified.verifyResult)),
    })
    const { verifyResult, holderName } = seen(session.desensitized, verified)
    return { verifyResult, holderName }
  }),
]

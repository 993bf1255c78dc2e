import { contract } from '../../../../core/contract/contract.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { withdrawPending } from '../../../approval/approval.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { type Served, serveWork } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import { changes } from '../../../states/changes.ts'
import { transition } from '../../../states/transition.ts'
import {
  acceptOrderPayee,
  isSamePayee,
  keepPayee,
  maskedPayee,
  noteOrderPayee,
  ownerOf,
  payeeOf,
  typedPayee,
  type Verified,
  verifyHolder,
} from '../../after-loan/payout/index.ts'
import { lockHeld, readHeld } from './task-lease.ts'

const { audit } = contract
const perm = 'audit:order:changePayout'

const seen = (desensitized: boolean, { holderName, ...rest }: Verified) => ({
  ...rest,
  holderName: holderName && desensitized ? mask(holderName) : holderName,
})

/** The account an approved loan goes to: whose it is, and another one instead. The network is asked while nothing is locked. */
export const auditPayout = (payout: Deps['payout']): Served[] => [
  serveWork(audit.verifyPayout, {
    before: async ({ tx, session, input }) => {
      const { order } = await readHeld(tx, session, input, perm)
      return { account: payeeOf(order), owner: await ownerOf(tx, order) }
    },
    work: async ({ account, owner }) => ({ account, verified: await verifyHolder(payout, account, owner) }),
    after: async (call, { account, verified }) => {
      const { tx, session, input } = call
      const { order } = await lockHeld(tx, session, input, perm)
      if (!isSamePayee(account, order))
        throw new Fault('versionConflict', 'errors.recordChanged', {}, { version: order.version })
      await noteOrderPayee(tx, order, verified)
      call.audit({
        objectType: 'order',
        objectNo: order.orderNo,
        orderNo: order.orderNo,
        ...changes({ payoutVerify: order.payoutVerify }, { payoutVerify: verified.verifyResult }),
      })
      return seen(session.desensitized, verified)
    },
  }),

  serveWork(audit.changePayout, {
    before: async ({ tx, session, input }) => {
      const account = typedPayee(input)
      const { order } = await readHeld(tx, session, input, perm)
      if (isSamePayee(order, account)) throw invalid('walletAccount', 'errors.dataExists')
      return { account, owner: await ownerOf(tx, order) }
    },
    work: async ({ account, owner }) => ({ account, verified: await verifyHolder(payout, account, owner) }),
    after: async (call, { account, verified }) => {
      const { tx, session, input, actor } = call
      const { order } = await lockHeld(tx, session, input, perm)
      if (isSamePayee(order, account)) throw invalid('walletAccount', 'errors.dataExists')
      await keepPayee(tx, order, session.userNo)
      const waiting = { objectType: 'order', objectNo: order.orderNo, action: acceptOrderPayee.action }
      await withdrawPending(tx, waiting, actor)
      const { verifyResult } = verified
      const set = { ...account, payoutVerify: verifyResult, payoutHolderName: verified.holderName }
      const payload = { auditStep: order.auditStep, payoutVerify: verifyResult }
      await transition(tx, 'order', order, { event: 'payout.change', set, payload }, actor)
      call.audit({
        objectType: 'order',
        objectNo: order.orderNo,
        orderNo: order.orderNo,
        ...changes(
          { ...maskedPayee(order), payoutVerify: order.payoutVerify },
          { ...maskedPayee(account), payoutVerify: verifyResult },
        ),
      })
      const { holderName } = seen(session.desensitized, verified)
      return { verifyResult, holderName }
    },
  }),
]

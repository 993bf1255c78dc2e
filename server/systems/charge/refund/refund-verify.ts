import { sql } from 'kysely'
import { refund as calls } from '../../../../core/contract/charge/refund.ts'
import { Fault } from '../../../http/fault.ts'
import { type Served, serve, serveWork } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import { transition } from '../../../states/transition.ts'
import { verifyHolder } from '../../after-loan/payout/index.ts'
import { refundBlocks } from './refund-blocks.ts'
import { lockRefund, type Refund } from './refund-store.ts'
import { held, noted, standingOf } from './refund-submit.ts'

/** How the networks of payees are asked for holders; a bank tells nobody. */
const networkOf: Readonly<Record<string, string>> = { mtn_momo: 'mtn', airtel_money: 'airtel' }

const percentOf = (score: number | null) => (score === null ? null : Math.round(score * 100))

/** Asks the channel whose the payee's account is; the name is compared with the customer's own, not with what was typed. */
const verify = (payout: Deps['payout']) =>
  serveWork(calls.verify, {
    async before(call) {
      const { tx } = call
      const { refund } = await held(call, calls.verify)
      const owner = await tx.one(sql<{ customerName: string; phone: string }>`
        select customer_name, phone from customer where customer_no = ${refund.customerNo}`)
      return { refund, owner }
    },
    async work({ refund, owner }) {
      const payoutSubtype = networkOf[refund.channel] ?? 'bank_transfer'
      const walletAccount = payoutSubtype === 'bank_transfer' ? null : refund.payeeAccount
      return { refund, verified: await verifyHolder(payout, { payoutSubtype, walletAccount }, owner) }
    },
    async after(call, { refund: asked, verified }) {
      const { tx, session, actor } = call
      const { refund } = await lockRefund(tx, session, asked.refundNo)
      await refundBlocks.check(call, calls.verify, refund.refundNo)
      if (refund.version !== asked.version) throw new Fault('versionConflict', 'errors.recordChanged')
      if (verified.verifyResult === 'unavailable') throw new Fault('stateConflict', 'errors.channelTellsNoHolder')
      const score = percentOf(verified.matchScore)
      const set = { matchScore: score, holderName: verified.holderName }
      const passed = verified.verifyResult === 'passed'
      const made = { event: 'verify.run', as: passed ? 'pass' : 'fail', set }
      const moved: Refund = await transition(tx, 'refundVerification', refund, made, actor)
      const before = { verifyStatus: refund.verifyStatus }
      noted(call, refund.refundNo, before, { verifyStatus: moved.verifyStatus, matchScore: score })
      return { ...standingOf(moved), holderName: moved.holderName, matchScore: score === null ? null : String(score) }
    },
  })

/** A checker accepts an account that its channel did not confirm, and says what they have seen; another one must approve. */
const ignore = serve(calls.ignore, async call => {
  const { tx, actor, input } = call
  const { refund } = await held(call, calls.ignore)
  const { reason, seen } = input
  const set = {
    ignoreVerification: true,
    ignoreReason: reason,
    ignoreSeen: [...new Set(seen)],
    ignoredBy: actor.no,
    ignoredName: actor.name,
    ignoredTime: tx.now,
  }
  const moved: Refund = await transition(
    tx,
    'refundVerification',
    refund,
    { event: 'verify.ignore', set, payload: { reason } },
    actor,
  )
  noted(call, refund.refundNo, { ignoreVerification: false }, { ignoreVerification: true, reason, seen })
  return standingOf(moved)
})

/** How a payee's account is proven. */
export const verifyServed = (payout: Deps['payout']): Served[] => [verify(payout), ignore]

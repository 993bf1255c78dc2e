import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { none, refused } from '../../after-loan/payout/payout-fixture.ts'
import {
  type Asked,
  approved,
  asked,
  failed,
  ofNobody,
  ofRefund,
  proves,
  rejected,
  sent,
  sentAgain,
  verified,
} from './refund-made.facts.ts'

const { refund, repay } = contract
const day = 86_400_000

const another = async (fixture: Fixture, { refundNo }: Asked) => {
  const payee = { channel: 'mtn_momo', payeeName: 'Grace Nakato', payeeAccount: '256772555333' }
  const attachNos = [await fixture.uploaded(fixture.second)]
  await done(fixture, refund.editPayee, await ofRefund(fixture, refundNo, { ...payee, attachNos }), fixture.second)
}
const closed = async (fixture: Fixture, { refundNo }: Asked) =>
  done(fixture, refund.close, await ofRefund(fixture, refundNo, { reason: 'not wanted any more' }))

/** What one person says by a statement became of a refund. */
const said = async (fixture: Fixture, { refundNo }: Asked, result: 'success' | 'failure', as: Person) => {
  const at = fixture.clock.now().getTime() - (result === 'failure' ? day : 0)
  const statementDate = new Date(at).toISOString().slice(0, 10)
  const serial = result === 'success' ? { serialNo: `RM-${refundNo}` } : {}
  const evidence = await fixture.uploaded(as)
  await done(
    fixture,
    refund.confirm,
    await ofRefund(fixture, refundNo, { result, statementDate, evidence, ...serial }),
    as,
  )
}

const free = async (fixture: Fixture, { customerNo }: Asked) =>
  (
    await fixture.one(sql<{ free: string }>`
      select (credited - refunded - reapplied - reserved)::numeric(18,2)::text as free from overpayment where customer_no = ${customerNo}`)
  ).free

/** How refunds end that do not simply succeed. */
export default facts({
  ways: [
    way('a refund takes all of an overflow, and one a part of it', async fixture => {
      const part = await sent(fixture)
      await proves(fixture, part, 'paid')
      const again = await asked(fixture)
      await closed(fixture, again)
      const whole = await approved(fixture, { refundAmount: (await free(fixture, again)).replace(/\..*/, '.00') })
      await done(fixture, refund.payout, { refundNos: [whole.refundNo], fundAccountNo: 'FA1' })
      await fixture.worker.drain()
      await proves(fixture, whole, 'paid')
    }),
    way('more comes in while a refund is open', async fixture => {
      const { orderNo } = await asked(fixture)
      const typed = fixture.typed(orderNo, '5000.00', 'overpayment')
      await done(fixture, repay.commit, await fixture.tried(typed))
    }),
    way('an account is verified, fails, is asked about again, and is accepted in the end', async fixture => {
      const of = await asked(fixture)
      fixture.network.holders.set(of.wallet, 'Somebody Else')
      await done(fixture, refund.verify, await ofRefund(fixture, of.refundNo))
      await done(fixture, refund.verify, await ofRefund(fixture, of.refundNo))
      const seen = { reason: 'name changed by marriage', seen: ['id_picture'] }
      await done(fixture, refund.ignore, await ofRefund(fixture, of.refundNo, seen))
      fixture.network.holders.set(of.wallet, of.holder)
      await done(fixture, refund.verify, await ofRefund(fixture, of.refundNo))
    }),
    way('the network loses a refund, and finds nothing or says it later', async fixture => {
      const lost = await sent(fixture, none)
      await proves(fixture, lost, 'paid')
      await proves(fixture, lost, 'paid')
      const gone = await sent(fixture, none)
      await proves(fixture, gone, 'refused')
    }),
    way('two persons confirm that a refund arrived, and that one never did', async fixture => {
      const arrived = await sent(fixture)
      const never = await sent(fixture)
      await fixture.pass(25 * 60)
      const third = await fixture.reviewer()
      for (const person of [third, fixture.boss]) await said(fixture, arrived, 'success', person)
      for (const person of [third, fixture.boss]) await said(fixture, never, 'failure', person)
    }),
    way('failed refunds were paid after all, before and after the next send', async fixture => {
      await proves(fixture, await failed(fixture), 'paid')
      await proves(fixture, await sentAgain(fixture), 'paid', 1)
      await proves(fixture, await sentAgain(fixture, refused()), 'paid', 1)
      const both = await sentAgain(fixture)
      await proves(fixture, both, 'paid', 2)
      await proves(fixture, both, 'paid', 1)
    }),
    way(
      'a refund to another account, and one that was closed, was paid to the first account after all',
      async fixture => {
        const moved = await failed(fixture)
        await another(fixture, moved)
        await proves(fixture, moved, 'paid')
        const given = await failed(fixture)
        await closed(fixture, given)
        await proves(fixture, given, 'paid')
      },
    ),
    way('a rejected refund is closed after a week', async fixture => {
      await rejected(fixture)
      await fixture.pass(8 * 1440)
      await fixture.tick('refund.autoClose')
    }),
    way('a rejected refund comes back with another account', async fixture => {
      const of = await verified(fixture)
      const reject = { rejectReason: 'payee_doubtful' }
      await done(fixture, refund.reject, await ofRefund(fixture, of.refundNo, reject))
      const attachNos = [await fixture.uploaded(fixture.second)]
      const again = {
        refundSource: 'overpaid',
        refundAmount: '900.00',
        channel: 'mtn_momo',
        payeeName: of.holder,
        payeeAccount: '256772555222',
        refundReason: 'customer_asked',
        attachNos,
      }
      await done(fixture, refund.resubmit, await ofRefund(fixture, of.refundNo, again), fixture.second)
    }),
    way('receipts of nobody known are held to go back', async fixture => {
      await done(fixture, refund.fromFlow, { flowNo: await ofNobody(fixture), reason: 'nobody asks for it' })
      const { orderNo } = await fixture.disbursed()
      const flowNo = await ofNobody(fixture)
      const form = fixture.typed(orderNo, '10000.00')
      const flow = (await fixture.rowOf('flow', flowNo)) as unknown as { serialNo: string; amount: string }
      form.flows = form.flows.map(line => ({ ...line, flowNo, serialNo: flow.serialNo, amount: flow.amount }))
      await done(fixture, repay.commit, await fixture.tried(form))
      await fixture.exec(sql`update repay_flow set customer_no = null where flow_no = ${flowNo}`)
      await done(fixture, refund.fromFlow, { flowNo, reason: 'the rest is of nobody' })
    }),
  ],
})

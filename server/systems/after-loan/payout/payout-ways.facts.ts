import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { calls, codeOf, done, fresh, paysIn, proves } from '../../../testing/acts.ts'
import { type Fixture, facts, type Input, way } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { switched } from '../../../testing/proven.ts'
import { none, paid, refused } from './payout-fixture.ts'

const { common, loan, repay } = contract

const newWallet = '256772777666'
const givenUp = { reason: 'customer_withdrew' }

const failed = (fixture: Fixture, type: 'payee_invalid' | 'other' = 'other') => fixture.sent('M1', refused(type))
/** A send that the network left without an answer. */
const lost = (fixture: Fixture) => fixture.sent('M1', none)
/** A failed payout whose customer may give another account. */
const allowed = async (fixture: Fixture) => {
  const made = await failed(fixture, 'payee_invalid')
  const version = await fixture.versionOf('order', made.orderNo)
  await done(fixture, loan.allowReWithdraw, { orderNo: made.orderNo, version })
  return made
}

const ofCode = async (fixture: Fixture, loanCode: string, more: Input = {}) => ({
  loanCode,
  version: await fixture.versionOf('loanCode', loanCode),
  ...more,
})
/** The network calls about the first send of a code, and says this when it is asked. */
const saysOf = async (fixture: Fixture, loanCode: string, what: 'paid' | 'refused' | 'notFound'): Promise<void> => {
  const { walletAccount: payee } = await codeOf(fixture, loanCode)
  const answers = {
    paid: paid({ payee, serialNo: fresh('CB') }),
    refused: refused(),
    notFound: { kind: 'notFound' },
  } as const
  fixture.network.queries.push(answers[what])
  await calls(fixture, { externalId: `${loanCode}-1`, status: fresh('S'), payee })
}

const retried = async (fixture: Fixture, loanCode: string, answer: (typeof fixture.network.sends)[number]) => {
  fixture.network.sends.push(answer)
  await done(fixture, loan.retry, { loanCodes: [loanCode] })
  await fixture.worker.drain()
}

/** What one person says by a statement became of a payout. */
const said = async (fixture: Fixture, loanCode: string, result: 'success' | 'failure', as: Person) => {
  const at = fixture.clock.now().getTime() - (result === 'failure' ? 86_400_000 : 0)
  const statementDate = new Date(at).toISOString().slice(0, 10)
  const serial = result === 'success' ? { serialNo: `MP-${loanCode}` } : {}
  const evidence = await fixture.uploaded(as)
  await done(fixture, loan.confirm, await ofCode(fixture, loanCode, { result, statementDate, evidence, ...serial }), as)
}

/** How payouts end that do not simply succeed. */
export default facts({
  ways: [
    way('failed payouts are given up', async fixture => {
      for (const { loanCode } of [await failed(fixture), await allowed(fixture)])
        await done(fixture, loan.cancel, { loanCodes: [loanCode], ...givenUp })
    }),
    way('a re-withdrawal goes to another account', async fixture => {
      const { loanCode } = await allowed(fixture)
      const { cardholderName } = await codeOf(fixture, loanCode)
      fixture.network.holders.set(newWallet, cardholderName)
      const evidence = await fixture.uploaded(fixture.boss)
      const to = { payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount: newWallet, cardholderName, evidence }
      const { approvalNo } = await done(fixture, loan.userInfo, await ofCode(fixture, loanCode, to))
      await done(fixture, common.approve, { approvalNo, version: 0 }, fixture.second)
      await done(fixture, loan.recreate, await ofCode(fixture, loanCode))
    }),
    way('two people confirm a payout that the network never answered', async fixture => {
      const { loanCode } = await lost(fixture)
      await fixture.pass(31)
      for (const person of [fixture.second, fixture.boss]) await said(fixture, loanCode, 'success', person)
    }),
    way('two people confirm that payouts never happened, after they disagreed', async fixture => {
      const made = [await fixture.sent(), await lost(fixture)]
      await fixture.pass(25 * 60)
      for (const { loanCode } of made) {
        await said(fixture, loanCode, 'failure', fixture.second)
        await said(fixture, loanCode, 'success', fixture.boss)
        for (const person of [fixture.second, fixture.boss]) await said(fixture, loanCode, 'failure', person)
      }
    }),
    way('the network answers while people confirm, and after they disagreed', async fixture => {
      const [first, other] = [await lost(fixture), await lost(fixture)]
      await fixture.pass(25 * 60)
      for (const { loanCode } of [first, other]) await said(fixture, loanCode, 'success', fixture.second)
      await said(fixture, other.loanCode, 'failure', fixture.boss)
      await saysOf(fixture, first.loanCode, 'paid')
      await saysOf(fixture, other.loanCode, 'refused')
    }),
    way('the network finds nothing yet', async fixture => {
      await saysOf(fixture, (await lost(fixture)).loanCode, 'notFound')
    }),
    way('the network says by its signature what became of payouts that it has, and of lost ones', async fixture => {
      for (const what of ['paid', 'refused'] as const)
        for (const { loanCode } of [await fixture.sent(), await lost(fixture)]) await proves(fixture, loanCode, what)
    }),
    way('refused payouts were paid after all', async fixture => {
      for (const { loanCode } of [await failed(fixture), await allowed(fixture)])
        await saysOf(fixture, loanCode, 'paid')
    }),
    way('a payout that was given up was paid after all', async fixture => {
      const { loanCode } = await failed(fixture)
      await done(fixture, loan.cancel, { loanCodes: [loanCode], ...givenUp })
      await saysOf(fixture, loanCode, 'paid')
    }),
    way('a refused payout was paid after all, while the next one waits', async fixture => {
      const { loanCode } = await failed(fixture)
      await fixture.exec(
        sql`update channel set pause_status = ${switched('paused')} where channel in (select channel from fund_account)`,
      )
      await done(fixture, loan.retry, { loanCodes: [loanCode] })
      await saysOf(fixture, loanCode, 'paid')
      await fixture.exec(
        sql`update channel set pause_status = ${switched('open')} where channel in (select channel from fund_account)`,
      )
    }),
    way('a refused payout was paid after all, when the next one is sent, lost or refused', async fixture => {
      for (const answer of [{ kind: 'accepted' } as const, none, refused()]) {
        const { loanCode } = await failed(fixture)
        await retried(fixture, loanCode, answer)
        await saysOf(fixture, loanCode, 'paid')
      }
    }),
    way('a network repeats itself, and contradicts itself', async fixture => {
      const { loanCode } = await fixture.disbursed()
      await saysOf(fixture, loanCode, 'paid')
      await saysOf(fixture, loanCode, 'refused')
    }),
    way('a payout is taken back, its money returns, and the network repeats itself', async fixture => {
      const { orderNo, loanCode, approvalNo } = await fixture.requested()
      await fixture.agree(approvalNo)
      await saysOf(fixture, loanCode, 'paid')
      await paysIn(fixture, orderNo, '190000.00')
      await saysOf(fixture, loanCode, 'paid')
    }),
    way('a payout cannot be taken back any more when the second person agrees', async fixture => {
      const { orderNo, approvalNo } = await fixture.requested()
      await done(fixture, repay.commit, await fixture.tried(fixture.typed(orderNo, '1000.00')))
      await fixture.agree(approvalNo)
    }),
  ],
})

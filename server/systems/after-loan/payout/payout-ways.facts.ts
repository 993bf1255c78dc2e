import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { calls, codeOf, done, fresh, paysIn, proves } from '../../../testing/acts.ts'
import { facts, type House, type Input, way } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { none, paid, refused } from './payout-fixture.ts'

const { common, loan, repay } = contract

const newWallet = '256772777666'
const givenUp = { reason: 'customer_withdrew' }

const failed = (house: House, type: 'payee_invalid' | 'other' = 'other') => house.sent('M1', refused(type))
/** A send that the network left without an answer. */
const lost = (house: House) => house.sent('M1', none)
/** A failed payout whose customer may give another account. */
const allowed = async (house: House) => {
  const made = await failed(house, 'payee_invalid')
  const version = await house.versionOf('order', made.orderNo)
  await done(house, loan.allowReWithdraw, { orderNo: made.orderNo, version })
  return made
}

const ofCode = async (house: House, loanCode: string, more: Input = {}) => ({
  loanCode,
  version: await house.versionOf('loanCode', loanCode),
  ...more,
})
/** The network calls about the first send of a code, and says this when it is asked. */
const saysOf = async (house: House, loanCode: string, what: 'paid' | 'refused' | 'notFound'): Promise<void> => {
  const { walletAccount: payee } = await codeOf(house, loanCode)
  const answers = {
    paid: paid({ payee, serialNo: fresh('CB') }),
    refused: refused(),
    notFound: { kind: 'notFound' },
  } as const
  house.network.queries.push(answers[what])
  await calls(house, { externalId: `${loanCode}-1`, status: fresh('S'), payee })
}

const retried = async (house: House, loanCode: string, answer: (typeof house.network.sends)[number]) => {
  house.network.sends.push(answer)
  await done(house, loan.retry, { loanCodes: [loanCode] })
  await house.worker.drain()
}

/** What one person says by a statement became of a payout. */
const said = async (house: House, loanCode: string, result: 'success' | 'failure', as: Person) => {
  const at = house.clock.now().getTime() - (result === 'failure' ? 86_400_000 : 0)
  const statementDate = new Date(at).toISOString().slice(0, 10)
  const serial = result === 'success' ? { serialNo: `MP-${loanCode}` } : {}
  const evidence = await house.uploaded(as)
  await done(house, loan.confirm, await ofCode(house, loanCode, { result, statementDate, evidence, ...serial }), as)
}

/** How payouts end that do not simply succeed. */
export default facts({
  ways: [
    way('failed payouts are given up', async house => {
      for (const { loanCode } of [await failed(house), await allowed(house)])
        await done(house, loan.cancel, { loanCodes: [loanCode], ...givenUp })
    }),
    way('a re-withdrawal goes to another account', async house => {
      const { loanCode } = await allowed(house)
      const { cardholderName } = await codeOf(house, loanCode)
      house.network.holders.set(newWallet, cardholderName)
      const evidence = await house.uploaded(house.boss)
      const to = { payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount: newWallet, cardholderName, evidence }
      const { approvalNo } = await done(house, loan.userInfo, await ofCode(house, loanCode, to))
      await done(house, common.approve, { approvalNo, version: 0 }, house.second)
      await done(house, loan.recreate, await ofCode(house, loanCode))
    }),
    way('two people confirm a payout that the network never answered', async house => {
      const { loanCode } = await lost(house)
      await house.pass(31)
      for (const person of [house.second, house.boss]) await said(house, loanCode, 'success', person)
    }),
    way('two people confirm that payouts never happened, after they disagreed', async house => {
      const made = [await house.sent(), await lost(house)]
      await house.pass(25 * 60)
      for (const { loanCode } of made) {
        await said(house, loanCode, 'failure', house.second)
        await said(house, loanCode, 'success', house.boss)
        for (const person of [house.second, house.boss]) await said(house, loanCode, 'failure', person)
      }
    }),
    way('the network answers while people confirm, and after they disagreed', async house => {
      const [first, other] = [await lost(house), await lost(house)]
      await house.pass(25 * 60)
      for (const { loanCode } of [first, other]) await said(house, loanCode, 'success', house.second)
      await said(house, other.loanCode, 'failure', house.boss)
      await saysOf(house, first.loanCode, 'paid')
      await saysOf(house, other.loanCode, 'refused')
    }),
    way('the network finds nothing yet', async house => {
      await saysOf(house, (await lost(house)).loanCode, 'notFound')
    }),
    way('the network says by its signature what became of payouts that it has, and of lost ones', async house => {
      for (const what of ['paid', 'refused'] as const)
        for (const { loanCode } of [await house.sent(), await lost(house)]) await proves(house, loanCode, what)
    }),
    way('refused payouts were paid after all', async house => {
      for (const { loanCode } of [await failed(house), await allowed(house)]) await saysOf(house, loanCode, 'paid')
    }),
    way('a payout that was given up was paid after all', async house => {
      const { loanCode } = await failed(house)
      await done(house, loan.cancel, { loanCodes: [loanCode], ...givenUp })
      await saysOf(house, loanCode, 'paid')
    }),
    way('a refused payout was paid after all, while the next one waits', async house => {
      const { loanCode } = await failed(house)
      await house.exec(sql`update channel set paused = true`)
      await done(house, loan.retry, { loanCodes: [loanCode] })
      await saysOf(house, loanCode, 'paid')
      await house.exec(sql`update channel set paused = false`)
    }),
    way('a refused payout was paid after all, when the next one is sent, lost or refused', async house => {
      for (const answer of [{ kind: 'accepted' } as const, none, refused()]) {
        const { loanCode } = await failed(house)
        await retried(house, loanCode, answer)
        await saysOf(house, loanCode, 'paid')
      }
    }),
    way('a network repeats itself, and contradicts itself', async house => {
      const { loanCode } = await house.disbursed()
      await saysOf(house, loanCode, 'paid')
      await saysOf(house, loanCode, 'refused')
    }),
    way('a payout is taken back, its money returns, and the network repeats itself', async house => {
      const { orderNo, loanCode, approvalNo } = await house.requested()
      await house.agree(approvalNo)
      await saysOf(house, loanCode, 'paid')
      await paysIn(house, orderNo, '190000.00')
      await saysOf(house, loanCode, 'paid')
    }),
    way('a payout cannot be taken back any more when the second person agrees', async house => {
      const { orderNo, approvalNo } = await house.requested()
      await done(house, repay.commit, await house.tried(house.typed(orderNo, '1000.00')))
      await house.agree(approvalNo)
    }),
  ],
})

import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { none, refused } from '../payout/payout-fixture.ts'
import { failed, ofWithdrawal, proves, sent, sentAgain } from './wallet-made.facts.ts'

const { wallet } = contract
const day = 86_400_000

/** What one person says by a statement became of a withdrawal. */
const said = async (fixture: Fixture, no: string, result: 'success' | 'failure', as: Person) => {
  const at = fixture.clock.now().getTime() - (result === 'failure' ? day : 0)
  const statementDate = new Date(at).toISOString().slice(0, 10)
  const serial = result === 'success' ? { serialNo: `WM-${no}` } : {}
  const evidence = await fixture.uploaded(as)
  const input = await ofWithdrawal(fixture, no, { result, statementDate, evidence, ...serial })
  await done(fixture, wallet.confirm, input, as)
}

/** How withdrawals go on that are not simply paid. */
export default facts({
  ways: [
    way('the network loses a withdrawal, and says later that it was paid, twice', async fixture => {
      const no = await sent(fixture, none)
      await proves(fixture, no, 'paid')
      await proves(fixture, no, 'paid')
    }),
    way('two persons confirm that a withdrawal was paid, and that one never was', async fixture => {
      const [arrived, never] = [await sent(fixture), await sent(fixture)]
      await fixture.pass(25 * 60)
      const third = await fixture.reviewer()
      for (const person of [third, fixture.boss]) await said(fixture, arrived, 'success', person)
      for (const person of [third, fixture.boss]) await said(fixture, never, 'failure', person)
    }),
    way('failed withdrawals were paid after all: before and after the next send, and when cancelled', async fixture => {
      await proves(fixture, await failed(fixture), 'paid')
      await proves(fixture, await sentAgain(fixture), 'paid', 1)
      await proves(fixture, await sentAgain(fixture, refused()), 'paid', 1)
      const both = await sentAgain(fixture)
      await proves(fixture, both, 'paid', 2)
      await proves(fixture, both, 'paid', 1)
      const given = await failed(fixture)
      await done(fixture, wallet.cancel, await ofWithdrawal(fixture, given, { reason: 'wrong number' }))
      await proves(fixture, given, 'paid')
    }),
  ],
})

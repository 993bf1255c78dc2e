import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { none, refused } from '../../after-loan/payout/payout-fixture.ts'
import {
  accountsOf,
  approved,
  asked,
  failed,
  form,
  ofTransfer,
  proves,
  rejected,
  sent,
  sentAgain,
} from './transfer-made.facts.ts'

const { transfer } = contract
const day = 86_400_000
const why = { reason: 'not needed any more' }

/** What one person says by a statement became of a transfer. */
const said = async (fixture: Fixture, no: string, result: 'success' | 'failure', as: Person) => {
  const at = fixture.clock.now().getTime() - (result === 'failure' ? day : 0)
  const statementDate = new Date(at).toISOString().slice(0, 10)
  const serial = result === 'success' ? { serialNo: `TM-${no}` } : {}
  const evidence = await fixture.uploaded(as)
  await done(
    fixture,
    transfer.confirm,
    await ofTransfer(fixture, no, { result, statementDate, evidence, ...serial }),
    as,
  )
}

/** How transfers go on that are not simply paid. */
export default facts({
  ways: [
    way('a transfer between lenders is approved by two', async fixture => {
      const { lender } = await accountsOf(fixture)
      const no = await asked(fixture, { toAccountNo: lender, transferPurpose: 'between_lenders' })
      await done(fixture, transfer.approve, await ofTransfer(fixture, no))
      await done(fixture, transfer.approve, await ofTransfer(fixture, no), await fixture.reviewer())
    }),
    way('a rejected transfer comes back, and one is given up', async fixture => {
      const no = await rejected(fixture)
      const { attachNos: _, ...input } = await form(fixture, fixture.boss)
      await done(fixture, transfer.resubmit, await ofTransfer(fixture, no, input))
      const other = await rejected(fixture)
      await done(fixture, transfer.giveUp, await ofTransfer(fixture, other, why))
    }),
    way('transfers are given up by their maker, and by a checker', async fixture => {
      const no = await asked(fixture, {}, fixture.boss)
      await done(fixture, transfer.giveUp, await ofTransfer(fixture, no, why))
      for (const one of [await approved(fixture), await failed(fixture)])
        await done(fixture, transfer.auditGiveUp, await ofTransfer(fixture, one, why))
    }),
    way('the network loses a transfer, and says it later, twice', async fixture => {
      const no = await sent(fixture, none)
      await proves(fixture, no, 'paid')
      await proves(fixture, no, 'paid')
    }),
    way('two persons confirm that a transfer was paid, and that one never was', async fixture => {
      const [arrived, never] = [await sent(fixture), await sent(fixture)]
      await fixture.pass(25 * 60)
      const third = await fixture.reviewer()
      for (const person of [third, fixture.boss]) await said(fixture, arrived, 'success', person)
      for (const person of [third, fixture.boss]) await said(fixture, never, 'failure', person)
    }),
    way(
      'failed transfers were paid after all, before and after the next send, and when they were given up',
      async fixture => {
        await proves(fixture, await failed(fixture), 'paid')
        await proves(fixture, await sentAgain(fixture), 'paid', 1)
        await proves(fixture, await sentAgain(fixture, refused()), 'paid', 1)
        const both = await sentAgain(fixture)
        await proves(fixture, both, 'paid', 2)
        await proves(fixture, both, 'paid', 1)
        const given = await failed(fixture)
        await done(fixture, transfer.auditGiveUp, await ofTransfer(fixture, given, why))
        await proves(fixture, given, 'paid')
      },
    ),
  ],
})

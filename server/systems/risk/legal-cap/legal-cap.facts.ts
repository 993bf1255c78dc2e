import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { facts, way } from '../../../testing/facts.ts'
import { type Cap, capNoOf, enforceCap, openCap, saveCap, submitCap } from './cap-fixture.ts'

const { legalCap, common } = contract
const off: Cap = { capValue: '60', capMode: 'off' }

export default facts({
  approvals: [{ action: 'legalCap.version', ask: fixture => submitCap(fixture, 'default_charges', off) }],
  ways: [
    way(
      'a legal cap is sent back, taken back, scheduled, cancelled, and starts once the year allows the month',
      async fixture => {
        const key = 'interest_year'
        const refused = await submitCap(fixture, key, off)
        await done(
          fixture,
          common.reject,
          { approvalNo: refused, version: 0, reason: 'read the notice' },
          fixture.second,
        )
        await saveCap(fixture, key, off)
        await saveCap(fixture, key, off)
        const withdrawn = await submitCap(fixture, key, off)
        await done(fixture, common.withdraw, { approvalNo: withdrawn, version: 0 })
        await submitCap(fixture, key, off)
        await fixture.pass(73 * 60)
        await fixture.tick('approval.expire')
        await enforceCap(fixture, key, off)
        await fixture.agree(await submitCap(fixture, key, { ...off, capValue: '61' }, 1))
        const { versionNo, version } = await fixture.one(openCap(await capNoOf(fixture, key)))
        await done(fixture, legalCap.versionCancel, { versionNo, version, reason: 'postponed' }, fixture.second)
        await fixture.agree(await submitCap(fixture, key, { capValue: '62', capMode: 'warn' }, 1))
        await enforceCap(fixture, 'interest_month', { capValue: '99', capMode: 'warn' })
        await fixture.pass(25 * 60)
        await fixture.tick('legalCap.start')
        await enforceCap(fixture, 'interest_month', off)
        await fixture.tick('legalCap.start')
        await enforceCap(fixture, key, off)
      },
    ),
  ],
  lists: [
    {
      list: legalCap.page,
      key: 'capNo',
      of: 'company',
      most: 3,
      // Two start at the same time, one is only drafted.
      fill: async fixture => {
        await enforceCap(fixture, 'interest_month', off)
        await enforceCap(fixture, 'default_charges', off)
        await capNoOf(fixture, 'interest_year')
      },
      means: { waiting: (_, mine: boolean) => !mine },
    },
  ],
  calls: Object.values(legalCap).map(call => ({ call: call as never, about: 'the law is the same for everybody' })),
})

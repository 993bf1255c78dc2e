import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { facts } from '../../../testing/facts.ts'

const { imports } = contract

export default facts({
  approvals: [
    {
      action: 'payout.confirmFile',
      ask: async fixture => {
        const importNo = await fixture.brought({ minutes: 31 })
        await done(fixture, imports.confirm, { importNo, version: await fixture.versionOf('importJob', importNo) })
        await fixture.worker.drain()
        const { approvalNo } = await fixture.one(
          sql<{ approvalNo: string }>`select approval_no from approval where object_no = ${importNo}`,
        )
        return approvalNo
      },
    },
  ],
})

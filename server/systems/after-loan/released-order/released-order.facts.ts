import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { facts } from '../../../testing/facts.ts'

const { imports } = contract

export default facts({
  approvals: [
    {
      action: 'payout.confirmFile',
      ask: async house => {
        const importNo = await house.brought({ minutes: 31 })
        await done(house, imports.confirm, { importNo, version: await house.versionOf('importJob', importNo) })
        await house.worker.drain()
        const { approvalNo } = await house.one(
          sql<{ approvalNo: string }>`select approval_no from approval where object_no = ${importNo}`,
        )
        return approvalNo
      },
    },
  ],
})

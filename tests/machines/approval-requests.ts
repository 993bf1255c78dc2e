import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import type { House } from '../contract/house.ts'
import { blocked, lossOf, settled, unblocking } from './ways/recon.ts'
import { done } from './ways/way.ts'

const { imports, mfa, recon, repay } = contract
const reason = 'wrong customer'

/** How the first person asks for each action that a second one must agree to. */
export const approvalRequests: readonly { action: string; ask: (house: House) => Promise<string> }[] = [
  {
    action: 'payout.cancelPaid',
    ask: async house => (await house.requested()).approvalNo,
  },
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
  {
    action: 'repay.rollback',
    ask: async house => {
      const { repaymentNo } = await house.repaid()
      return String((await done(house, repay.rollback, { repaymentNo, version: 0, reason })).approvalNo)
    },
  },
  {
    action: 'flow.void',
    ask: async house => {
      const flowNo = await house.receivedFlow()
      return String((await done(house, repay.flowVoid, { flowNo, version: 1, reason })).approvalNo)
    },
  },
  {
    action: 'recon.adjust',
    ask: async house => {
      const { reconItemNo } = await blocked(house)
      return String((await done(house, recon.adjust, await lossOf(house, reconItemNo))).approvalNo)
    },
  },
  {
    action: 'payout.unblock',
    ask: async house =>
      String((await done(house, recon.unblock, await unblocking(house, await settled(house)))).approvalNo),
  },
  {
    action: 'user.resetMfa',
    ask: async house => {
      const { userNo } = await house.reviewer()
      await house.exec(
        sql`insert into user_mfa (user_no, mfa_status, sealed_secret) values (${userNo}, 'bound', 'sealed')`,
      )
      return String((await done(house, mfa.reset, { loginId: `login.${userNo}`, reason: 'phone lost' })).approvalNo)
    },
  },
]

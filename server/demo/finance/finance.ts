import type { Tx } from '../../db/database.ts'
import { noPayout } from '../../money/no-gateway.ts'
import { autoCancelModule } from '../../systems/after-loan/auto-cancel/auto-cancel.ts'
import { autoWriteOffModule } from '../../systems/after-loan/auto-write-off/auto-write-off.ts'
import { fundAccountModule } from '../../systems/after-loan/fund-account/fund-account.ts'
import { loanRouteModule } from '../../systems/after-loan/loan-route/loan-route.ts'
import { financeDesk } from './desk.ts'
import { writeFundAccounts } from './fund-accounts.ts'
import { writeRoutes } from './routes.ts'
import { writeRules } from './rules.ts'

/** How finance has set its screens up. */
export const writeFinance = async (tx: Tx): Promise<void> => {
  const accounts = fundAccountModule({ payout: { mtn_momo: noPayout } })
  const routes = loanRouteModule({ payout: { mtn_momo: noPayout } })
  const desk = await financeDesk(tx, [accounts, autoCancelModule(), autoWriteOffModule(), routes], 12)
  await writeFundAccounts(desk)
  await writeRules(desk)
  await writeRoutes(desk)
}

import type { Tx } from '../../db/database.ts'
import { noPayout } from '../../money/no-gateway.ts'
import { autoCancelModule } from '../../systems/after-loan/auto-cancel/auto-cancel.ts'
import { autoWriteOffModule } from '../../systems/after-loan/auto-write-off/auto-write-off.ts'
import { fundAccountModule } from '../../systems/after-loan/fund-account/fund-account.ts'
import { financeDesk } from './desk.ts'
import { writeFundAccounts } from './fund-accounts.ts'
import { writeRules } from './rules.ts'

/** How finance has set its screens up. */
export const writeFinance = async (tx: Tx): Promise<void> => {
  const accounts = fundAccountModule({ payout: { mtn_momo: noPayout } })
  const desk = await financeDesk(tx, [accounts, autoCancelModule(), autoWriteOffModule()], 12)
  await writeFundAccounts(desk)
  await writeRules(desk)
}

import type { Tx } from '../../db/database.ts'
import { noPayout } from '../../money/no-gateway.ts'
import { fundAccountModule } from '../../systems/after-loan/fund-account/fund-account.ts'
import { financeDesk } from './desk.ts'
import { writeFundAccounts } from './fund-accounts.ts'

/** How finance has set its screens up. */
export const writeFinance = async (tx: Tx): Promise<void> => {
  await writeFundAccounts(await financeDesk(tx, [fundAccountModule({ payout: { mtn_momo: noPayout } })], 12))
}

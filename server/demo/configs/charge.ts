import type { Tx } from '../../db/database.ts'
import { writeBalances } from '../finance/balances.ts'
import { writeRefunds } from './refunds.ts'
import { writeTransfers } from './transfers.ts'
import { writeWallets } from './wallets.ts'

/** Money that leaves for a reason other than a loan, and what own accounts held each morning. */
export const writeCharge = async (tx: Tx): Promise<void> => {
  await writeRefunds(tx)
  await writeTransfers(tx)
  await writeWallets(tx)
  await writeBalances(tx)
}

import type { Tx } from '../../db/database.ts'
import { writeBalances } from '../finance/balances.ts'
import { writeDelays } from '../finance/delayed.ts'
import { writePayLinks } from '../finance/pay-links.ts'
import { writeStatements } from '../finance/statements.ts'
import { writeSupplements } from '../finance/supplements.ts'
import { writeAirtime } from './airtime.ts'
import { writeRefunds } from './refunds.ts'
import { writeTransfers } from './transfers.ts'
import { writeWallets } from './wallets.ts'

/** Money that leaves for a reason other than a loan, and what own accounts held each morning. */
export const writeCharge = async (tx: Tx): Promise<void> => {
  await writeRefunds(tx)
  await writeTransfers(tx)
  await writeWallets(tx)
  await writeAirtime(tx)
  await writeSupplements(tx)
  await writeDelays(tx)
  await writePayLinks(tx)
  await writeStatements(tx)
  await writeBalances(tx)
}

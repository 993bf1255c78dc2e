import type { Tx } from '../../db/database.ts'
import { writePrices } from '../risk/pricing.ts'
import { writeModels } from '../risk/risk-models.ts'
import { writeRuleDrafts } from '../risk/rule-sets.ts'
import { writeRuleTests } from '../risk/rule-tests.ts'
import { writeLimits } from './limits.ts'
import { writeProducts } from './products.ts'
import { writeSmsTasks } from './sms-tasks.ts'
import { writeUnrenewed } from './unrenewed.ts'

/** What is lent, as people keep it: prices by level, the models that give them, further products, and how much of it. */
export const writeLending = async (tx: Tx): Promise<void> => {
  await writePrices(tx)
  await writeModels(tx)
  await writeRuleDrafts(tx)
  await writeRuleTests(tx)
  await writeProducts(tx)
  await writeLimits(tx)
  await writeUnrenewed(tx)
  await writeSmsTasks(tx)
}

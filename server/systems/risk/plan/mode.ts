import { businessConfigs, type ReviewMode } from '../../../../core/contract/common/business-config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { businessValue, writeBusinessConfig } from '../../common/index.ts'

const { riskPlan } = contract
const configKey = 'MACHINE_REVIEW_MODE'

/** What machine review does now. */
export const reviewMode = async (tx: Tx): Promise<ReviewMode['reviewMode']> =>
  ((await businessValue(tx, configKey)) ?? businessConfigs[configKey].plain).reviewMode

/** The kill switch: one person is enough to let people decide, and two to let the machine decide again. */
export const manualAll = serve(riskPlan.manualAll, async ({ tx, session, actor, input, audit }) => {
  if (!session.headquarters) throw new Fault('forbidden', 'errors.headquartersOnly')
  const before = await reviewMode(tx)
  if (before === 'manual_all') throw new Fault('stateConflict', 'errors.manualAlready')
  const value: ReviewMode = { reviewMode: 'manual_all' }
  await writeBusinessConfig(tx, configKey, { value }, actor)
  const { reason } = input
  audit({
    objectType: 'businessConfig',
    objectNo: configKey,
    before: { reviewMode: before },
    after: { ...value, reason },
  })
  return value
})

import { sql } from 'kysely'
import type { Config } from '../../../../core/contract/config.ts'
import { cutoffs } from '../../../../core/contract/risk/cutoff.ts'
import { riskModels } from '../../../../core/contract/risk/risk-model.ts'
import type { Machine } from '../../../../core/rules/machines/machine.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { baseBands, baseCard, baseModelNo, baseVersionNo } from './base-card.ts'
import { hashOf } from './content.ts'

const actor = system('start')
type Values = Record<string, unknown>

/** Writes an item with a version in force. */
export const begin = async (
  tx: Tx,
  config: Pick<Config, 'key' | 'machine' | 'versionMachine'>,
  item: Values,
  { versionNo, content }: { versionNo: string; content: Values },
) => {
  const by = { createdTime: tx.now, updatedBy: actor.no, updatedTime: tx.now }
  await create(tx, config.machine, { ...item, ...by }, { event: 'item.create' }, actor)
  await transition(
    tx,
    config.machine,
    { ...item, enabled: 'disabled', version: 0 } as never,
    { event: 'item.enable' },
    actor,
  )
  const machine = config.versionMachine as Machine
  const version = {
    versionNo,
    [config.key]: item[config.key],
    content: json(content),
    makerNo: actor.no,
    makerName: actor.name,
    createdTime: tx.now,
  }
  await create(tx, machine, version, { event: 'version.save' }, actor)
  const draft = { ...version, versionStatus: 'draft', version: 0 }
  const waits = await transition(tx, machine, draft, { event: 'version.submit' }, actor)
  await transition(tx, machine, waits, { event: 'version.approve', as: 'now', set: { effectiveTime: tx.now } }, actor)
}

/** Writes the first scorecard and its cut-off, where no model was set up yet. */
export const writeBaseModel = async (tx: Tx): Promise<void> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext('write base model'))`)
  if (!(await tx.maybe(sql`select 1 from risk_model where model_no = ${baseModelNo}`))) {
    const { bins, ...content } = baseCard
    const item = {
      modelVersionNo: baseVersionNo,
      modelNo: baseModelNo,
      modelVersion: 1,
      modelName: 'Base scorecard',
      ...content,
      bins: json(bins),
      sha256: hashOf(baseCard),
      psiLook: '0.1',
      psiAct: '0.25',
    }
    await begin(tx, riskModels, item, { versionNo: 'MR-BASE-1', content: { modelRole: 'champion' } })
  }
  if (!(await tx.maybe(sql`select 1 from risk_cutoff where model_no = ${baseModelNo}`)))
    await begin(
      tx,
      cutoffs,
      { cutoffNo: 'CO-BASE', modelNo: baseModelNo, cutoffName: 'Base cut-off' },
      { versionNo: 'CV-BASE-1', content: baseBands },
    )
}

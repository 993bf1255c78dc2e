import { sql } from 'kysely'
import { maturities } from '../../../../core/contract/merchant/maturity.ts'
import type { Machine } from '../../../../core/rules/machines/machine.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'

/** What holds until people agree to something else: due dates are those of the terms, and nobody is reminded. */
const content = { dueShift: 'none', reminderPlan: [], extensionFromDay: 0, extensionToDay: 0 }

/** Writes the row for all merchants, with a version in force, where there is none. */
export const writeMaturityForAll = async (tx: Tx): Promise<void> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext('write maturity for all'))`)
  const there = sql`select 1 from maturity_config where merchant_no is null and product_no is null and deleted_time is null`
  if (await tx.maybe(there)) return
  const actor = system('start')
  const maturityNo = newNo('MC', tx.now)
  const item = { maturityNo, createdTime: tx.now, updatedBy: actor.no, updatedTime: tx.now }
  await create(tx, maturities.machine, item, { event: 'item.create' }, actor)
  const off = { ...item, enabled: 'disabled', version: 0 }
  await transition(tx, maturities.machine, off, { event: 'item.enable' }, actor)
  const machine = maturities.versionMachine as Machine
  const by = { makerNo: actor.no, makerName: actor.name, createdTime: tx.now }
  const version = { versionNo: newNo('MV', tx.now), maturityNo, content, ...by }
  await create(tx, machine, version, { event: 'version.save' }, actor)
  const draft = { ...version, versionStatus: 'draft', version: 0 }
  const waits = await transition(tx, machine, draft, { event: 'version.submit' }, actor)
  const set = { effectiveTime: tx.now }
  await transition(tx, machine, waits, { event: 'version.approve', as: 'now', set }, actor)
}

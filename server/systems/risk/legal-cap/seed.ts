import { sql } from 'kysely'
import { legalCaps } from '../../../../core/contract/risk/legal-cap.ts'
import type { LegalCap } from '../../../../core/rules/legal-cap.ts'
import type { Machine } from '../../../../core/rules/machines/machine.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { newNo } from '../../../money/numbers.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'

type Given = Omit<LegalCap, 'effectiveTo'> & { legalSource: string }

const notice = {
  capBase: 'advanced',
  capMode: 'enforce',
  feeTreatment: 'interestOnly',
  effectiveFrom: '2024-11-15',
  legalSource: 'Legal Notice 21 of 2024',
} as const
/** What the law says until people agree to something else. */
const caps: readonly Given[] = [
  { ...notice, capKey: 'interest_month', capValue: '2.8' },
  { ...notice, capKey: 'interest_year', capValue: '33.6' },
  {
    ...notice,
    capKey: 'default_charges',
    capValue: '50',
    capBase: 'principal',
    capMode: 'warn',
    effectiveFrom: '2024-03-01',
    legalSource: 'Press reports of the UMRA Digital Lending Guidelines 2024',
  },
]

/** Writes the caps that are not there yet, each with a version in force. */
export const writeLegalCaps = async (tx: Tx): Promise<void> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext('write legal caps'))`)
  const actor = system('start')
  for (const { capKey, effectiveFrom, ...content } of caps) {
    if (await tx.maybe(sql`select 1 from legal_cap where cap_key = ${capKey} and deleted_time is null`)) continue
    const capNo = newNo('LC', tx.now)
    const item = { capNo, capKey, createdTime: tx.now, updatedBy: actor.no, updatedTime: tx.now }
    await create(tx, legalCaps.machine, item, { event: 'item.create' }, actor)
    await transition(
      tx,
      legalCaps.machine,
      { ...item, enabled: 'disabled', version: 0 },
      { event: 'item.enable' },
      actor,
    )
    const machine = legalCaps.versionMachine as Machine
    const by = { makerNo: actor.no, makerName: actor.name, createdTime: tx.now }
    const version = { versionNo: newNo('LV', tx.now), capNo, content: json(content), ...by }
    await create(tx, machine, version, { event: 'version.save' }, actor)
    const draft = { ...version, versionStatus: 'draft', version: 0 }
    const waits = await transition(tx, machine, draft, { event: 'version.submit' }, actor)
    const set = { effectiveTime: startOfEatDay(effectiveFrom) }
    await transition(tx, machine, waits, { event: 'version.approve', as: 'now', set }, actor)
  }
}

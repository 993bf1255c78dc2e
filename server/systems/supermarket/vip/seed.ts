import { sql } from 'kysely'
import { vipLadders } from '../../../../core/contract/supermarket/vip.ts'
import type { Machine } from '../../../../core/rules/machines/machine.ts'
import { anyDays } from '../../../../core/rules/market/vip.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { newNo } from '../../../money/numbers.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'

const level = (levelCode: string, [zh, en, sw]: [string, string, string], asks: object = {}) => ({
  levelCode,
  levelName: { zh, en, sw },
  ...{ settledCount: 0, repaidAmount: '0', onTimeShare: '0', maxOverdueDays: anyDays, memberDays: 0 },
  ...asks,
})

/** What holds until people agree to something else. */
const levels = [
  level('V0', ['新会员', 'New member', 'Mwanachama mpya']),
  level('V1', ['铜牌会员', 'Bronze', 'Shaba'], { settledCount: 1 }),
  level('V2', ['银牌会员', 'Silver', 'Fedha'], { settledCount: 3, onTimeShare: '70', maxOverdueDays: 15 }),
  level('V3', ['金牌会员', 'Gold', 'Dhahabu'], {
    settledCount: 6,
    onTimeShare: '85',
    maxOverdueDays: 7,
    memberDays: 90,
    repaidAmount: '1000000',
  }),
  level('V4', ['钻石会员', 'Diamond', 'Almasi'], {
    settledCount: 12,
    onTimeShare: '95',
    maxOverdueDays: 3,
    memberDays: 180,
    repaidAmount: '5000000',
  }),
]

/** Writes the ladder, with levels in force, where there is none. */
export const writeVipLadder = async (tx: Tx): Promise<void> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext('write vip ladder'))`)
  if (await tx.maybe(sql`select 1 from vip_ladder where deleted_time is null`)) return
  const actor = system('start')
  const ladderNo = newNo('VL', tx.now)
  const item = { ladderNo, createdTime: tx.now, updatedBy: actor.no, updatedTime: tx.now }
  await create(tx, vipLadders.machine, item, { event: 'item.create' }, actor)
  await transition(
    tx,
    vipLadders.machine,
    { ...item, enabled: 'disabled', version: 0 },
    { event: 'item.enable' },
    actor,
  )
  const machine = vipLadders.versionMachine as Machine
  const by = { makerNo: actor.no, makerName: actor.name, createdTime: tx.now }
  const version = { versionNo: newNo('VV', tx.now), ladderNo, content: json({ levels }), ...by }
  await create(tx, machine, version, { event: 'version.save' }, actor)
  const draft = { ...version, versionStatus: 'draft', version: 0 }
  const waits = await transition(tx, machine, draft, { event: 'version.submit' }, actor)
  await transition(tx, machine, waits, { event: 'version.approve', as: 'now', set: { effectiveTime: tx.now } }, actor)
}

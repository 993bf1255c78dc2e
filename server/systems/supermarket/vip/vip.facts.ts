import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { anyDays } from '../../../../core/rules/market/vip.ts'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { done } from '../../../testing/acts.ts'
import { type Fixture, facts, type MerchantNo, way } from '../../../testing/facts.ts'
import { writeVipLadder } from './seed.ts'

const { vip, common } = contract
const names = { zh: '会员', en: 'Member', sw: 'Mwanachama' }
const level = (levelCode: 'V0' | 'V1' | 'V2', settledCount: number) => ({
  levelCode,
  levelName: names,
  settledCount,
  repaidAmount: '0',
  onTimeShare: '0',
  maxOverdueDays: anyDays,
  memberDays: 0,
})
const levels = [level('V0', 0), level('V1', 1), level('V2', 3)]

const ladderOf = async (fixture: Fixture): Promise<string> => {
  await fixture.db.withTx(writeVipLadder)
  return (await fixture.one(sql<{ no: string }>`select ladder_no as no from vip_ladder`)).no
}
const open = (ladderNo: string) => sql<{ versionNo: string; version: number }>`
  select version_no, version from vip_ladder_version where ladder_no = ${ladderNo} and version_status in ('draft', 'pending', 'rejected', 'scheduled') order by created_time desc limit 1`

const saved = async (fixture: Fixture): Promise<string> => {
  const ladderNo = await ladderOf(fixture)
  const [there] = await fixture.rows(open(ladderNo))
  await done(fixture, vip.versionSave, { ladderNo, ...there, levels })
  return ladderNo
}
/** Sends a draft of the ladder to a second person. */
const submitted = async (fixture: Fixture, days = 0): Promise<string> => {
  const ladderNo = await saved(fixture)
  const { versionNo, version } = await fixture.one(open(ladderNo))
  const effectiveTime = new Date(fixture.clock.now().getTime() + days * 86_400_000).toISOString()
  const input = { versionNo, version, reason: 'fewer levels', ...(days ? { effectiveTime } : {}) }
  return String((await done(fixture, vip.versionSubmit, input)).approvalNo)
}

const customerOf = async (fixture: Fixture, merchantNo: MerchantNo = 'M1') => {
  const orderNo = await fixture.queueUp(merchantNo)
  return (await fixture.one(sql<{ no: string }>`select customer_no as no from loan_order where order_no = ${orderNo}`))
    .no
}

export default facts({
  approvals: [
    { action: 'vipLadder.version', ask: submitted },
    {
      action: 'vip.setLevel',
      ask: async fixture => {
        await ladderOf(fixture)
        const customerNo = await customerOf(fixture)
        const vipUntil = addDays(eatDate(fixture.clock.now().toISOString()), 30)
        const input = { customerNo, levelCode: 'V2', vipUntil, reason: 'long customer' }
        return String((await done(fixture, vip.setLevel, input)).approvalNo)
      },
    },
  ],
  ways: [
    way('a ladder is sent back, taken back, scheduled, cancelled and put in force', async fixture => {
      const refused = await submitted(fixture)
      await done(fixture, common.reject, { approvalNo: refused, version: 0, reason: 'too easy' }, fixture.second)
      const withdrawn = await submitted(fixture)
      await done(fixture, common.withdraw, { approvalNo: withdrawn, version: 0 })
      await fixture.agree(await submitted(fixture, 1))
      const { versionNo, version } = await fixture.one(open(await ladderOf(fixture)))
      await done(fixture, vip.versionCancel, { versionNo, version, reason: 'postponed' }, fixture.second)
      await fixture.agree(await submitted(fixture, 1))
      // A level that the new ladder lacks has a member when its time has come.
      const customerNo = await customerOf(fixture)
      await fixture.exec(sql`update customer set member_level = 'V9' where customer_no = ${customerNo}`)
      await fixture.pass(25 * 60)
      await fixture.tick('vipLadder.start')
      await fixture.exec(sql`update customer set member_level = 'V0' where customer_no = ${customerNo}`)
      await fixture.tick('vipLadder.start')
      await fixture.agree(await submitted(fixture))
      await submitted(fixture)
      await fixture.pass(73 * 60)
      await fixture.tick('approval.expire')
    }),
  ],
  lists: [
    {
      list: vip.page,
      key: 'ladderNo',
      of: 'company',
      most: 1,
      fill: async fixture => void (await ladderOf(fixture)),
      means: { waiting: (_, mine: boolean) => !mine },
    },
    { list: vip.members, key: 'customerNo', ownedBy: 'customerNo' },
  ],
  records: [
    {
      fields: ['customerNo'],
      under: '/marketProduct/vipLevel',
      table: 'customer',
      key: 'customer_no',
      make: customerOf,
      owners: sql`select customer_no as no, min(merchant_no) as merchant_no, '{}'::text[] as holders from merchant_customer group by customer_no`,
      unheld: true,
    },
  ],
  calls: Object.values(vip)
    .filter(call => (call as unknown) !== vip.members && (call as unknown) !== vip.setLevel)
    .map(call => ({ call: call as Endpoint, about: 'levels are the same for every merchant; counts name nobody' })),
})

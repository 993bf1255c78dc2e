import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { nameOf } from '../../../simulators/people.ts'
import { application } from '../../../testing/partner.ts'
import { writeBasePlans } from '../../risk/plan/seed.ts'
import { writeBaseModel } from '../../risk/risk-model/seed.ts'
import { replay } from '../../risk/rule-set/index.ts'
import { writeBaseRules } from '../../risk/rule-set/seed.ts'
import { incompleteWarning } from './incomplete.ts'
import { reviewsForTests } from './review-fixture.ts'

const { kit, worker, network, write, rows, found, applied, reviewed } = await reviewsForTests()

describe('a review that can decide nothing', () => {
  type Kept = { evalNo: number; decision: string; why: string | null; decisionNo: string }
  const decisions = (orderNo: string) =>
    rows(
      sql<Kept>`select eval_no, decision, inputs ->> 'incomplete' as why, decision_no from risk_decision where order_no = ${orderNo} order by eval_no`,
    )
  const later = async (minutes: number) => {
    kit.clock.advance(minutes * 60_000 - 1_000)
    await worker.drain()
    kit.clock.advance(1_000)
    await worker.drain()
  }

  it('is tried again after a minute, with nothing half done', async () => {
    network.holder = () => Promise.reject(new Error('the process was hit by lightning'))
    const orderNo = await applied()
    await worker.drain()
    expect((await found(orderNo)).orderStatus).toBe('machine_reviewing')
    network.holder = async account => ({ name: nameOf(account) })
    await later(1)
    expect(await found(orderNo)).toMatchObject({ orderStatus: 'to_be_allocated', modelLevel: 'B' })
    expect(await decisions(orderNo)).toMatchObject([
      { evalNo: 1, decision: 'incomplete', why: 'fault' },
      { evalNo: 2, decision: 'review', why: null },
    ])
  })

  it('goes to a person after 1, 5 and 15 minutes, named as incomplete, approved and refused by nobody', async () => {
    network.holder = () => Promise.reject(new Error('the process was hit by lightning'))
    const { orderNo, orderStatus } = await reviewed()
    expect(orderStatus).toBe('machine_reviewing')
    const tries: number[] = []
    for (const minutes of [1, 5, 15]) {
      tries.push((await decisions(orderNo)).length)
      await later(minutes)
    }
    expect(tries).toEqual([1, 2, 3])
    expect(await found(orderNo)).toMatchObject({
      orderStatus: 'to_be_allocated',
      refuseCode: null,
      modelScore: null,
      suggestedAmount: null,
      ruleHits: [{ ruleNo: 'machine.incomplete' }],
      machineTime: kit.clock.now().toISOString(),
    })
    const kept = await decisions(orderNo)
    expect(kept.map(one => one.decision)).toEqual(Array(4).fill('incomplete'))
    for (const one of kept) expect((await kit.db.read(tx => replay(tx, one.decisionNo))).same).toBe(true)
    const warned = await kit.db.withTx(tx => incompleteWarning.find(tx, {} as never))
    expect(warned).toMatchObject([{ merchantNo: 'M1', facts: { n: 2 } }])
    await later(60)
    expect(await decisions(orderNo)).toHaveLength(4)
  })

  it('is one without a plan, where others have one', async () => {
    await kit.db.withTx(writeBaseModel)
    await kit.db.withTx(writeBaseRules)
    await kit.db.withTx(writeBasePlans)
    await write(sql`update risk_plan set deleted_time = now() where product_no = 'P1'`)
    const { orderNo, orderStatus } = await reviewed({ device: { ...application(1).device, emulator: true } })
    expect(orderStatus).toBe('machine_reviewing')
    expect(await decisions(orderNo)).toMatchObject([{ decision: 'incomplete', why: 'no_plan' }])
    await write(sql`update risk_plan set deleted_time = null where product_no = 'P1'`)
    await later(1)
    expect(await found(orderNo)).toMatchObject({ orderStatus: 'machine_refused', refuseCode: 'MR_DEVICE' })
  })
})

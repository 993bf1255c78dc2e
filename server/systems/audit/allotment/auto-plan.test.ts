import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Person } from '../../../testing/kit.ts'
import { type Floor, openFloor, supervisorPerms } from '../../../testing/review-floor.ts'

const { audit } = contract

let floor: Floor
let lead: Person
beforeAll(async () => {
  floor = await openFloor()
  lead = await floor.person({ perms: [...supervisorPerms, 'audit:people:config'] })
})
afterAll(() => floor.close())
beforeEach(async () => {
  await floor.exec(sql`update audit_person set auto_allocation = false`)
  await floor.exec(sql`
    update loan_order set order_status = case when set_config('app.transition', 'on', true) = 'on' then 'cancelled' end where order_status = 'to_be_allocated'`)
})

const plan = async () => (await floor.call(audit.autoPreview, {}, { as: lead })).data

describe('what automatic allocation would do', () => {
  it('is what it does: the shortest queues first, within caps, and the rest stays', async () => {
    const [a, b] = [await floor.auditor({ auto: true, queueCap: 1 }), await floor.auditor({ auto: true, queueCap: 2 })]
    await floor.orders(5)
    const { list, ...counts } = await plan()
    expect(counts).toEqual({ waiting: 5, left: 2 })
    expect(new Map(list.map(one => [one.userNo, one.gets]))).toEqual(
      new Map([
        [a.userNo, 1],
        [b.userNo, 2],
      ]),
    )
    const { data } = await floor.call(audit.autoAllot, {}, { as: lead })
    expect(data).toMatchObject({ ok: 3, fail: 2 })
  })

  it('hands nothing to who is off duty, and says that nobody is there', async () => {
    await floor.auditor({ auto: true, shift: 'off' })
    await floor.order()
    expect(await plan()).toEqual({ waiting: 1, left: 1, list: [] })
  })
})

describe('the switch', () => {
  it('turns the clock on and off, with a line in the log', async () => {
    await floor.auditor({ auto: true })
    const turn = (enabled: boolean, as = lead) => floor.call(audit.autoSwitch, { enabled }, { as })
    const orderNo = await floor.order()
    expect(await floor.run('audit.autoAllot')).toMatchObject({ allotted: 0 })
    expect((await turn(true, await floor.supervisor())).code).toBe(40301)
    expect((await turn(true)).data).toEqual({ enabled: true })
    expect((await floor.call(audit.allotStat, {}, { as: lead })).data.autoAllot).toBe(true)
    expect(await floor.run('audit.autoAllot')).toMatchObject({ allotted: 1 })
    expect(await floor.statusOf(orderNo)).toBe('pending_review')
    await turn(false)
    await floor.order()
    expect(await floor.run('audit.autoAllot')).toMatchObject({ allotted: 0 })
    const lines = await floor.rows(sql`select after from audit_log where action = 'order.autoSwitch' order by audit_no`)
    expect(lines).toEqual([{ after: { enabled: true } }, { after: { enabled: false } }])
  })
})

it('an auditor who went off duty is absent from their orders', async () => {
  const person = await floor.auditor()
  const orderNo = await floor.order()
  await floor.allotTo(lead, person, [orderNo])
  const absent = async () =>
    (await floor.call(audit.allotList, { orderNo, auditorAbsent: true }, { as: lead })).data.list.length
  expect(await absent()).toBe(0)
  await floor.exec(sql`update audit_person set shift_override = 'off' where user_no = ${person.userNo}`)
  expect(await absent()).toBe(1)
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Person } from '../../../testing/kit.ts'
import { frozen } from '../../../testing/people.ts'
import { auditorPerms, type Floor, openFloor, supervisorPerms } from '../../../testing/review-floor.ts'

const { audit, auditPerson } = contract
const perms = ['page', 'sync', 'update', 'batchUpdate'].map(end => `audit:user:${end}`)

let floor: Floor
let boss: Person
let lead: Person
beforeAll(async () => {
  floor = await openFloor()
  boss = await floor.person({ perms: [...perms, 'log:audit:page'] })
  lead = await floor.person({ perms: supervisorPerms })
})
afterAll(() => floor.close())

type Values = Record<string, unknown>
const rowOf = async (userNo: string, as = boss) => {
  const { data } = await floor.call(auditPerson.page, { pageSize: 100 }, { as })
  return data.list.find(row => row.userNo === userNo)
}
const settings = {
  groupNo: 'G1',
  principalMerchantNo: 'M1',
  associatedMerchantNos: ['M2'],
  autoAllocation: true,
  acceptFirst: true,
  acceptRepeat: true,
  queueCap: 20,
  approvalCap: '500000.00',
  auditStepMax: 2,
  shiftOverride: 'on',
}
const update = async (userNo: string, more: Values = {}, as = boss) =>
  floor.call(
    auditPerson.update,
    { userNo, version: (await rowOf(userNo, boss))?.version ?? 0, ...settings, ...more } as never,
    { as, language: 'en' },
  )
const asAuditor = (person: Person) =>
  floor.exec(sql`update role set post = 'auditor' where role_no = ${`R${person.userNo}`}`)
const preview = async () => (await floor.call(auditPerson.preview, {}, { as: boss })).data
const sync = async () => {
  const { joining, leaving } = await preview()
  const counts = { joining: joining.length, leaving: leaving.length }
  return floor.call(auditPerson.sync, counts, { as: boss, language: 'en' })
}
const allot = (who: Person, orderNos: readonly string[]) =>
  floor.call(audit.allot, { orderNos: [...orderNos], auditorNos: [who.userNo] }, { as: lead, language: 'en' })

describe('taking people up', () => {
  it('adds who holds a role of the post, without work until somebody says which', async () => {
    const person = await floor.person({ perms: auditorPerms, limit: 'own' })
    await asAuditor(person)
    expect((await preview()).joining.map(one => one.userNo)).toEqual([person.userNo])
    expect((await sync()).data).toEqual({ joining: 1, leaving: 0 })
    expect(await rowOf(person.userNo)).toMatchObject({
      autoAllocation: false,
      principalMerchantNo: null,
      approvalCap: '0.00',
      shiftOverride: 'scheduled',
      standing: 'at_work',
    })
    const [row] = (await allot(person, [await floor.order()])).data.rows
    expect(row).toMatchObject({ code: 40001, msg: expect.stringContaining('merchant') })
    expect((await update(person.userNo)).code).toBe(0)
    expect((await allot(person, [await floor.order()])).data.ok).toBe(1)
  })

  it('is refused when it would be others than were shown', async () => {
    const person = await floor.person({ perms: [] })
    await asAuditor(person)
    const seen = { joining: 0, leaving: 0 }
    expect(await floor.call(auditPerson.sync, seen, { as: boss })).toMatchObject({ code: 40901 })
    expect(await rowOf(person.userNo)).toBeUndefined()
    await sync()
  })

  it('marks who lost the role, returns their orders, and takes them up again', async () => {
    const person = await floor.auditor()
    await asAuditor(person)
    const orderNo = await floor.order()
    await allot(person, [orderNo])
    await floor.exec(sql`update role set post = null where role_no = ${`R${person.userNo}`}`)
    const { leaving } = await preview()
    expect(leaving.find(one => one.userNo === person.userNo)).toMatchObject({ openCount: 1 })
    await sync()
    expect(await rowOf(person.userNo)).toMatchObject({ standing: 'gone', autoAllocation: false, openCount: 0 })
    expect(await floor.statusOf(orderNo)).toBe('to_be_allocated')
    expect(await update(person.userNo)).toMatchObject({ code: 40901, msg: expect.stringContaining('No longer') })
    expect((await floor.call(audit.allotAuditors, { orderNos: [orderNo] }, { as: lead })).data.list).not.toContainEqual(
      expect.objectContaining({ userNo: person.userNo }),
    )
    await asAuditor(person)
    await sync()
    expect(await rowOf(person.userNo)).toMatchObject({ standing: 'at_work', autoAllocation: false })
  })
})

describe('settings', () => {
  it.each([
    ['neither first nor repeat loans', { acceptFirst: false, acceptRepeat: false }, 40001, 'first loans'],
    ['a queue of none', { queueCap: 0 }, 40001, ''],
    ['a queue beyond 200', { queueCap: 201 }, 40001, ''],
    ['a fourth step', { auditStepMax: 4 }, 40001, ''],
    ['more than anybody may approve', { approvalCap: '5000000.01' }, 40001, '5,000,000'],
    ['an unknown merchant', { principalMerchantNo: 'M9' }, 40001, ''],
  ])('are refused with %s', async (_, more, code, msg) => {
    const { userNo } = await floor.auditor()
    const answer = await update(userNo, more)
    expect(answer).toMatchObject({ code, msg: expect.stringContaining(msg) })
    expect(await rowOf(userNo)).toMatchObject({ version: 0 })
  })

  it('hold the caps that the business sets', async () => {
    await floor.exec(
      sql`insert into business_config (config_key, config_value) values ('APPROVAL_CAP_MAX', '"400000.00"')`,
    )
    const { userNo } = await floor.auditor()
    expect((await update(userNo)).code).toBe(40001)
    await floor.exec(sql`delete from business_config where config_key = 'APPROVAL_CAP_MAX'`)
    expect((await update(userNo)).code).toBe(0)
  })

  it('give no merchant that the account does not cover, nor one beyond the editor', async () => {
    const { userNo } = await floor.auditor({ merchants: ['M1'] })
    expect((await update(userNo)).code).toBe(40001)
    expect((await update(userNo, { associatedMerchantNos: [] })).code).toBe(0)
    const local = await floor.person({ perms, limit: 'own_merchants', merchants: ['M1'] })
    const wide = await floor.auditor({ merchants: ['M1', 'M2'] })
    expect((await update(wide.userNo, { groupNo: 'G7', associatedMerchantNos: ['M2'] }, local)).code).toBe(0)
    expect((await update(wide.userNo, { principalMerchantNo: 'M2' }, local)).code).toBe(40001)
  })

  it('are seen and changed within the data rule of the editor', async () => {
    const { userNo } = await floor.auditor({ merchants: ['M1'] })
    const other = await floor.person({ perms, limit: 'own_merchants', merchants: ['M2'] })
    expect(await rowOf(userNo, other)).toBeUndefined()
    expect((await update(userNo, { associatedMerchantNos: [] }, other)).code).toBe(40401)
    expect((await floor.call(auditPerson.work, { userNo }, { as: other })).code).toBe(40401)
  })

  it('of somebody who is frozen do not change', async () => {
    const { userNo } = await floor.auditor()
    await floor.db.withTx(tx => frozen(tx, userNo))
    expect((await update(userNo)).code).toBe(40901)
    expect((await rowOf(userNo))?.blockedBy).toHaveProperty(['auditPerson.update'])
  })

  it('leave a line of what was changed', async () => {
    const { userNo } = await floor.auditor()
    await update(userNo, { queueCap: 7 })
    const [line] = await floor.rows(sql<{ before: Values; after: Values }>`
      select before, after from audit_log where object_no = ${userNo} and action = 'auditPerson.update'`)
    expect([line?.before.queueCap, line?.after.queueCap]).toEqual([20, 7])
  })
})

describe('several at once', () => {
  it('change what is ticked and nothing else, row by row', async () => {
    const [a, b] = [await floor.auditor({ queueCap: 5 }), await floor.auditor({ queueCap: 6 })]
    await floor.db.withTx(tx => frozen(tx, b.userNo))
    const input = { userNos: [a.userNo, b.userNo, 'U0'], groupNo: 'Kampala' } as never
    const { data } = await floor.call(auditPerson.batchUpdate, input, { as: boss })
    expect(data.rows.map(row => row.code)).toEqual([0, 40901, 40401])
    expect(await rowOf(a.userNo)).toMatchObject({ groupNo: 'Kampala', queueCap: 5, associatedMerchantNos: ['M2'] })
  })

  it('nothing ticked is not complete', async () => {
    const { userNo } = await floor.auditor()
    const answer = await floor.call(auditPerson.batchUpdate, { userNos: [userNo] } as never, {
      as: boss,
      language: 'en',
    })
    expect(answer).toMatchObject({ code: 40001, msg: expect.stringContaining('complete') })
  })
})

describe('work', () => {
  it('is released but for what somebody works on right now', async () => {
    const person = await floor.auditor()
    const orders = await floor.orders(3)
    await allot(person, orders)
    await floor.open(person, orders[0] as string)
    expect(await rowOf(person.userNo)).toMatchObject({ openCount: 3, liveCount: 1 })
    const { data } = await floor.call(audit.unallot, { auditorNo: person.userNo }, { as: lead })
    expect(data).toMatchObject({ ok: 2, fail: 0 })
    expect(await rowOf(person.userNo)).toMatchObject({ openCount: 1, liveCount: 1 })
  })

  it('goes to nobody who is off duty, whatever the sign-in says', async () => {
    const person = await floor.auditor({ shift: 'scheduled' })
    expect(await rowOf(person.userNo)).toMatchObject({ onShift: true, shiftSource: 'signed_in' })
    await update(person.userNo, { shiftOverride: 'off' })
    expect(await rowOf(person.userNo)).toMatchObject({ onShift: false, shiftSource: 'override' })
    const [row] = (await allot(person, [await floor.order()])).data.rows
    expect(row?.code).toBe(40001)
  })

  it('of 30 days is counted', async () => {
    const person = await floor.auditor()
    const [orderNo, other] = await floor.orders(2)
    await allot(person, [orderNo as string, other as string])
    const task = await floor.open(person, orderNo as string)
    expect((await floor.call(audit.submit, floor.passing(task), { as: person })).code).toBe(0)
    const { data } = await floor.call(auditPerson.work, { userNo: person.userNo }, { as: boss })
    expect(data).toMatchObject({ done: 1, pass: 1, refuse: 0, passShare: '100.0', overdueShare: null })
    expect(data.openTasks.map(one => one.orderNo)).toEqual([other])
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { wipe } from '../../../testing/wipe.ts'
import { homeModule } from '../../portal/home/home.ts'
import { messageModule } from '../../portal/message/message.ts'
import { leaveModule } from './leave.ts'

const { leave, message, home } = contract
const lead = ['schedule:leave:audit']
let kit: Kit
let ann: Person
let boss: Person
let other: Person

beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [leaveModule(), messageModule(), homeModule()] })
})
beforeEach(async () => {
  await kit.db.withTx(tx => wipe(tx, 'leaveApply', 'staffMessage'))
  ann = await kit.person({ perms: [], dept: 'D1', name: 'Ann' })
  boss = await kit.person({ perms: lead, dept: 'D1', limit: 'dept', name: 'Boss' })
  other = await kit.person({ perms: lead, dept: 'D2', limit: 'dept', name: 'Other' })
})
afterAll(() => kit.close())

type Given = Partial<InputOf<typeof leave.apply>>
const tomorrow = { startTime: '2026-03-03T06:00:00Z', endTime: '2026-03-03T14:00:00Z' }
const apply = (as: Person, given: Given = {}) =>
  kit.call(leave.apply, { leaveType: 'annual', ...tomorrow, ...given }, { as })
const applied = async (as = ann, given: Given = {}) => {
  const { data, msg } = await apply(as, given)
  expect(data, msg).not.toBeNull()
  return data
}
const mine = async (as: Person, input = {}) => (await kit.call(leave.page, input, { as })).data.list
const waiting = (as: Person) => mine(as, { box: 'toCheck' })
const decide = (as: Person, row: { leaveNo: string; version: number }, given: object) =>
  kit.call(leave.audit, { leaveNo: row.leaveNo, version: row.version, ...given } as never, { as })
const cancel = (as: Person, { leaveNo, version }: { leaveNo: string; version: number }) =>
  kit.call(leave.cancel, { leaveNo, version }, { as })
const saidTo = async (as: Person) =>
  (await kit.call(message.page, {}, { as })).data.list.map(row => `${row.title}: ${row.content}`)
const fieldsOf = ({ data }: { data: unknown }) =>
  (data as { fields: { path: string; msg: string }[] }).fields.map(({ path, msg }) => `${path}: ${msg}`)

describe('asking for leave', () => {
  it('is one’s own, pending, and waits for those in line', async () => {
    const row = await applied(ann, { remark: 'wedding' })
    expect(row).toMatchObject({ leaveStatus: 'pending', leaveType: 'annual', remark: 'wedding', cancellable: true })
    expect((await mine(ann)).map(one => one.leaveNo)).toEqual([row.leaveNo])
    expect(await mine(boss)).toEqual([])
    expect((await waiting(boss)).map(one => one.leaveNo)).toEqual([row.leaveNo])
    expect(await waiting(other)).toEqual([])
    expect(await waiting(ann)).toEqual([])
    expect(await saidTo(boss)).toEqual([
      'Leave to approve: Ann: Ann requests leave (Annual) from 2026-03-03 09:00 to 2026-03-03 17:00',
    ])
    expect(await saidTo(other)).toEqual([])
  })

  it('is counted by the bell and by Home of the person who decides', async () => {
    await applied()
    const counted = async (as: Person) => ({
      bell: (await kit.call(message.count, {}, { as })).data.approvals,
      home: (await kit.call(home.mine, {}, { as })).data.queues.map(({ key, count }) => `${key} ${count}`),
    })
    expect(await counted(boss)).toEqual({ bell: 1, home: ['leaves 1'] })
    expect(await counted(other)).toEqual({ bell: 0, home: ['leaves 0'] })
    expect(await counted(ann)).toEqual({ bell: 0, home: [] })
  })

  it('is refused for odd times, the wrong way round and in the past, but for the ill', async () => {
    const refused = async (given: Given) => fieldsOf(await apply(ann, given))
    expect(await refused({ startTime: '2026-03-03T06:10:00Z' })).toEqual([
      'startTime: Times must be quarter hours: :00, :15, :30 or :45',
    ])
    expect(await refused({ endTime: tomorrow.startTime })).toEqual(['endTime: The end must be after the start'])
    const past = { startTime: '2026-03-01T06:00:00Z', endTime: '2026-03-01T14:00:00Z' }
    expect(await refused(past)).toEqual(['startTime: Only sick leave can start in the past'])
    expect((await apply(ann, { ...past, leaveType: 'sick' })).code).toBe(0)
    expect((await apply(ann, { remark: 'x'.repeat(31) })).code).toBe(40001)
  })

  it('may not overlap what is pending or approved, and may touch it; what was taken back is no hindrance', async () => {
    const first = await applied()
    const inside = { startTime: '2026-03-03T13:45:00Z', endTime: '2026-03-03T20:00:00Z' }
    expect(fieldsOf(await apply(ann, inside))).toEqual([
      'startTime: Overlaps your leave of 2026-03-03 09:00 to 2026-03-03 17:00',
    ])
    expect((await apply(ann, { startTime: tomorrow.endTime, endTime: '2026-03-03T20:00:00Z' })).code).toBe(0)
    expect((await apply(other, inside)).code).toBe(0)
    expect((await decide(boss, first, { result: 'approve' })).code).toBe(0)
    expect((await apply(ann)).code).toBe(40001)
    const approved = (await mine(ann)).find(row => row.leaveNo === first.leaveNo)!
    expect((await cancel(ann, approved)).data).toMatchObject({ leaveStatus: 'cancelled', cancellable: false })
    expect((await apply(ann)).code).toBe(0)
  })

  it('cannot overlap when it is asked for twice at the same time', async () => {
    const codes = (await Promise.all([apply(ann), apply(ann)])).map(answer => answer.code).sort()
    expect(codes).toEqual([0, 40001])
  })
})

describe('deciding', () => {
  it('tells the applicant, and closes the question', async () => {
    const row = await applied()
    expect((await decide(boss, row, { result: 'approve' })).data).toMatchObject({
      leaveStatus: 'approved',
      auditorName: 'Boss',
    })
    expect(await saidTo(ann)).toEqual([
      'Leave approved: Boss approved your leave (Annual) from 2026-03-03 09:00 to 2026-03-03 17:00. ',
    ])
    expect((await kit.call(message.count, {}, { as: boss })).data).toMatchObject({ unread: 0, approvals: 0 })
  })

  it('takes a reason to say no', async () => {
    const row = await applied()
    expect((await decide(boss, row, { result: 'reject' })).code).toBe(40001)
    expect((await decide(boss, row, { result: 'reject', auditRemark: 'too many off' })).data).toMatchObject({
      leaveStatus: 'rejected',
      auditRemark: 'too many off',
    })
    expect((await saidTo(ann))[0]).toContain('too many off')
  })

  it('by an account with the phone of the applicant is marked for who decides, and in the audit log', async () => {
    const phone = (who: Person) =>
      kit.db.withTx(tx => tx.exec(sql`update app_user set phone = '256772345678' where user_no = ${who.userNo}`))
    await phone(ann)
    await phone(boss)
    const row = await applied()
    expect(row.sharedWithMaker).toEqual([])
    const { data } = await kit.call(leave.page, { box: 'toCheck' }, { as: boss })
    expect(data.list.find(one => one.leaveNo === row.leaveNo)?.sharedWithMaker).toEqual(['phone'])
    expect((await decide(boss, row, { result: 'approve' })).code).toBe(0)
    const [line] = await kit.db.read(tx =>
      tx.rows(sql<{ after: object }>`
        select after from audit_log where object_no = ${row.leaveNo} and action = 'leave.audit'`),
    )
    expect(line?.after).toMatchObject({ leaveStatus: 'approved', sharedWithMaker: ['phone'] })
  })

  it('is for somebody else in line, once', async () => {
    const row = await applied()
    expect((await decide(ann, row, { result: 'approve' })).code).toBe(40301)
    expect((await decide(other, row, { result: 'approve' })).code).toBe(40401)
    const own = await applied(boss)
    expect((await decide(boss, own, { result: 'approve' })).code).toBe(40301)
    expect((await decide(boss, row, { result: 'approve' })).code).toBe(0)
    expect((await decide(boss, { ...row, version: 1 }, { result: 'approve' })).code).toBe(40901)
  })
})

describe('taking leave back', () => {
  it('ends when it begins for the applicant, and not for those in line', async () => {
    const row = await applied()
    expect((await cancel(other, row)).code).toBe(40401)
    kit.clock.advance(24 * 3_600_000)
    await kit.db.withTx(tx => tx.exec(sql`update session set last_seen_time = ${tx.now}, created_time = ${tx.now}`))
    expect((await mine(ann))[0]?.cancellable).toBe(false)
    expect(await cancel(ann, row)).toMatchObject({ code: 40901, msg: expect.stringContaining('has begun') })
    expect((await cancel(boss, row)).code).toBe(0)
  })
})

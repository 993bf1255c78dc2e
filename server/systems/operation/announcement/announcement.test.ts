import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { system } from '../../../rights/actor.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { wipe } from '../../../testing/wipe.ts'
import { homeModule } from '../../portal/home/home.ts'
import { messageModule } from '../../portal/message/message.ts'
import { announcementModule } from './announcement.ts'
import {
  type Announcement,
  draftAnnouncement,
  lockAnnouncement,
  type NewAnnouncement,
  publishAnnouncement,
  tickAnnouncements,
} from './store.ts'

const { announcement, message, home } = contract
const actor = system('test')
let kit: Kit
let ann: Person
let ben: Person

beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [announcementModule(), messageModule(), homeModule()] })
  ;[ann, ben] = [await kit.person({ perms: [], dept: 'D1' }), await kit.person({ perms: [], dept: 'D2' })]
})
beforeEach(() => kit.db.withTx(tx => wipe(tx, 'announcement', 'announcementRead', 'userEvent')))
afterAll(() => kit.close())

const minutes = (n: number) => new Date(kit.clock.now().getTime() + n * 60_000)
const make = (given: Partial<NewAnnouncement> = {}) =>
  kit.db.withTx(async tx => {
    const no = await draftAnnouncement(
      tx,
      { titles: { en: 'Closed' }, contents: { en: '<p>On Monday</p>' }, startTime: minutes(-5), ...given },
      actor,
    )
    await publishAnnouncement(tx, (await lockAnnouncement(tx, no)) as Announcement, actor)
    return no
  })
const mine = async (as: Person, input = {}, language: Language = 'en') =>
  (await kit.call(announcement.mine, input, { as, language })).data
const read = async (as: Person, ...announcementNos: string[]) =>
  (await kit.call(announcement.read, { announcementNos }, { as })).data.read
const tick = () => kit.db.withTx(tx => tickAnnouncements(tx, actor))
const notified = () =>
  kit.db.read(tx => tx.rows(sql<{ userNo: string }>`select user_no from user_event order by user_no`))
const later = async (n: number) => {
  kit.clock.advance(n * 60_000)
  await kit.db.withTx(tx => tx.exec(sql`update session set last_seen_time = ${tx.now}`))
}
const statusOf = (no: string) =>
  kit.db.read(tx =>
    tx.one(sql<{ s: string }>`select announcement_status as s from announcement where announcement_no = ${no}`),
  )

describe('announcements', () => {
  it('are read in the language of the reader, else in Swahili, English, Chinese', async () => {
    await make({ titles: { zh: '放假', en: 'Closed' }, contents: { zh: '<p>周一</p>' } })
    const titles = async (language: Language) =>
      (await mine(ann, {}, language)).list.map(row => [row.title, row.content])
    expect(await titles('zh')).toEqual([['放假', '<p>周一</p>']])
    expect(await titles('en')).toEqual([['Closed', '<p>周一</p>']])
    expect(await titles('sw')).toEqual([['Closed', '<p>周一</p>']])
  })

  it('stand unread first, then pinned, then newest; Home has five of them and the bell their number', async () => {
    const nos: string[] = []
    for (let n = 0; n < 6; n++) nos.push(await make({ startTime: minutes(-10 + n), pinned: n === 0 }))
    expect(await read(ann, nos[5]!)).toBe(1)
    const order = [nos[0], nos[4], nos[3], nos[2], nos[1], nos[5]]
    expect((await mine(ann)).list.map(row => row.announcementNo)).toEqual(order)
    const first = (await kit.call(home.mine, {}, { as: ann })).data.announcements
    expect(first.map(row => row.announcementNo)).toEqual(order.slice(0, 5))
    expect((await kit.call(message.count, {}, { as: ann })).data).toMatchObject({ announcements: 5, unread: 0 })
    expect((await mine(ann, { unread: true })).total).toBe(5)
    expect((await mine(ann, { pageNum: 2 })).list).toEqual([])
  })

  it('are for the departments they name, and for nobody outside of their time', async () => {
    const here = await make({ audienceDepts: ['D1'] })
    expect((await mine(ann)).total).toBe(1)
    expect((await mine(ben)).total).toBe(0)
    expect(await read(ben, here)).toBe(0)
    expect(await notified()).toEqual([{ userNo: ann.userNo }])
    await make({ endTime: minutes(-1) })
    expect((await mine(ben)).total).toBe(0)
  })

  it('are read once, with the time of the first reading', async () => {
    const no = await make({ needRead: true })
    expect((await mine(ann, { unread: true, needRead: true })).list.map(row => row.announcementNo)).toEqual([no])
    expect(await read(ann, no)).toBe(1)
    const { readTime } = (await mine(ann)).list[0]!
    await later(1)
    expect(await read(ann, no, 'AN000')).toBe(0)
    expect((await mine(ann)).list[0]?.readTime).toBe(readTime)
    expect((await mine(ann, { unread: true, needRead: true })).list).toEqual([])
    expect((await mine(ben, { unread: true })).total).toBe(1)
  })

  it('begin and end by the clock, and their readers are notified when they begin', async () => {
    const no = await make({ startTime: minutes(30), endTime: minutes(90) })
    expect((await mine(ann)).total).toBe(0)
    expect(await notified()).toEqual([])
    await later(30)
    expect(await tick()).toEqual({ started: 1, ended: 0 })
    expect((await notified()).map(row => row.userNo)).toEqual([ann.userNo, ben.userNo])
    expect((await mine(ann)).total).toBe(1)
    await later(60)
    expect((await mine(ann)).total).toBe(0)
    expect(await tick()).toEqual({ started: 0, ended: 1 })
    expect(await tick()).toEqual({ started: 0, ended: 0 })
    expect(await statusOf(no)).toEqual({ s: 'expired' })
  })

  it('are kept without anything that could run, and not without words', async () => {
    await make({ contents: { en: '<p onclick="x()">Read <script>alert(1)</script><b>this</b></p>' } })
    expect((await mine(ann)).list[0]?.content).toBe('<p>Read <b>this</b></p>')
    await expect(make({ contents: { en: '<p><br></p>' } })).rejects.toMatchObject({ key: 'validation.contentEmpty' })
  })

  it('keep who has read them as it is', async () => {
    await read(ann, await make())
    const spoil = () => kit.db.withTx(tx => tx.exec(sql`update announcement_read set read_time = now()`))
    await expect(spoil()).rejects.toThrow('never changed')
  })
})

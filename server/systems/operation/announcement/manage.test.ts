import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codes } from '../../../../core/contract/codes.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { left, rejoined } from '../../../testing/people.ts'
import { wipe } from '../../../testing/wipe.ts'
import { messageModule } from '../../portal/message/message.ts'
import { announcementModule } from './announcement.ts'
import { seesPicture } from './pictures.ts'

const { announcement, message } = contract
const perms = ['ops:announcement:page', 'ops:announcement:save', 'ops:announcement:publish']
let kit: Kit
let boss: Person
let local: Person
let ann: Person
let ben: Person

beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [announcementModule(), messageModule()] })
  boss = await kit.person({ perms, limit: 'all', dept: 'D0', merchants: ['M1'] })
  local = await kit.person({ perms, limit: 'own_merchants', dept: 'D2', merchants: ['M2'] })
  ann = await kit.person({ perms: [], dept: 'D1', merchants: ['M1'] })
  ben = await kit.person({ perms: [], dept: 'D2', merchants: ['M2'] })
})
beforeEach(() =>
  kit.db.withTx(tx => wipe(tx, 'announcement', 'announcementRead', 'announcementImage', 'userEvent', 'staffMessage')),
)
afterAll(() => kit.close())

type Saved = InputOf<typeof announcement.save>
const at = (minutes: number) => new Date(kit.clock.now().getTime() + minutes * 60_000).toISOString()
const form = (more: Partial<Saved> = {}): Saved => ({
  titles: { en: 'Rates' },
  contents: { en: '<p>They change</p>' },
  audienceType: 'staff',
  startTime: at(-1),
  ...more,
})
const save = async (more: Partial<Saved> = {}, as = boss) => kit.call(announcement.save, form(more), { as })
const published = async (more: Partial<Saved> = {}, as = boss) => {
  const { announcementNo } = (await save(more, as)).data
  expect(await kit.call(announcement.publish, { announcementNo, version: 0 }, { as })).toMatchObject({ code: 0 })
  return announcementNo
}
const rows = async (as = boss, input = {}) =>
  (await kit.call(announcement.page, input, { as, language: 'en' })).data.list
const row = async (announcementNo: string, as = boss) =>
  (await rows(as)).find(one => one.announcementNo === announcementNo)
const mine = async (as: Person) => (await kit.call(announcement.mine, {}, { as, language: 'en' })).data.total
const later = async (minutes: number) => {
  kit.clock.advance(minutes * 60_000)
  await kit.db.withTx(tx => tx.exec(sql`update session set last_seen_time = ${tx.now}, created_time = ${tx.now}`))
}

describe('an audience', () => {
  it('is everybody whom all its conditions fit, a department with those below it', async () => {
    const reach = async (more: Partial<Saved>) =>
      (await kit.call(announcement.reach, { audienceType: 'staff', ...more } as never, { as: boss })).data.count
    expect(await reach({})).toBe(4)
    expect(await reach({ audienceDepts: ['D0'] })).toBe(4)
    expect(await reach({ audienceDepts: ['D2'] })).toBe(2)
    expect(await reach({ audienceMerchants: ['M1'] })).toBe(2)
    expect(await reach({ audienceMerchants: ['M1'], audienceDepts: ['D1'] })).toBe(1)
    expect(await reach({ audienceMerchants: ['M1'], audienceDepts: ['D2'] })).toBe(0)
    const [role] = await kit.db.read(tx =>
      tx.rows(sql<{ roleNo: string }>`select role_no from user_role where user_no = ${ben.userNo}`),
    )
    const no = await published({ audienceRoles: [role!.roleNo] })
    expect([await mine(ann), await mine(ben)]).toEqual([0, 1])
    expect(await row(no)).toMatchObject({ targetCount: 1, readCount: 0 })
  })

  it('of an app has no receipts, and nothing to confirm', async () => {
    const no = await published({ audienceType: 'app', audienceApps: ['BodaCash'], needRead: true })
    expect(await row(no)).toMatchObject({ audience: ['BodaCash'], needRead: false, targetCount: null, readCount: null })
    expect(await mine(ann)).toBe(0)
    expect(await save({ audienceType: 'app' })).toMatchObject({ code: codes.validation })
  })

  it('names only what there is, and keeps within the data rule of its writer', async () => {
    for (const wrong of [{ audienceRoles: ['R?'] }, { audienceDepts: ['D?'] }, { audienceMerchants: ['M?'] }])
      expect(await save(wrong)).toMatchObject({ code: codes.validation })
    expect(await save({}, local)).toMatchObject({ code: codes.validation })
    expect(await save({ audienceMerchants: ['M1'] }, local)).toMatchObject({ code: codes.validation })
    const own = await published({ audienceMerchants: ['M2'] }, local)
    const general = await published()
    expect((await rows(local)).map(one => one.announcementNo)).toEqual([own])
    const foreign = { announcementNo: general, version: 1 }
    expect(await kit.call(announcement.abolish, foreign, { as: local })).toMatchObject({ code: codes.notFound })
    expect(await kit.call(announcement.detail, { announcementNo: general }, { as: local })).toMatchObject({
      code: codes.notFound,
    })
  })
})

describe('a draft', () => {
  it('is filled in one language at least, and ends after it begins', async () => {
    for (const wrong of [
      { titles: {} },
      { contents: { en: '<p> </p>' } },
      { contents: {} },
      { endTime: at(-2) },
      { titles: { en: 'x'.repeat(65) } },
    ])
      expect(await save(wrong)).toMatchObject({ code: codes.validation })
  })

  it('J3: is kept sanitised, changed by its version and deleted by its author alone', async () => {
    const { announcementNo } = (await save({ contents: { en: '<p onclick="x">a<script>b</script></p>' } })).data
    const detail = async () => (await kit.call(announcement.detail, { announcementNo }, { as: boss })).data
    expect((await detail()).contents).toEqual({ zh: null, en: '<p>a</p>', sw: null })
    expect(await save({ announcementNo, version: 3 })).toMatchObject({ code: codes.versionConflict })
    expect(await save({ announcementNo, version: 0, titles: { sw: 'Viwango' } })).toMatchObject({ code: 0 })
    expect((await detail()).titles).toEqual({ zh: null, en: null, sw: 'Viwango' })
    const other = await kit.person({ perms, limit: 'all' })
    const input = { announcementNo, version: 1 }
    expect((await row(announcementNo, other))?.blockedBy).toMatchObject({
      'announcement.delete': { reason: 'errors.announcementOfOthers' },
    })
    expect(await kit.call(announcement.remove, input, { as: other })).toMatchObject({ code: codes.stateConflict })
    expect(await kit.call(announcement.remove, input, { as: boss })).toMatchObject({ code: 0 })
    expect(await rows()).toEqual([])
    expect((await detail()).history.map(one => one.event)).toEqual(['ann.delete', 'ann.save', 'ann.save'])
  })

  it('is not published once its end has passed', async () => {
    const { announcementNo } = (await save({ endTime: at(5) })).data
    await later(6)
    expect((await row(announcementNo))?.blockedBy).toHaveProperty(['announcement.publish'])
    const answer = await kit.call(announcement.publish, { announcementNo, version: 0 }, { as: boss })
    expect(answer.code).toBe(codes.stateConflict)
  })
})

describe('a published announcement', () => {
  it('is hidden at once when it is withdrawn, and its receipts stay', async () => {
    const announcementNo = await published()
    const { targetCount } = (await row(announcementNo))!
    await kit.call(announcement.read, { announcementNos: [announcementNo] }, { as: ann })
    expect(await kit.call(announcement.abolish, { announcementNo, version: 1 }, { as: boss })).toMatchObject({
      code: 0,
    })
    expect(await mine(ben)).toBe(0)
    expect(await row(announcementNo)).toMatchObject({ readCount: 1, targetCount })
    expect(await kit.call(announcement.restart, { announcementNo, version: 2 }, { as: boss })).toMatchObject({
      data: { announcementStatus: 'published' },
    })
    expect(await mine(ben)).toBe(1)
  })

  it('says who has read it and who has not, also of those it no longer reaches', async () => {
    const announcementNo = await published({ audienceDepts: ['D1'] })
    await kit.call(announcement.read, { announcementNos: [announcementNo] }, { as: ann })
    const receipts = async (more = {}) =>
      (await kit.call(announcement.readers, { announcementNo, ...more }, { as: boss })).data.list.map(one => [
        one.userNo,
        one.readTime !== null,
      ])
    expect(await receipts()).toContainEqual([ann.userNo, true])
    expect((await receipts({ read: false })).every(([, read]) => !read)).toBe(true)
    await kit.db.withTx(tx => left(tx, ann.userNo))
    expect(await receipts({ read: true })).toEqual([[ann.userNo, true]])
    expect((await receipts({ read: false })).length).toBe((await row(announcementNo))!.targetCount! - 1)
    await kit.db.withTx(tx => rejoined(tx, ann.userNo))
  })

  it('reminds those who have yet to confirm it, once a day', async () => {
    const announcementNo = await published({ needRead: true, audienceDepts: ['D2'] })
    const remind = () => kit.call(announcement.remind, { announcementNo }, { as: boss })
    await kit.call(announcement.read, { announcementNos: [announcementNo] }, { as: local })
    expect((await remind()).data).toEqual({ reminded: 1 })
    const notes = (await kit.call(message.page, {}, { as: ben, language: 'en' })).data.list
    expect(notes).toMatchObject([{ messageType: 'notice', title: 'Please confirm: Rates', objectNo: announcementNo }])
    expect(await remind()).toMatchObject({ code: codes.stateConflict })
    await later(24 * 60)
    expect((await remind()).data).toEqual({ reminded: 1 })
    const quiet = await published()
    expect(await kit.call(announcement.remind, { announcementNo: quiet }, { as: boss })).toMatchObject({
      code: codes.stateConflict,
    })
  })
})

describe('pictures', () => {
  const sent = (uploadNo: string, userNo: string) =>
    kit.db.withTx(tx =>
      tx.exec(sql`
        insert into upload (upload_no, user_no, purpose, file_name, extension, size, sha256, chunk_bytes, file_id, upload_status,
          file_size, file_type, file_sha256, created_time, expire_time)
        values (${uploadNo}, ${userNo}, 'image', 'map.png', 'png', 2048, ${'0'.repeat(64)}, 1024, ${uploadNo}, 'ready',
          2048, 'image/png', ${'0'.repeat(64)}, ${tx.now}, ${new Date(tx.now.getTime() + 3_600_000)})`),
    )
  const showing = (uploadNo: string) => ({ contents: { en: `<p>a</p><img data-upload="${uploadNo}" alt="map">` } })
  const sees = (uploadNo: string, person: Person) =>
    kit.db.read(tx => seesPicture(tx, { ...person, perms: new Set() } as never, uploadNo))
  const statusOf = (uploadNo: string) =>
    kit.db.read(tx => tx.one(sql<{ s: string }>`select upload_status as s from upload where upload_no = ${uploadNo}`))

  it('are seen by the readers alone, shared with copies, and go with the last that shows them', async () => {
    await sent('UPA', boss.userNo)
    const first = await published({ ...showing('UPA'), audienceDepts: ['D1'] })
    expect([await sees('UPA', ann), await sees('UPA', ben)]).toEqual([true, false])
    const copy = (await save(showing('UPA'))).data.announcementNo
    expect(await save({ ...showing('UPA'), audienceMerchants: ['M2'] }, local)).toMatchObject({
      code: codes.validation,
    })
    await kit.call(announcement.abolish, { announcementNo: first, version: 1 }, { as: boss })
    expect(await sees('UPA', ann)).toBe(false)
    await save({ announcementNo: copy, version: 0 })
    expect(await statusOf('UPA')).toEqual({ s: 'attached' })
    await sent('UPB', boss.userNo)
    const draft = (await save(showing('UPB'))).data.announcementNo
    await kit.call(announcement.remove, { announcementNo: draft, version: 0 }, { as: boss })
    expect(await statusOf('UPB')).toEqual({ s: 'ready' })
  })

  it('of others, or none at all, are refused', async () => {
    await sent('UPC', ann.userNo)
    expect(await save(showing('UPC'))).toMatchObject({ code: codes.validation })
    expect(await save(showing('UPNONE'))).toMatchObject({ code: codes.validation })
  })
})

describe('what an announcement says', () => {
  const watch = (word: string, action: string) =>
    kit.db.withTx(tx =>
      tx.exec(sql`insert into sensitive_word (word_no, word, normal_word, word_language, category, scopes, word_action, enabled, created_time, updated_by, updated_time)
        values (${`SW-${word}`}, ${word}, ${word}, 'en', 'insult', array['announcement'], ${action}, 'enabled', ${tx.now}, 'system', ${tx.now})`),
    )
  const publish = (announcementNo: string, more = {}) =>
    kit.call(announcement.publish, { announcementNo, version: 0, ...more }, { as: boss, language: 'en' })

  it('is not published with words that are blocked, which the refusal names and the record keeps', async () => {
    await watch('scoundrel', 'block')
    await watch('thief', 'block')
    const contents = { en: '<p>You <b>scoun</b>drel</p>', sw: '<p>thief &amp; friends</p>' }
    const { announcementNo } = (await save({ contents })).data
    expect(await publish(announcementNo)).toMatchObject({
      code: codes.validation,
      msg: 'Contains a sensitive word: scoundrel, thief',
    })
    expect(await row(announcementNo)).toMatchObject({ announcementStatus: 'draft' })
    const hits = await kit.db.read(tx =>
      tx.rows(
        sql<{ word: string }>`select word from sensitive_word_hit where object_no = ${announcementNo} order by word`,
      ),
    )
    expect(hits.map(hit => hit.word)).toEqual(['scoundrel', 'thief'])
  })

  it('is published with words that only warn once the writer goes on', async () => {
    await watch('hurry', 'warn')
    const { announcementNo } = (await save({ titles: { en: 'Hurry up' } })).data
    expect(await publish(announcementNo)).toMatchObject({
      code: codes.needsConfirmation,
      data: { confirm: ['confirmWord'] },
    })
    expect((await publish(announcementNo, { confirmWord: true })).code).toBe(0)
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { sensitiveWords } from '../../../../core/contract/operation/sensitive-word.ts'
import { system } from '../../../rights/actor.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { type Announcement, draftAnnouncement, publishAnnouncement } from '../announcement/store.ts'
import { checkText } from './guard.ts'
import { sensitiveWordModule } from './sensitive-word.ts'

const { sensitiveWord } = contract
type Save = InputOf<typeof sensitiveWord.save>
const form = { wordLanguage: 'en', category: 'insult', scopes: ['follow_note'], wordAction: 'block' }

configSuite(sensitiveWords, {
  modules: [sensitiveWordModule()],
  fresh: n => ({ ...form, newWords: `crook${n}x` }),
  changed: { category: 'threat' },
  differs: 'category',
})

let kit: Kit
let boss: Person
const perms = ['page', 'save', 'enable', 'delete', 'export'].map(action => `org:sensitiveWord:${action}`)
const save = (more: Record<string, unknown>) => kit.call(sensitiveWord.save, { ...form, ...more } as Save, { as: boss })
const words = async () => (await kit.call(sensitiveWord.page, { pageSize: 100 }, { as: boss })).data.list
const named = async (word: string) => (await words()).find(row => row.word === word)
const test = async (text: string, scope: 'follow_note' | 'sms' | 'announcement' = 'follow_note') =>
  (await kit.call(sensitiveWord.test, { text, scope }, { as: boss })).data

beforeAll(async () => {
  kit = await openKit({ modules: [sensitiveWordModule()] })
  boss = await kit.person({ perms, name: 'Boss' })
})
afterAll(() => kit.close())

describe('adding words', () => {
  it('takes many at once, and leaves out those that are there in any spelling', async () => {
    expect((await save({ newWords: 'thief, crook，骗子' })).data).toEqual({
      key: null,
      created: 3,
      existing: 0,
      approvalNo: null,
    })
    expect((await save({ newWords: 'THIEF, conman' })).data).toMatchObject({ created: 1, existing: 1 })
    expect(await words()).toHaveLength(4)
    expect(await named('thief')).toMatchObject({
      enabled: 'enabled',
      hitCount: 0,
      lastHitTime: null,
      updatedBy: 'Boss',
    })
  })

  it.each([
    ['no word', { newWords: ' ,，' }, 'newWords'],
    ['a word of one letter', { newWords: 'ok, x' }, 'newWords'],
    [
      'more than 200 words',
      { newWords: Array.from({ length: 201 }, (_, n) => `word ${n % 15}x${Math.floor(n / 15)}`).join() },
      'newWords',
    ],
    ['no scope', { newWords: 'bandit', scopes: [] }, 'scopes'],
    [
      'no replacement where one is asked for',
      { newWords: 'bandit', wordAction: 'replace', scopes: ['sms'] },
      'replacement',
    ],
    ['a replaced word in what staff write', { newWords: 'bandit', wordAction: 'replace', replacement: 'x' }, 'scopes'],
    ['another word for one that is there', { wordNo: 'SW1', version: 0, newWords: 'bandit' }, 'newWords'],
  ])('refuses %s', async (_, more, field) => {
    const answer = await save(more)
    expect(answer.code).toBe(40001)
    expect((answer.data as unknown as { fields: { path: string }[] }).fields.map(({ path }) => path)).toContain(field)
  })

  it('forgets a replacement where words are not replaced', async () => {
    expect((await save({ newWords: 'bandit', replacement: 'client' })).code).toBe(0)
    expect(await named('bandit')).toMatchObject({ replacement: null })
  })

  it('asks about announcements that hold the word, and keeps it disabled when it is added all the same', async () => {
    await kit.db.withTx(async tx => {
      const actor = system('test')
      const no = await draftAnnouncement(
        tx,
        { titles: { en: 'Fees' }, contents: { en: '<p>No <b>loan shark</b> here</p>' }, startTime: tx.now },
        actor,
      )
      const row = await tx.one(sql<Announcement>`select * from announcement where announcement_no = ${no}`)
      await publishAnnouncement(tx, row, actor)
    })
    const asked = { newWords: 'loan shark', scopes: ['announcement'] }
    expect(await save(asked)).toMatchObject({
      code: 40002,
      msg: expect.stringContaining('Fees'),
      data: { confirm: ['confirmUsed'] },
    })
    expect(await named('loan shark')).toBeUndefined()
    expect((await save({ ...asked, confirmUsed: true })).code).toBe(0)
    expect(await named('loan shark')).toMatchObject({ enabled: 'disabled' })
  })

  it('enables, disables and deletes several at once', async () => {
    await save({ newWords: 'alpha1, alpha2' })
    const wordNos = (await words()).filter(({ word }) => word.startsWith('alpha')).map(row => row.wordNo)
    const { states, removes } = sensitiveWord
    if (!states || !removes) throw new Error('not declared')
    expect((await kit.call(removes, { wordNos }, { as: boss })).data).toMatchObject({ ok: 0, fail: 2 })
    expect((await kit.call(states, { wordNos, enabled: false }, { as: boss })).data).toMatchObject({ ok: 2, fail: 0 })
    expect((await kit.call(removes, { wordNos }, { as: boss })).data).toMatchObject({ ok: 2, fail: 0 })
    expect(await named('alpha1')).toBeUndefined()
  })

  it('may be added again when it was deleted', async () => {
    expect((await save({ newWords: 'alpha1' })).data).toMatchObject({ created: 1 })
  })
})

describe('testing a text', () => {
  it('says what would happen in a scope, and notes nothing', async () => {
    expect(await test('You are a T.H.I.E.F')).toMatchObject({
      outcome: 'block',
      matches: [{ word: 'thief', start: 10, end: 19 }],
    })
    expect(await test('You are a thief', 'sms')).toMatchObject({ outcome: 'pass', matches: [] })
    await save({ newWords: 'free', wordAction: 'replace', replacement: 'low-cost', scopes: ['sms'] })
    expect(await test('FREE money', 'sms')).toMatchObject({ outcome: 'replace', replaced: 'low-cost money' })
    expect((await kit.call(sensitiveWord.hits, {}, { as: boss })).data.total).toBe(0)
  })

  it('does not find what is disabled', async () => {
    const row = await named('crook')
    await kit.call(sensitiveWord.state, { wordNo: row?.wordNo, enabled: false, version: row?.version } as never, {
      as: boss,
    })
    expect((await test('crook')).outcome).toBe('pass')
  })
})

describe('what staff write', () => {
  const write = (text: string, confirmed?: boolean) =>
    kit.db.withTx(tx =>
      checkText(
        { tx, session: { userNo: boss.userNo } as never },
        { scope: 'follow_note', text, confirmed, objectType: 'order', objectNo: 'LO1' },
      ),
    )
  const hits = async () => (await kit.call(sensitiveWord.hits, {}, { as: boss })).data.list

  it('operation 12: is refused where a word is blocked, with a hit that hides personal values and keeps the word', async () => {
    const refusal = await write('Call 0772000031, the Thief')
    expect(refusal).toMatchObject({ code: 40001, key: 'errors.sensitiveWord', params: { word: 'thief' } })
    const [hit] = await hits()
    expect(hit).toMatchObject({
      word: 'thief',
      scope: 'follow_note',
      wordAction: 'block',
      objectNo: 'LO1',
      realName: 'Boss',
    })
    expect(hit?.hitText.slice(hit.hitStart, hit.hitEnd)).toBe('Thief')
    expect(hit?.hitText).not.toContain('0772000031')
  })

  it('is asked about where a word only warns, and noted when its writer goes on', async () => {
    await save({ newWords: 'court', wordAction: 'warn' })
    const before = (await hits()).length
    expect(await write('see you in court')).toMatchObject({ code: 40002, data: { confirm: ['confirmWord'] } })
    expect(await hits()).toHaveLength(before)
    expect(await write('see you in court', true)).toBeNull()
    expect(await hits()).toHaveLength(before + 1)
  })

  it('is blocked whatever its writer confirms', async () => {
    expect(await write('thief', true)).toMatchObject({ code: 40001 })
  })

  it('passes without a word, and is refused when it is too long to be searched', async () => {
    expect(await write('The customer will pay on Friday')).toBeNull()
    await expect(write('a'.repeat(10_001))).rejects.toMatchObject({ code: 40001 })
  })

  it('is counted by word, by day and by person, also when the word is deleted', async () => {
    const row = await named('thief')
    expect(row?.hitCount).toBe(2)
    const sums = (await kit.call(sensitiveWord.hitSums, { wordNo: row?.wordNo ?? '' }, { as: boss })).data
    expect(sums).toEqual({
      days: [{ date: '2026-03-02', count: 2 }],
      people: [{ userNo: boss.userNo, realName: 'Boss', count: 2 }],
    })
    const wordNo = row?.wordNo ?? ''
    await kit.call(sensitiveWord.states as never, { wordNos: [wordNo], enabled: false } as never, { as: boss })
    await kit.call(sensitiveWord.removes as never, { wordNos: [wordNo] } as never, { as: boss })
    expect((await hits()).filter(hit => hit.word === 'thief')).toHaveLength(2)
    await expect(kit.db.withTx(tx => tx.exec(sql`delete from sensitive_word_hit`))).rejects.toThrow()
  })
})

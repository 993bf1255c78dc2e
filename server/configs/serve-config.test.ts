import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { config } from '../../core/contract/config.ts'
import { contract } from '../../core/contract/contract.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { sensitiveWords } from '../../core/contract/operation/sensitive-word.ts'
import { normalWord } from '../../core/rules/text/sensitive-words.ts'
import { approvalModule } from '../approval/approval.ts'
import { type Kit, openKit, type Person } from '../testing/kit.ts'
import { serveConfig } from './serve-config.ts'

type Values = Record<string, unknown>
const { common } = contract
const { row, form, filters } = sensitiveWords
const { word, wordLanguage, category, scopes, wordAction, replacement } = row.shape

/** The same words, as if a second person had to agree to changes and other records named them. */
const checked = config({
  name: 'checkedWord',
  path: '/test/checkedWord',
  area: 'test:word',
  table: 'sensitive_word',
  key: 'wordNo',
  row: { word, wordLanguage, category, scopes, wordAction, replacement },
  form,
  create: { word },
  filters: { wordLanguage: filters.wordLanguage },
  sort: ['word'],
  checked: true,
  used: true,
})
const users: { key: string; kind: string; no: string; name: string }[] = []
const made = serveConfig(checked, {
  prefix: 'TW',
  unique: 'word',
  derived: ({ word }) => (typeof word === 'string' ? { normalWord: normalWord(word) } : {}),
  uses: async (_, keys) => users.filter(use => keys.includes(use.key)),
})

let kit: Kit
let maker: Person
let checker: Person
const ask = async (endpoint: unknown, input: Values, as: Person) =>
  (await kit.call(endpoint as Endpoint, input as never, { as })) as unknown as {
    code: number
    msg: string
    data: Values
  }
const value = { wordLanguage: 'en', category: 'insult', scopes: ['sms'], wordAction: 'block' }
const { calls } = checked
const all = ['page', 'save', 'enable', 'delete'].map(action => `test:word:${action}`)
let count = 0
const add = async () => {
  const { data } = await ask(calls.save, { ...value, word: `scoundrel ${++count}x` }, maker)
  return String(data.key)
}
const one = async (wordNo: string, as = maker) => (await ask(calls.detail, { wordNo }, as)).data
const approve = (approvalNo: unknown, as = checker) => ask(common.approve, { approvalNo, version: 0 }, as)

beforeAll(async () => {
  kit = await openKit({ modules: [{ served: made.served }, approvalModule(made.approvals)] })
  maker = await kit.person({ perms: all, name: 'Maker' })
  checker = await kit.person({ perms: [...all, ...all.map(code => `${code}:check`)], name: 'Checker' })
})
afterAll(() => kit.close())

describe('a checked config', () => {
  it('changes nothing until a second person agrees, and then is the maker’s change', async () => {
    const wordNo = await add()
    const saved = await ask(calls.save, { wordNo, version: 0, ...value, category: 'threat' }, maker)
    expect(saved).toMatchObject({ code: 0, data: { approvalNo: expect.stringMatching(/^AP/) } })
    expect(await one(wordNo)).toMatchObject({ category: 'insult', version: 0, pendingApproval: 'Maker' })
    expect((await approve(saved.data.approvalNo)).data).toMatchObject({ approvalStatus: 'executed' })
    expect(await one(wordNo)).toMatchObject({
      category: 'threat',
      version: 1,
      pendingApproval: null,
      updatedBy: 'Maker',
    })
    const { list } = (await ask(calls.history, { wordNo }, maker)).data as { list: Values[] }
    expect(list[0]).toMatchObject({ event: 'item.update', changedBy: 'Maker' })
  })

  it('takes no further change while one waits, and shows the reason in the row', async () => {
    const wordNo = await add()
    await ask(calls.state, { wordNo, enabled: true, version: 0 }, maker)
    for (const [call, input] of [
      [calls.state, { enabled: true }],
      [calls.save, value],
      [calls.remove, {}],
    ] as [unknown, Values][])
      expect(await ask(call, { wordNo, version: 0, ...input }, maker)).toMatchObject({ code: 40901 })
    const { blockedBy } = (await one(wordNo)) as { blockedBy: Values }
    expect(Object.keys(blockedBy)).toEqual(['checkedWord.save', 'checkedWord.state', 'checkedWord.delete'])
  })

  it('is never decided by its maker', async () => {
    const wordNo = await add()
    const { data } = await ask(calls.state, { wordNo, enabled: true, version: 0 }, checker)
    expect((await approve(data.approvalNo)).code).toBe(40301)
    expect(await one(wordNo)).toMatchObject({ enabled: 'disabled' })
  })

  it('enables when a second person agrees, and lists what waits for them', async () => {
    const wordNo = await add()
    const { data } = await ask(calls.state, { wordNo, enabled: true, version: 0 }, maker)
    const waiting = async (as: Person) =>
      ((await ask(calls.page, { waiting: true, pageSize: 100 }, as)).data.list as Values[]).map(item => item.wordNo)
    expect(await waiting(checker)).toContain(wordNo)
    expect(await waiting(maker)).not.toContain(wordNo)
    await approve(data.approvalNo)
    expect(await one(wordNo)).toMatchObject({ enabled: 'enabled', version: 1 })
    expect(await waiting(checker)).not.toContain(wordNo)
  })

  it('refuses what the state forbids before anybody is asked', async () => {
    const wordNo = await add()
    expect((await ask(calls.state, { wordNo, enabled: false, version: 0 }, maker)).code).toBe(40901)
  })

  it('is not changed when the item has moved on since it was asked', async () => {
    const wordNo = await add()
    const { data } = await ask(calls.state, { wordNo, enabled: true, version: 0 }, maker)
    await kit.db.withTx(tx => tx.exec(sql`update sensitive_word set version = version + 1 where word_no = ${wordNo}`))
    expect((await approve(data.approvalNo)).data).toMatchObject({ approvalStatus: 'failed' })
    expect(await one(wordNo)).toMatchObject({ enabled: 'disabled' })
  })
})

describe('an item that others name', () => {
  it('lists its uses, and is not deleted while there are any, with the first five in the reason', async () => {
    const wordNo = await add()
    for (let n = 1; n <= 7; n++) users.push({ key: wordNo, kind: 'template', no: `T${n}`, name: `Reminder ${n}` })
    expect((await ask(calls.usedBy, { wordNo }, maker)).data).toMatchObject({ total: 7 })
    const refused = await ask(calls.remove, { wordNo, version: 0 }, maker)
    expect(refused.code).toBe(40901)
    expect(refused.msg).toContain('Reminder 1, Reminder 2, Reminder 3, Reminder 4, Reminder 5')
    expect(refused.msg).not.toContain('Reminder 6')
    expect((await one(wordNo)).blockedBy).toHaveProperty(['checkedWord.delete'])
    users.length = 0
    expect((await ask(calls.remove, { wordNo, version: 0 }, maker)).code).toBe(0)
  })
})

it('says that the data exists already, at the field that says so', async () => {
  const word = 'scoundrel twice'
  await ask(calls.save, { ...value, word }, maker)
  expect(await ask(calls.save, { ...value, word }, maker)).toMatchObject({
    code: 40001,
    data: { fields: [{ path: 'word' }] },
  })
})

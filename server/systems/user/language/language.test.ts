import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { commonModule } from '../../common/common.ts'
import { languageModule } from './language.ts'
import { writeLanguages } from './store.ts'

const { languageConfig, common } = contract
const perms = ['language:page', 'language:save', 'language:state', 'language:default', 'language:delete']
let kit: Kit
let ops: Person
beforeAll(async () => {
  kit = await openKit({ modules: [languageModule(), commonModule()] })
  await kit.db.withTx(tx => writeLanguages(tx))
  ops = await kit.person({ perms })
})
afterAll(() => kit.close())

const all = async () => (await kit.call(languageConfig.page, { pageSize: 100 }, { as: ops })).data.list
const row = async (code: string) => (await all()).find(one => one.languageCode === code)
const at = async (languageCode: string) => ({ languageCode, version: (await row(languageCode))?.version ?? 0 })
const save = (languageCode: string, languageName: string, sort: number, version?: number) =>
  kit.call(
    languageConfig.save,
    { languageCode, languageName, sort, ...(version === undefined ? {} : { version }) },
    { as: ops },
  )
const turn = async (code: string, enabled: boolean) =>
  kit.call(languageConfig.state, { ...(await at(code)), enabled }, { as: ops })
const offered = async () => (await kit.call(common.languages, {}, { as: ops })).data.list

it('begins with the languages of the program, Chinese the default, and is not written twice', async () => {
  await kit.db.withTx(tx => writeLanguages(tx))
  expect((await all()).map(one => [one.languageCode, one.languageStatus])).toEqual([
    ['zh', 'default'],
    ['en', 'enabled'],
    ['sw', 'enabled'],
  ])
})

it('user 15: refuses sort 0, a code of five characters, a code and a name that are there, each with its own message', async () => {
  const field = async (answer: ReturnType<typeof save>) => {
    const { code, data } = await answer
    return [code, (data as unknown as { fields: { path: string; msg: string }[] }).fields[0]]
  }
  expect(await field(save('fr', 'Français', 0))).toEqual([
    40001,
    { path: 'sort', msg: 'Sort must be an integer above 0' },
  ])
  expect(await field(save('fr', 'Français', 1.5))).toMatchObject([40001, { path: 'sort' }])
  expect(await field(save('swahi', 'Kiswahili 2', 4))).toMatchObject([40001, { path: 'languageCode' }])
  expect(await field(save('en', 'Another', 4))).toEqual([40001, { path: 'languageCode', msg: 'Data already exists' }])
  expect(await field(save('fr', 'ENGLISH', 4))).toEqual([40001, { path: 'languageName', msg: 'Data already exists' }])
})

it('neither disables nor deletes the default, and has exactly one', async () => {
  expect(await turn('zh', false)).toMatchObject({
    code: 40901,
    msg: 'The default language can be neither disabled nor deleted',
  })
  expect((await kit.call(languageConfig.remove, await at('zh'), { as: ops })).code).toBe(40901)
  expect((await kit.call(languageConfig.setDefault, await at('en'), { as: ops })).code).toBe(0)
  expect((await all()).filter(one => one.languageStatus === 'default').map(one => one.languageCode)).toEqual(['en'])
  expect((await offered()).find(one => one.isDefault)?.code).toBe('en')
  expect((await row('zh'))?.languageStatus).toBe('enabled')
})

it('offers staff what is enabled and has words, in its order, and tells open consoles', async () => {
  await turn('sw', false)
  expect((await offered()).map(one => one.code)).toEqual(['zh', 'en'])
  const heard = await kit.db.read(tx => tx.rows(sql`select 1 from user_event where event = 'language.changed'`))
  expect(heard.length).toBeGreaterThan(0)
  await turn('sw', true)
  const { version } = await at('sw')
  await save('sw', 'Kiswahili', 1, version)
  await save('zh', '中文', 9, (await at('zh')).version)
  expect((await offered()).map(one => one.code)).toEqual(['sw', 'en', 'zh'])
})

it('takes one without interface words for dictionaries only', async () => {
  expect((await save('vi', 'Tiếng Việt', 7)).code).toBe(0)
  expect((await turn('vi', true)).code).toBe(0)
  expect((await offered()).map(one => one.code)).not.toContain('vi')
  expect((await kit.call(languageConfig.setDefault, await at('vi'), { as: ops })).code).toBe(40901)
  const { data } = await kit.call(languageConfig.detail, { languageCode: 'vi' }, { as: ops })
  expect(data.interfaceMissing).toBe(data.interfaceTexts)
})

it('deletes a draft, whose code can be used again; an enabled one stays', async () => {
  await save('fr', 'Français', 8)
  expect((await kit.call(languageConfig.remove, await at('en'), { as: ops })).code).toBe(40901)
  expect((await kit.call(languageConfig.remove, await at('fr'), { as: ops })).code).toBe(0)
  expect(await row('fr')).toBeUndefined()
  expect((await save('fr', 'Français', 8)).code).toBe(0)
  expect(await row('fr')).toMatchObject({ languageStatus: 'draft' })
})

it('counts who works in a language, and sees that somebody else was first', async () => {
  await kit.db.withTx(tx => tx.exec(sql`update session set language = 'sw' where user_no = ${ops.userNo}`))
  expect((await row('sw'))?.staffCount).toBe(1)
  expect((await save('sw', 'Swahili', 3, 0)).code).toBe(40902)
})

it('adds a language only for those whose data rule leaves nobody out', async () => {
  const near = await kit.person({ perms, limit: 'dept' })
  const added = await kit.call(
    languageConfig.save,
    { languageCode: 'lug', languageName: 'Luganda', sort: 6 },
    { as: near },
  )
  expect(added.code).toBe(40301)
  expect(await row('lug')).toBeUndefined()
  expect((await save('lug', 'Luganda', 6)).code).toBe(0)
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { dictItems, dictTypes } from '../../../../core/contract/user/dictionary.ts'
import { languages } from '../../../../core/i18n/language.ts'
import { putWords, text } from '../../../../core/i18n/server.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { selfModule } from '../account/self.ts'
import { dictionaryModule } from './dictionary.ts'
import { builtInTypes, writeDictionaries } from './seed.ts'
import { typeName } from './type-names.ts'

const { dictionary, common, user } = contract

configSuite(dictTypes, {
  modules: [dictionaryModule()],
  fresh: n => ({ dictType: `KIND_${n}`, dictName: `Kind ${n}`, codeTableType: 'ordinary', typeSort: n }),
  changed: { dictName: 'Other' },
  differs: 'dictName',
})

let kit: Kit
let boss: Person
const perms = ['page', 'save', 'enable', 'delete', 'cacheClear'].map(action => `dict:${action}`)
const held = [{ dict: 'COLOURS', kind: 'user', table: 'app_user', column: 'user_name', key: 'user_no' }]

type Save = InputOf<typeof dictionary.save>
const item = { dictType: 'COLOURS', valueType: 'text', label: '红', labelEn: 'Red', sort: 1 }
const save = (more: Record<string, unknown>) =>
  kit.call(dictionary.save, { ...item, ...more } as Save, { as: boss, language: 'en' })
const type = (more: Record<string, unknown> = {}) =>
  kit.call(
    dictionary.typeSave,
    { dictType: 'COLOURS', dictName: 'Colours', codeTableType: 'ordinary', typeSort: 1, ...more } as never,
    { as: boss },
  )
const items = async (dictType: string) =>
  (await kit.call(dictionary.page, { dictType, pageSize: 100 }, { as: boss })).data.list
const named = async (dictType: string, key: string) => (await items(dictType)).find(row => row.keyValue === key)
const refusedAt = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string; msg: string }[] }).fields?.map(({ path, msg }) => `${path}: ${msg}`)
const options = async (KEY: string, language: 'zh' | 'en' | 'sw') =>
  (await kit.call(common.options, { KEY }, { as: boss, language })).data.list
/** Changes fields of an item, the others stay. */
const change = async (dictType: string, key: string, more: Record<string, unknown>) => {
  const row = await named(dictType, key)
  const form = Object.fromEntries(
    Object.keys(dictItems.form).flatMap(name => {
      const value = (row as Record<string, unknown>)[name]
      return value === null ? [] : [[name, value]]
    }),
  )
  return kit.call(dictionary.save, { dictItemNo: row?.dictItemNo, version: row?.version, ...form, ...more } as Save, {
    as: boss,
    language: 'en',
  })
}

beforeAll(async () => {
  kit = await openKit({ modules: [dictionaryModule(held), selfModule({ demo: false })] })
  boss = await kit.person({ perms, name: 'Boss' })
  await kit.db.withTx(writeDictionaries)
  await type()
})
afterAll(async () => {
  for (const language of languages) putWords(language, {})
  await kit.close()
})

describe('the dictionaries of the program', () => {
  it('are written once, in the order of the program', async () => {
    const before = await items('MARITAL_STATUS_TYPE')
    await kit.db.withTx(writeDictionaries)
    expect(await items('MARITAL_STATUS_TYPE')).toEqual(before)
    expect(before.map(row => row.keyValue)).toEqual(['single', 'married', 'divorced', 'widowed'])
    expect(before[0]).toMatchObject({ system: true, enabled: 'enabled' })
  })

  it('keep their keys: none is added, disabled or deleted', async () => {
    expect(refusedAt(await save({ dictType: 'GENDER', keyValue: 'other' }))).toEqual([
      'keyValue: Built in: its keys are fixed',
    ])
    const row = await named('GENDER', 'male')
    const { dictItemNo, version } = row as NonNullable<typeof row>
    const off = await kit.call(dictionary.state, { dictItemNo, version, enabled: false } as never, { as: boss })
    expect(off.code).toBe(40901)
    expect(row?.blockedBy).toHaveProperty('dictItem.delete')
  })

  it('take labels of people, which a newer version leaves alone', async () => {
    expect((await change('GENDER', 'male', { label: '先生', labelEn: 'Mr' })).code).toBe(0)
    await kit.db.withTx(writeDictionaries)
    expect(await named('GENDER', 'male')).toMatchObject({ label: '先生', labelEn: 'Mr' })
  })
})

describe('labels that people have changed', () => {
  const self = async (language: 'zh' | 'en') => (await kit.call(user.self, {}, { as: boss, language })).data.words ?? {}

  it('user 14: are in force on open consoles and in refusals when the cache is cleared, not before', async () => {
    await change('GENDER', 'female', { labelEn: 'Ms' })
    await change('ERROR_CODE', '40401', { label: '查无此记录', labelEn: 'Nothing of that kind' })
    expect(await self('en')).not.toHaveProperty(['dict.GENDER.female'])
    expect((await kit.call(dictionary.clearCache, {}, { as: boss })).code).toBe(0)
    expect((await self('en'))['dict.GENDER.female']).toBe('Ms')
    expect(text('en', 'dict.GENDER.female' as never)).toBe('Ms')
    const refused = await kit.call(common.options, { KEY: 'NONE' }, { as: boss, language: 'en' })
    expect(refused).toMatchObject({ code: 40401, msg: 'Nothing of that kind' })
    const { events } = await kit.db.read(tx =>
      tx.one(
        sql<{ events: string[] }>`select array_agg(event) as events from user_event where user_no = ${boss.userNo}`,
      ),
    )
    expect(events).toContain('dict.changed')
  })

  it('of one dictionary alone are put in force without those of another', async () => {
    await change('GENDER', 'male', { labelEn: 'Sir' })
    await change('LANGUAGE', 'sw', { labelEn: 'Kiswahili' })
    const of = async (dictType: string) =>
      (await kit.call(dictionary.clearCache, { dictType }, { as: boss, language: 'en' })).code
    expect(await of('LANGUAGE')).toBe(0)
    const words = await self('en')
    expect(words['dict.LANGUAGE.sw']).toBe('Kiswahili')
    expect(words['dict.GENDER.male']).not.toBe('Sir')
    // What was in force of another dictionary stays.
    expect(words['dict.GENDER.female']).toBe('Ms')
    expect(await of('GENDER')).toBe(0)
    expect((await self('en'))['dict.GENDER.male']).toBe('Sir')
    expect(await of('NONE')).toBe(40401)
  })
})

describe('dictionaries of the program', () => {
  const typesIn = async (language: 'zh' | 'en' | 'sw', search?: string) =>
    (await kit.call(dictionary.typePage, { pageSize: 100, ...(search ? { search } : {}) }, { as: boss, language })).data
      .list

  it('have a name in words in each language, by which they are found', async () => {
    for (const type of builtInTypes)
      for (const language of languages) expect(typeName(type, language), `${type} ${language}`).not.toBe(type)
    const names = await Promise.all(
      (['zh', 'en', 'sw'] as const).map(async language => (await typesIn(language, 'BILL_STATUS'))[0]?.dictName),
    )
    expect(names).toEqual(['账单状态', 'Instalment status', 'Hali ya rejesho'])
    expect((await typesIn('en', 'Instalment st')).map(one => one.dictType)).toEqual(['BILL_STATUS'])
  })

  it('keep the name that somebody gives them, in every language', async () => {
    const [found] = await typesIn('en', 'BILL_STATUS')
    const { dictTypeNo, version, typeSort } = found as NonNullable<typeof found>
    const input = { dictTypeNo, version, typeSort, dictName: 'Rate status' }
    expect((await kit.call(dictionary.typeSave, input as never, { as: boss })).code).toBe(0)
    await kit.db.withTx(writeDictionaries)
    expect((await typesIn('zh', 'BILL_STATUS'))[0]?.dictName).toBe('Rate status')
  })

  it('say which screens show them', async () => {
    const { dictItemNo } = (await named('BILL_STATUS', 'pending')) as { dictItemNo: string }
    const { data } = await kit.call(dictionary.usedBy, { dictItemNo }, { as: boss, language: 'en' })
    expect(data.list).toContainEqual({
      kind: 'screen',
      no: 'mkopo-order-order-detail',
      name: text('en', 'screens.mkopo-order-order-detail'),
    })
  })
})

describe('items', () => {
  it('say in each language what they have there, else English, else Chinese', async () => {
    await save({ keyValue: 'red' })
    await save({ keyValue: 'blue', label: '蓝', labelEn: undefined, sort: 2 })
    const labels = async (language: 'zh' | 'en' | 'sw') => (await options('COLOURS', language)).map(one => one.label)
    expect(await labels('zh')).toEqual(['红', '蓝'])
    expect(await labels('en')).toEqual(['Red', '蓝'])
    expect(await labels('sw')).toEqual(['Red', '蓝'])
  })

  it('stay in the options with their words when they are disabled', async () => {
    const row = await named('COLOURS', 'blue')
    const { dictItemNo, version } = row as NonNullable<typeof row>
    await kit.call(dictionary.state, { dictItemNo, version, enabled: false } as never, { as: boss })
    expect((await options('COLOURS', 'zh')).map(one => [one.value, one.enabled])).toEqual([
      ['red', true],
      ['blue', false],
    ])
  })

  it.each([
    ['a key that is there on this level', { keyValue: 'red' }, 'keyValue: Dictionary code repeated at the same level'],
    ['what is no JSON', { keyValue: 'j', valueType: 'json', label: '{' }, 'label: Please enter JSON format'],
    ['a sort of 0', { keyValue: 's', sort: 0 }, 'sort: Sort must be an integer above 0'],
    ['a sort with a fraction', { keyValue: 's', sort: 1.5 }, 'sort: Sort must be an integer above 0'],
    [
      'a parent that is not there',
      { keyValue: 'p', parentKey: 'none' },
      'parentKey: No such parent key on the first level',
    ],
  ])('refuses %s', async (_, more, said) => {
    const answer = await save(more)
    expect(answer.code).toBe(40001)
    expect(refusedAt(answer)).toContain(said)
  })

  it('take the same key on another level, and two levels at most', async () => {
    expect((await save({ keyValue: 'red', parentKey: 'blue' })).code).toBe(0)
    expect((await save({ keyValue: 'dark', parentKey: 'red' })).code).toBe(0)
    expect(refusedAt(await save({ keyValue: 'darker', parentKey: 'dark' }))).toEqual([
      'parentKey: No such parent key on the first level',
    ])
  })

  it('are not deleted while records hold them', async () => {
    await save({ keyValue: 'Boss', label: '老板' })
    const row = await named('COLOURS', 'Boss')
    expect(row).toMatchObject({ usedCount: 1 })
    const of = { dictItemNo: row?.dictItemNo }
    const off = await kit.call(dictionary.state, { ...of, version: row?.version, enabled: false } as never, {
      as: boss,
    })
    const { version } = off.data as { version: number }
    expect((await kit.call(dictionary.remove, { ...of, version } as never, { as: boss })).code).toBe(40901)
    expect((await kit.call(dictionary.usedBy, of as never, { as: boss })).data).toMatchObject({
      total: 1,
      list: [{ kind: 'user', no: boss.userNo }],
    })
  })

  it('of error codes are numbers with the same places in every language', async () => {
    await type({ dictType: 'FAULTS', codeTableType: 'error_code' })
    const fault = (more: object) =>
      save({ dictType: 'FAULTS', keyValue: '12', label: '请等{n}秒', labelEn: 'Wait {n} s', ...more })
    expect(refusedAt(await fault({ keyValue: 'x' }))).toEqual(['keyValue: The key of an error code is a number'])
    expect(refusedAt(await fault({ labelEn: 'Wait {seconds}' }))?.[0]).toMatch(/^labelEn/)
    expect((await fault({})).code).toBe(0)
  })
})

describe('addresses', () => {
  const list = async (parent?: string, language: 'zh' | 'en' = 'en') =>
    (await kit.call(common.addresses, parent ? { parent } : {}, { as: boss, language })).data.list

  it('are the four regions and, in them, every district once', async () => {
    await kit.db.withTx(tx => writeDictionaries(tx))
    const regions = await list()
    expect(regions.map(one => one.label)).toEqual(['Central', 'Eastern', 'Northern', 'Western'])
    expect((await list(undefined, 'zh'))[0]?.label).toBe('中部')
    const districts = await Promise.all(regions.map(one => list(one.value)))
    const names = districts.flat().map(one => one.value)
    expect([names.length, new Set(names).size]).toEqual([136, 136])
    expect(districts[0]?.map(one => one.label)).toContain('Kampala')
    expect((await kit.call(common.addresses, { parent: 'nowhere' }, { as: boss })).code).toBe(40401)
  })

  it('come as a tree too, and what somebody changed stays over a start', async () => {
    const kampala = (await items('UG_DISTRICT')).find(one => one.keyValue === 'central')
    expect(kampala).toMatchObject({ parentKey: null, childCount: 26 })
    const tree = (await kit.call(common.cascade, { KEY: 'UG_DISTRICT' }, { as: boss, language: 'en' })).data.list
    expect(tree.map(one => [one.value, one.childList.length])).toEqual([
      ['central', 26],
      ['eastern', 37],
      ['northern', 38],
      ['western', 35],
    ])
    await kit.db.withTx(tx =>
      tx.exec(sql`update dict_item set label_en = 'Centre' where dict_item_no = ${kampala?.dictItemNo}`),
    )
    await kit.db.withTx(tx => writeDictionaries(tx))
    expect((await list())[0]?.label).toBe('Centre')
  })
})

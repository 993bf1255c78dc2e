import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { type BaseType, baseOptions } from '../../../../core/contract/telemarketing/base-option.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { dictionaryModule } from '../../user/dictionary/dictionary.ts'
import { baseOptionModule } from './base-option.ts'
import { defaultOptions } from './default-options.ts'
import { writeBaseOptions } from './seed.ts'

const { baseOption, common } = contract

configSuite(baseOptions, {
  modules: [baseOptionModule()],
  fresh: n => ({
    baseType: 'PAUSE_REASON',
    optionCode: `pause_${n}`,
    nameZh: `小休${n}`,
    nameEn: `Pause ${n}`,
    nameSw: `Pumziko ${n}`,
    sort: n,
  }),
  changed: { sort: 99 },
  differs: 'sort',
})

let kit: Kit
let boss: Person
const perms = ['page', 'save', 'enable', 'delete'].map(action => `tele:baseType:${action}`)
type Save = InputOf<typeof baseOption.save>
const option = {
  baseType: 'FOLLOW_OPTION',
  optionCode: 'later',
  nameZh: '稍后',
  nameEn: 'Later',
  nameSw: 'Baadaye',
  sort: 20,
}
const save = (more: Record<string, unknown>) =>
  kit.call(baseOption.save, { ...option, ...more } as Save, { as: boss, language: 'en' })
const list = async (baseType: BaseType) =>
  (await kit.call(baseOption.page, { baseType, pageSize: 100 }, { as: boss })).data.list
const one = async (baseType: BaseType, code: string) => {
  const found = (await list(baseType)).find(row => row.optionCode === code)
  if (!found) throw new Error(`no option ${code}`)
  return found
}
const refusedAt = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string }[] }).fields?.map(({ path }) => path)

beforeAll(async () => {
  kit = await openKit({ modules: [baseOptionModule(), dictionaryModule()] })
  boss = await kit.person({ perms, name: 'Boss' })
  await kit.db.withTx(writeBaseOptions)
})
afterAll(() => kit.close())

describe('the options of an installation', () => {
  it('begin as the program names them, once', async () => {
    await kit.db.withTx(writeBaseOptions)
    const { data } = await kit.call(baseOption.tree, {}, { as: boss })
    expect(Object.fromEntries(data.list.map(({ baseType, optionCount }) => [baseType, optionCount]))).toEqual(
      Object.fromEntries(Object.entries(defaultOptions).map(([type, options]) => [type, options.length])),
    )
    expect(await one('FOLLOW_OPTION', 'do_not_call')).toMatchObject({ terminalEffect: 'blacklist', system: true })
  })

  it('are what forms offer, in the words of the caller and in their order', async () => {
    const { data } = await kit.call(common.options, { KEY: 'PAUSE_REASON' }, { as: boss, language: 'sw' })
    expect(data.list.map(({ label }) => label)).toEqual(['Mapumziko mafupi', 'Chakula', 'Sala', 'Mkutano', 'Mafunzo'])
  })
})

describe('an option', () => {
  it('of the program is neither disabled nor changed in its effect', async () => {
    const { optionNo, version, nameZh, nameEn, nameSw, sort, blockedBy } = await one('FOLLOW_OPTION', 'no_answer')
    expect(blockedBy).toHaveProperty(['baseOption.state'])
    const off = await kit.call(baseOption.state, { optionNo, version, enabled: false } as never, { as: boss })
    expect(off.code).toBe(40901)
    const form = { optionNo, version, nameZh, nameEn, nameSw, sort, callable: true }
    const changed = await kit.call(baseOption.save, { ...form, terminalEffect: 'abandon' } as Save, { as: boss })
    expect(refusedAt(changed)).toEqual(['terminalEffect'])
    expect((await kit.call(baseOption.save, { ...form, nameEn: 'Nobody answers' } as Save, { as: boss })).code).toBe(0)
  })

  it('that ends a lead keeps no retry delay', async () => {
    await save({
      optionCode: 'gone',
      nameZh: '已故',
      nameEn: 'Gone',
      nameSw: 'Amefariki',
      terminalEffect: 'abandon',
      retryDelayMinutes: 60,
      maxAttempts: 3,
    })
    expect(await one('FOLLOW_OPTION', 'gone')).toMatchObject({ retryDelayMinutes: null, maxAttempts: null })
  })

  it('has the flags of its type alone', async () => {
    await save({
      baseType: 'PAUSE_REASON',
      optionCode: 'phone',
      nameZh: '接电话',
      nameEn: 'Phone',
      nameSw: 'Simu',
      needApproval: true,
      fits: ['1'],
    })
    expect(await one('PAUSE_REASON', 'phone')).toMatchObject({ needApproval: null, fits: null })
  })

  it.each([
    ['a code that is there', { optionCode: 'busy' }, 'optionCode'],
    ['a name that is there', { nameEn: 'Busy' }, 'optionCode'],
    ['a name missing in one language', { nameSw: undefined }, 'nameSw'],
    ['a delay under 5 minutes', { retryDelayMinutes: 4 }, 'retryDelayMinutes'],
    ['more than 20 attempts', { maxAttempts: 21 }, 'maxAttempts'],
    ['a code in capitals', { optionCode: 'LATER' }, 'optionCode'],
    ['a subtype of no feedback type', { baseType: 'CS_SUBTYPE' }, 'parentCode'],
  ])('refuses %s', async (_, more, field) => {
    expect(refusedAt(await save(more))).toContain(field)
  })

  it('moves: the order asked for is the order from now on', async () => {
    const codes = (await list('PAUSE_REASON')).map(row => row.optionCode)
    const asked = [...codes.slice(1), codes[0] as string]
    const move = (optionCodes: string[]) =>
      kit.call(baseOption.sort, { baseType: 'PAUSE_REASON', optionCodes }, { as: boss })
    expect((await move(asked)).code).toBe(0)
    expect((await list('PAUSE_REASON')).map(row => row.optionCode)).toEqual(asked)
    expect((await move(asked.slice(1))).code).toBe(40902)
    expect((await move(asked)).data).toEqual({ moved: 0 })
  })
})

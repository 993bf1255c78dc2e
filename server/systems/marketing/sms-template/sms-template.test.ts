import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { businessConfigModule } from '../../common/business-config.ts'
import { sensitiveWordModule } from '../../operation/sensitive-word/sensitive-word.ts'
import { smsTemplateModule } from './sms-template.ts'

const { smsTemplates, sensitiveWord } = contract
type Input = Record<string, unknown>

let kit: Kit
let writer: Person
let second: Person
let brand: Person
const perms = [
  ...['page', 'save', 'copy', 'enable'].map(action => `mkt:template:${action}`),
  ...['page', 'save'].map(action => `org:sensitiveWord:${action}`),
]
const as = (who = writer) => ({ as: who, language: 'en' as const })
let made = 0
const text = (more: Input = {}) => ({
  ...{ templateName: `Open today ${++made}`, merchantNo: 'M1' },
  ...{
    contentEn: 'Dear {customerName}, {brand} is open.',
    contentSw: 'Mpendwa {customerName}, {brand} iko wazi.',
    ...more,
  },
})
const save = (input: Input, who = writer) => kit.call(smsTemplates.save, input as never, as(who))
const draft = async (more: Input = {}) => (await save(text(more))).data
const enable = (of: { templateNo: string; version: number }, who = second) => kit.call(smsTemplates.enable, of, as(who))
const measure = async (contentEn: string) =>
  (await kit.call(smsTemplates.measure, { merchantNo: 'M1', contentEn }, as())).data.list[0]
const line = ' Reply STOP to opt out'

beforeAll(async () => {
  kit = await openKit({ modules: [smsTemplateModule(), sensitiveWordModule(), businessConfigModule()] })
  writer = await kit.person({ perms, name: 'Writer' })
  second = await kit.person({ perms, name: 'Second' })
  brand = await kit.person({ perms, nature: 'merchant', merchants: ['M2'], limit: 'own_merchants' })
})
afterAll(() => kit.close())

describe('a text of marketing', () => {
  it('marketing 1: is put in force by somebody else than its writer, and is frozen then', async () => {
    const of = await draft()
    expect((await enable(of, writer)).code).toBe(40901)
    const on = await enable(of)
    expect(on.code).toBe(0)
    expect((await save({ ...text(), ...of, version: on.data.version })).code).toBe(40901)
    const { versions } = (await kit.call(smsTemplates.detail, { templateNo: of.templateNo }, as())).data
    expect(versions).toMatchObject([{ templateVersion: 1, authorName: 'Writer', enabledBy: 'Second' }])
  })

  it('that somebody changed is theirs: they do not enable it either', async () => {
    const of = await draft()
    const changed = await save({ ...text(), ...of }, second)
    const now = { templateNo: of.templateNo, version: changed.data.version }
    expect((await enable(now, second)).code).toBe(40901)
    expect((await enable(now, writer)).code).toBe(0)
  })

  it.each<[string, Input, string]>([
    ['a value that there is not', { contentEn: 'Pay {amountDue}' }, 'no value {amountDue}'],
    ['a brace that is no place', { contentSw: 'Habari {brand' }, 'Write values as'],
    ['a link to anywhere', { contentEn: 'See https://evil.example/x' }, 'allowed hosts'],
    ['a link without a scheme', { contentSw: 'Ona bit.ly/x' }, 'allowed hosts'],
    ['more than four parts with the line that ends it', { contentEn: 'a'.repeat(600) }, 'Parts needed: 5'],
    ['a merchant that there is not', { merchantNo: 'M9' }, 'correct value'],
  ])('is refused with %s', async (_, more, reason) => {
    const answer = await save(text(more))
    expect([answer.code, answer.msg]).toEqual([40001, expect.stringContaining(reason)])
  })

  it('is refused half translated, without a name, and under the name of another one', async () => {
    expect((await save(text({ contentSw: ' ' }))).code).toBe(40001)
    const { templateName } = text()
    expect((await save(text({ templateName }))).code).toBe(0)
    expect((await save(text({ templateName: templateName.toUpperCase() }))).code).toBe(40001)
    expect((await save(text({ templateName, merchantNo: 'M2' }))).code).toBe(0)
  })

  it('holds no sensitive word, also none that was added after it was written', async () => {
    const of = await draft({ contentEn: 'You crook' })
    const word = {
      newWords: 'crook',
      wordLanguage: 'en',
      category: 'insult',
      scopes: ['template'],
      wordAction: 'block',
    }
    expect((await kit.call(sensitiveWord.save, word as never, as())).code).toBe(0)
    const answer = await enable(of)
    expect([answer.code, answer.msg]).toEqual([40001, expect.stringContaining('crook')])
    expect((await save(text({ contentEn: 'A c.r.o.o.k' }))).code).toBe(40001)
  })

  it('marketing 2: is measured with the line that ends it', async () => {
    const room = 160 - line.length
    expect(await measure('a'.repeat(room))).toMatchObject({ segments: 1, length: 160, encoding: 'gsm7' })
    expect(await measure('a'.repeat(room + 1))).toMatchObject({ segments: 2 })
    expect(await measure(`${'a'.repeat(room - 1)}’`)).toMatchObject({ segments: 3, encoding: 'ucs2', forced: ['’'] })
    expect((await measure('{brand}'))?.messageText).toMatch(new RegExp(`${line}$`))
  })

  it('is copied under a name of its own', async () => {
    const of = await draft({ templateName: 'Offer' })
    const copy = async () => {
      const { row } = (await kit.call(smsTemplates.detail, { templateNo: of.templateNo }, as())).data
      const { templateNo } = (await kit.call(smsTemplates.copy, { ...of, version: row.version }, as())).data
      return (await kit.call(smsTemplates.detail, { templateNo }, as())).data.row
    }
    expect(await copy()).toMatchObject({ templateName: 'Offer (2)', templateStatus: 'draft' })
    expect(await copy()).toMatchObject({ templateName: 'Offer (3)' })
  })

  it('of another merchant does not exist', async () => {
    const of = await draft()
    expect((await kit.call(smsTemplates.detail, { templateNo: of.templateNo }, as(brand))).code).toBe(40401)
    expect((await enable(of, brand)).code).toBe(40401)
    expect((await save(text(), brand)).code).toBe(40001)
    const { list } = (await kit.call(smsTemplates.page, { pageSize: 100 } as never, as(brand))).data
    expect(list.every(row => row.merchantNo === 'M2')).toBe(true)
  })

  it('is tested on the own phone of its writer, five times a day', async () => {
    const of = await draft()
    const test = () => kit.call(smsTemplates.test, { templateNo: of.templateNo, language: 'sw' }, as())
    await kit.db.withTx(tx => tx.exec(sql`update app_user set phone_verified = false where user_no = ${writer.userNo}`))
    expect((await test()).code).toBe(40901)
    await kit.db.withTx(tx =>
      tx.exec(sql`update app_user set phone = '256772123456', phone_verified = true where user_no = ${writer.userNo}`),
    )
    const { messageNo } = (await test()).data
    const { content } = await kit.db.read(tx =>
      tx.one(sql<{ content: string }>`select content from message where message_no = ${messageNo}`),
    )
    expect(content).toBe('Mpendwa {customerName}, {brand} iko wazi. Jibu ACHA kusitisha')
    for (let n = 2; n <= 5; n++) expect((await test()).code).toBe(0)
    expect((await test()).code).not.toBe(0)
  })
})

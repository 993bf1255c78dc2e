import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditQuestions } from '../../../../core/contract/audit/question.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import type { Person } from '../../../testing/kit.ts'
import { type Floor, openFloor } from '../../../testing/review-floor.ts'
import { questionModule } from './question.ts'

const { audit, auditQuestion } = contract
const yesNo = [
  { optionZh: '是', optionLocal: 'Yes' },
  { optionZh: '否', optionLocal: 'No' },
]
const question = {
  questionZh: '是否本人？',
  questionLocal: 'In person?',
  questionType: 'single',
  options: yesNo,
  required: true,
  loanKindScope: 'both',
  sort: 1,
}

configSuite(auditQuestions, {
  modules: [questionModule()],
  fresh: n => ({ ...question, questionZh: `第${n}题`, questionLocal: `Question ${n}` }),
  changed: { sort: 99 },
  differs: 'sort',
})

let floor: Floor
let boss: Person
let lead: Person
const perms = ['audit:people:page', 'audit:people:config']
beforeAll(async () => {
  floor = await openFloor()
  boss = await floor.person({ perms })
  lead = await floor.supervisor()
})
afterAll(() => floor.close())

type Input = Record<string, unknown>
const save = (more: Input, as = boss) =>
  floor.call(auditQuestion.save, { ...question, ...more } as never, { as, language: 'en' })
const add = async (more: Input): Promise<string> => {
  const { data } = await save(more)
  const key = data.key as string
  await floor.call(auditQuestion.state, { questionNo: key, enabled: true, version: 0 } as never, { as: boss })
  return key
}
const rowOf = async (questionNo: string) =>
  (await floor.call(auditQuestion.detail, { questionNo } as never, { as: boss })).data

describe('a question', () => {
  it.each([
    ['no options', { options: [] }, 'Options cannot all be empty'],
    ['blank options', { options: [{}, {}] }, 'Options cannot all be empty'],
    ['one option', { options: yesNo.slice(0, 1) }, 'Enter at least two options'],
    ['an option in one language', { options: [...yesNo, { optionZh: '不详' }] }, 'The content cannot be empty'],
    ['an option twice', { options: [...yesNo, yesNo[0]] }, 'Each option may stand only once'],
    ['a blank text', { questionLocal: ' ' }, 'The content cannot be empty'],
    ['a place of 0', { sort: 0 }, 'Sort must be an integer above 0'],
  ])('is refused with %s', async (_, more, message) => {
    expect(await save(more)).toMatchObject({ code: 40001, msg: expect.stringContaining(message) })
  })

  it('drops blank options, and keeps the number of an option while its words stay', async () => {
    const no = await add({ questionZh: '甲', options: [...yesNo, {}] })
    const before = await rowOf(no)
    expect(before.options.map(one => one.optionZh)).toEqual(['是', '否'])
    const changed = [
      { optionZh: '是', optionLocal: 'Indeed' },
      { optionZh: '不知道', optionLocal: 'Unknown' },
    ]
    const input = { questionNo: no, version: before.version, questionZh: '甲', options: changed }
    expect((await save(input)).code).toBe(0)
    const { options } = await rowOf(no)
    expect(options[0]?.optionNo).toBe(before.options[0]?.optionNo)
    expect(options[1]?.optionNo).not.toBe(before.options[1]?.optionNo)
  })

  it('stands once in a scope', async () => {
    await add({ questionZh: '乙' })
    expect(await save({ questionZh: '乙' })).toMatchObject({ code: 40001, msg: expect.stringContaining('exists') })
    expect((await save({ questionZh: '乙', loanKindScope: 'first' })).code).toBe(0)
  })

  it('of all merchants is changed by headquarters, one of a merchant by its people', async () => {
    const brand = await floor.person({ perms, nature: 'merchant', merchants: ['M1'], limit: 'own_merchants' })
    expect((await save({ questionZh: '丙' }, brand)).code).toBe(40301)
    expect((await save({ questionZh: '丙', merchantNos: ['M2'] }, brand)).code).toBe(40001)
    expect((await save({ questionZh: '丙', merchantNos: ['M1'] }, brand)).code).toBe(0)
    await add({ questionZh: '丁', merchantNos: ['M2'] })
    const seen = (await floor.call(auditQuestion.page, { pageSize: 100 }, { as: brand })).data.list
    expect(seen.map(row => row.questionZh)).toContain('丙')
    expect(seen.map(row => row.questionZh)).not.toContain('丁')
  })
})

describe('a review', () => {
  it('keeps the questions it was opened with, and its answers their version', async () => {
    await floor.exec(sql`update audit_question set deleted_time = now()`)
    const no = await add({ questionZh: '第一题' })
    const who = await floor.auditor()
    const orderNo = await floor.order()
    await floor.allotTo(lead, who, [orderNo])
    const before = await rowOf(no)
    expect(before.openReviews).toBe(1)
    const task = await floor.open(who, orderNo)
    expect(task.questions.map(one => one.questionNo)).toEqual([no])
    await save({ questionNo: no, version: before.version, questionZh: '改过的题' })
    await add({ questionZh: '新题', sort: 2 })
    expect((await rowOf(no)).openReviews).toBe(0)
    const again = await floor.open(who, orderNo)
    expect(again.questions.map(one => one.questionZh)).toEqual(['第一题'])
    expect((await floor.call(audit.submit, floor.passing(again), { as: who })).code).toBe(0)
    expect(await floor.rows(sql`select question_no, question_version from audit_answer`)).toEqual([
      { questionNo: no, questionVersion: before.version },
    ])
    const { data } = await floor.call(auditQuestion.answers, { questionNo: no }, { as: boss })
    expect(data).toMatchObject({
      answered: 1,
      list: [
        { optionZh: '是', count: 1, share: '100.0' },
        { count: 0, share: '0.0' },
      ],
    })
    const row = await rowOf(no)
    expect(row.answerCount).toBe(1)
    await floor.call(auditQuestion.state, { questionNo: no, enabled: false, version: row.version } as never, {
      as: boss,
    })
    const removal = { questionNo: no, version: row.version + 1 } as never
    expect((await floor.call(auditQuestion.remove, removal, { as: boss })).code).toBe(40901)
  })

  it('asks what its merchant and its kind of loan ask', async () => {
    await floor.exec(sql`update audit_question set deleted_time = now()`)
    await add({ questionZh: '仅复贷', loanKindScope: 'repeat' })
    await add({ questionZh: '仅乙商户', merchantNos: ['M2'] })
    await add({ questionZh: '大家' })
    const who = await floor.auditor({ merchants: ['M1', 'M2'] })
    const asked = async (of: Parameters<Floor['order']>[0]) => {
      const orderNo = await floor.order(of)
      await floor.allotTo(lead, who, [orderNo])
      return (await floor.open(who, orderNo)).questions.map(one => one.questionZh).sort()
    }
    expect(await asked({})).toEqual(['大家'])
    expect(await asked({ merchantNo: 'M2' })).toEqual(['仅乙商户', '大家'].sort())
    expect(await asked({ loanKind: 'repeat' })).toEqual(['仅复贷', '大家'].sort())
  })
})

describe('the order of questions', () => {
  it('is saved whole, and refused when a question came or went meanwhile', async () => {
    await floor.exec(sql`update audit_question set deleted_time = now()`)
    const a = await add({ questionZh: '一', sort: 1 })
    const b = await add({ questionZh: '二', sort: 2 })
    const arrange = (questionNos: string[]) => floor.call(auditQuestion.arrange, { questionNos }, { as: boss })
    expect((await arrange([b, a])).data.moved).toBe(2)
    const { list } = (await floor.call(auditQuestion.page, { sort: 'sort' }, { as: boss })).data
    expect(list.map(row => row.questionNo)).toEqual([b, a])
    expect((await arrange([a])).code).toBe(40902)
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { businessNodes } from '../../../../core/contract/operation/business-node.ts'
import type { Message } from '../../../outgoing/post.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { nodeInput } from '../business-node/business-node.facts.ts'
import { businessNodeModule } from '../business-node/business-node.ts'
import { sensitiveWordModule } from '../sensitive-word/sensitive-word.ts'
import { messageTemplateModule } from './message-template.ts'

const { businessNode, messageTemplates, sensitiveWord } = contract
const modules = [businessNodeModule(), messageTemplateModule(), sensitiveWordModule()]

configSuite(businessNodes as never, {
  modules,
  fresh: () => nodeInput(),
  changed: { contactKind: 'service' },
  differs: 'contactKind',
})

let kit: Kit
let writer: Person
let brand: Person
const perms = [
  ...['page', 'save', 'copy', 'enable', 'export'].map(action => `message:template:${action}`),
  ...['page', 'save', 'enable', 'delete', 'copy'].map(action => `app:point:${action}`),
  ...['page', 'save'].map(action => `org:sensitiveWord:${action}`),
]
type Input = Record<string, unknown>
const as = (who = writer) => ({ as: who, language: 'en' as const })
const node = async (more: Input = {}): Promise<string> =>
  String((await kit.call(businessNode.save, nodeInput(more) as never, as())).data.key)
const text = (nodeNo: string, more: Input = {}) => ({
  ...{ templateName: 'Due soon', nodeNo, channelType: 'sms', contactType: 'self', language: 'en' },
  ...{ content: '{customerName}, pay {amountDue} by {dueDate}', ...more },
})
const save = (input: Input, who = writer) => kit.call(messageTemplates.save, input as never, as(who))
const draft = async (nodeNo: string, more: Input = {}) =>
  (await save(text(nodeNo, more))).data as { templateNo: string; version: number }
const enable = (of: { templateNo: string; version: number }, who = writer) =>
  kit.call(messageTemplates.enable, of, as(who))
const said = (answer: { code: number; msg: string }) => [answer.code, answer.msg]
const refusedFor = (words: string) => [40001, expect.stringContaining(words)]

beforeAll(async () => {
  kit = await openKit({ modules })
  writer = await kit.person({ perms, name: 'Writer' })
  brand = await kit.person({ perms, nature: 'merchant', merchants: ['M1'], limit: 'own_merchants' })
})
afterAll(() => kit.close())

describe('a text of a node', () => {
  it.each<[string, Input, string]>([
    ['a value that its node does not have', { content: 'Pay {refundAmount}' }, 'no value {refundAmount}'],
    ['a brace that is no place', { content: 'Pay {amountDue' }, 'Write values as'],
    ['a link', { content: 'Pay at https://pay.example' }, 'Links may not be written'],
    ['more than four parts', { content: '验'.repeat(269) }, 'Parts needed: 5'],
    ['an amount for somebody else', { contactType: 'emergency', content: 'Say {amountDue}' }, '{amountDue}'],
    ['a word of debt for somebody else', { contactType: 'other', content: 'About a DEBT' }, 'debt to others: debt'],
  ])('is not put in force with %s', async (_, more, reason) => {
    const answer = await enable(await draft(await node(), more))
    expect(said(answer)).toEqual(refusedFor(reason))
  })

  it('operation 7: says nothing to others that the customer may read', async () => {
    const nodeNo = await node()
    expect((await enable(await draft(nodeNo, { content: 'Pay {amountDue}' }))).code).toBe(0)
    const other = { contactType: 'emergency', content: 'Please ask {customerName} to call us' }
    expect((await enable(await draft(nodeNo, other))).code).toBe(0)
  })

  it('names brand and hotline where it collects', async () => {
    const nodeNo = await node({ contactKind: 'collection', eventKey: 'bill.overdue' })
    expect(said(await enable(await draft(nodeNo)))).toEqual(refusedFor('must name the brand'))
    expect((await enable(await draft(nodeNo, { content: '{brand}: pay {amountDue} or call {hotline}' }))).code).toBe(0)
  })

  it('holds no sensitive word', async () => {
    const word = {
      newWords: 'crook',
      wordLanguage: 'en',
      category: 'insult',
      scopes: ['template'],
      wordAction: 'block',
    }
    expect((await kit.call(sensitiveWord.save, word as never, as())).code).toBe(0)
    const answer = await enable(await draft(await node(), { content: 'You c.r.o.o.k' }))
    expect(said(answer)).toEqual(refusedFor('crook'))
  })

  it('is frozen when it is put in force, changed as the next version, and in force once in one place', async () => {
    const nodeNo = await node()
    const first = await draft(nodeNo)
    const on = await enable(first)
    expect((await save({ ...text(nodeNo), ...first, version: on.data.version })).code).toBe(40901)
    expect(said(await enable(await draft(nodeNo)))).toEqual(refusedFor('already exists'))
    expect((await enable(await draft(nodeNo, { appCode: 'BodaCash' }))).code).toBe(0)
    const off = await kit.call(messageTemplates.disable, { ...first, version: on.data.version }, as())
    const changed = await save({ ...text(nodeNo, { content: 'Pay {amountDue}' }), ...first, version: off.data.version })
    expect((await enable({ ...first, version: (changed.data as { version: number }).version })).code).toBe(0)
    const { versions } = (await kit.call(messageTemplates.detail, { templateNo: first.templateNo }, as())).data
    expect(versions.map(one => [one.templateVersion, one.content])).toEqual([
      [2, 'Pay {amountDue}'],
      [1, '{customerName}, pay {amountDue} by {dueDate}'],
    ])
  })

  it('is taken from a node that is on only when that is confirmed', async () => {
    const nodeNo = await node()
    const of = await draft(nodeNo)
    const { version } = (await enable(of)).data
    const state = { nodeNo, enabled: true, version: 0 }
    expect((await kit.call(businessNode.state, state as never, as())).code).toBe(0)
    expect((await kit.call(messageTemplates.disable, { ...of, version }, as())).code).toBe(40002)
    expect((await kit.call(messageTemplates.disable, { ...of, version, confirmLast: true }, as())).code).toBe(0)
  })

  it('is measured as it is written', async () => {
    const nodeNo = await node()
    const measured = async (content: string) =>
      (
        await kit.call(
          messageTemplates.preview,
          { nodeNo, channelType: 'sms', contactType: 'self', language: 'en', content } as never,
          as(),
        )
      ).data
    expect(await measured('a'.repeat(160))).toMatchObject({ segments: 1, encoding: 'gsm7', room: 160, cost: null })
    expect(await measured(`${'a'.repeat(159)}’`)).toMatchObject({ segments: 3, encoding: 'ucs2', forced: ['’'] })
    expect((await measured('Pay {amountDue}')).messageText).toBe('Pay UGX 171,000')
    await kit.db.withTx(async tx => {
      const actor = system('test')
      const values = {
        ...{ messageNo: 'MSX', channelType: 'sms', template: 'node', language: 'en', recipient: '256772000031' },
        ...{ objectType: 'order', objectNo: 'X', segments: 2, createdTime: tx.now },
      }
      await create(tx, 'message', values, { event: 'msg.queue', as: 'queued' }, actor)
      const row = await tx.one(sql<Message>`select * from message where message_no = 'MSX'`)
      await transition(tx, 'message', row, { event: 'msg.send', as: 'accepted', set: { cost: '70.00' } }, actor)
    })
    expect(await measured('a'.repeat(161))).toMatchObject({ segments: 2, cost: '70.00' })
  })

  it('of all merchants is read by a merchant and changed by headquarters alone; those of others do not exist', async () => {
    const nodeNo = await node()
    const [all, theirs] = [await draft(nodeNo), await draft(nodeNo, { merchantNo: 'M2' })]
    expect((await kit.call(messageTemplates.detail, { templateNo: all.templateNo }, as(brand))).code).toBe(0)
    const { list } = (await kit.call(messageTemplates.page, { pageSize: 100 } as never, as(brand))).data
    const seen = Object.fromEntries(list.map(row => [row.templateNo, Object.keys(row.blockedBy)]))
    expect(seen[all.templateNo]).toContain('messageTemplate.enable')
    expect(seen[theirs.templateNo]).toBeUndefined()
    expect((await enable(all, brand)).code).toBe(40301)
    expect((await kit.call(messageTemplates.detail, { templateNo: theirs.templateNo }, as(brand))).code).toBe(40401)
    expect((await enable(theirs, brand)).code).toBe(40401)
    expect((await save(text(nodeNo, { merchantNo: 'M2' }), brand)).code).toBe(40001)
    expect((await save(text(nodeNo, { merchantNo: 'M1' }), brand)).code).toBe(0)
  })

  it('is copied into another language as a draft', async () => {
    const of = await draft(await node())
    const copied = await kit.call(messageTemplates.copy, { ...of, language: 'sw' }, as())
    const { row } = (await kit.call(messageTemplates.detail, { templateNo: copied.data.templateNo }, as())).data
    expect(row).toMatchObject({ language: 'sw', templateStatus: 'draft', templateVersion: 1 })
  })
})

describe('a node', () => {
  it('of a decision stays on, for each of its apps, and is of the kind service', async () => {
    const input = { eventKey: 'order.approved', contactKind: 'service', appCodes: ['BodaCash', 'MarketLoan'] }
    const wrong = await kit.call(businessNode.save, nodeInput({ ...input, contactKind: 'marketing' }) as never, as())
    expect(wrong.code).toBe(40001)
    const nodeNo = await node(input)
    const on = await kit.call(businessNode.state, { nodeNo, enabled: true, version: 0 } as never, as())
    const { version } = on.data
    expect((await kit.call(businessNode.state, { nodeNo, enabled: false, version } as never, as())).code).toBe(40901)
    const app = { nodeNo, version, appCode: 'MarketLoan', on: false }
    expect((await kit.call(businessNode.appState, app, as())).code).toBe(40901)
  })

  it('is switched for one app, and never for the last one', async () => {
    const nodeNo = await node({ appCodes: ['BodaCash', 'MarketLoan'] })
    const off = await kit.call(businessNode.appState, { nodeNo, version: 0, appCode: 'MarketLoan', on: false }, as())
    expect(off.code).toBe(0)
    const last = { nodeNo, version: off.data.version, appCode: 'BodaCash', on: false }
    expect((await kit.call(businessNode.appState, last, as())).code).toBe(40001)
    expect((await kit.call(businessNode.appState, { ...last, on: true }, as(brand))).code).toBe(40301)
  })

  it.each<[string, Input]>([
    [
      'a channel twice',
      {
        channelOrder: [
          { channelType: 'sms', fallbackSeconds: 0 },
          { channelType: 'sms', fallbackSeconds: 0 },
        ],
      },
    ],
    ['no channel', { channelOrder: [] }],
    ['too long a wait', { channelOrder: [{ channelType: 'sms', fallbackSeconds: 3_601 }] }],
    ['a code with a space', { pointCode: 'bill due' }],
    ['an app that there is not', { appCodes: ['Nobody'] }],
    ['an event that does not happen', { eventKey: 'bill.eaten' }],
  ])('is refused with %s', async (_, more) => {
    expect((await kit.call(businessNode.save, nodeInput(more) as never, as())).code).toBe(40001)
  })

  it('is given to another app with its texts as drafts; what is there is left alone', async () => {
    const [one, both] = [await node(), await node({ appCodes: ['BodaCash', 'MarketLoan'] })]
    await enable(await draft(one, { appCode: 'BodaCash' }))
    const nodes = (await kit.call(businessNode.page, { appCode: 'BodaCash', pageSize: 100 } as never, as())).data.list
    const without = nodes.filter(row => !row.appCodes.includes('MarketLoan')).length
    const answer = await kit.call(
      businessNode.copyToApp,
      { fromApp: 'BodaCash', toApp: 'MarketLoan', withTemplates: true },
      as(),
    )
    expect(answer.data).toMatchObject({ nodes: without, existing: nodes.length - without })
    expect(answer.data.templates).toBeGreaterThanOrEqual(1)
    expect([one, both].every(no => nodes.some(row => row.nodeNo === no))).toBe(true)
  })
})

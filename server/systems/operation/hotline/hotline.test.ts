import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { hotlines } from '../../../../core/contract/operation/hotline.ts'
import { system } from '../../../rights/actor.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { type Announcement, draftAnnouncement, publishAnnouncement } from '../announcement/store.ts'
import { hotlineModule } from './hotline.ts'

const { hotline } = contract
const contact = {
  displayName: { zh: '客服', en: 'Support', sw: 'Huduma' },
  hotlineType: 'phone',
  contactValue: '0800200300',
  merchantNo: 'M1',
  appCodes: ['BodaCash'],
  languages: ['en', 'lg'],
  workDays: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opensAt: '08:00',
  closesAt: '17:00',
  complaint: false,
  answeredHere: true,
  sort: 1,
}

configSuite(hotlines, {
  modules: [hotlineModule()],
  // No phone and no complaint contact: which is the last of its app is asked below.
  fresh: n => ({ ...contact, hotlineType: 'email', contactValue: `help${n}@kasa.ug`, answeredHere: undefined }),
  changed: { sort: 99 },
  differs: 'sort',
})

let kit: Kit
let boss: Person
let brand: Person
const perms = ['page', 'save', 'enable', 'delete'].map(action => `org:customerConfig:${action}`)
type Input = Record<string, unknown>
const save = (more: Input, as = boss) =>
  kit.call(hotline.save, { ...contact, ...more } as never, { as, language: 'en' })
const rows = async (as = boss) => (await kit.call(hotline.page, { pageSize: 100 }, { as })).data.list
const one = async (value: string) => {
  const found = (await rows()).find(row => row.contactValue === value)
  if (!found) throw new Error(`no contact ${value}`)
  return found
}
const turn = async (value: string, enabled: boolean) => {
  const { hotlineNo, version } = await one(value)
  return kit.call(hotline.state, { hotlineNo, enabled, version } as never, { as: boss, language: 'en' })
}
const add = async (more: Input) => {
  expect((await save(more)).code).toBe(0)
  expect((await turn(String(more.contactValue ?? contact.contactValue), true)).code).toBe(0)
}
const refusedAt = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string }[] }).fields?.map(({ path }) => path)

beforeAll(async () => {
  kit = await openKit({ modules: [hotlineModule()] })
  boss = await kit.person({ perms, name: 'Boss' })
  brand = await kit.person({ perms, nature: 'merchant', merchants: ['M1'], limit: 'own_merchants' })
})
afterAll(() => kit.close())

describe('a contact', () => {
  it.each([
    ['a phone number of another form', { contactValue: '0772000031000' }, 'contactValue'],
    ['a short number on WhatsApp', { hotlineType: 'whatsapp', contactValue: '100' }, 'contactValue'],
    ['a broken address', { hotlineType: 'email', contactValue: 'help@' }, 'contactValue'],
    ['hours that end before they begin', { opensAt: '17:00', closesAt: '17:00' }, 'closesAt'],
    ['no app', { appCodes: [] }, 'appCodes'],
    ['an app of another merchant', { appCodes: ['MarketLoan'] }, 'appCodes'],
    ['a place of 0', { sort: 0 }, 'sort'],
  ])('is refused with %s', async (_, more, field) => {
    const answer = await save(more)
    expect(answer.code).toBe(40001)
    expect(refusedAt(answer)).toContain(field)
  })

  it('stands once in an app, whatever its letters, and may stand in another', async () => {
    await add({ hotlineType: 'email', contactValue: 'help@boda.ug', answeredHere: undefined })
    const again = { hotlineType: 'email', contactValue: 'HELP@boda.ug' }
    expect(await save(again)).toMatchObject({ code: 40001, msg: expect.stringContaining('already exists') })
    expect((await save({ ...again, merchantNo: 'M2', appCodes: ['MarketLoan'] })).code).toBe(0)
  })

  it('is open within its hours on its days', async () => {
    // Monday 10:00.
    await add({ contactValue: '101' })
    await add({ contactValue: '102', workDays: ['sun'] })
    await add({ contactValue: '103', opensAt: '10:01' })
    const open = Object.fromEntries((await rows()).map(row => [row.contactValue, row.openNow]))
    expect(open).toMatchObject({ 101: true, 102: false, 103: false })
  })

  it('of all merchants is seen by a merchant, and changed by headquarters only', async () => {
    await add({ contactValue: '110', merchantNo: undefined, appCodes: ['BodaCash', 'MarketLoan'] })
    const seen = (await rows(brand)).map(row => row.contactValue)
    expect(seen).toContain('110')
    expect(seen).not.toContain('HELP@boda.ug')
    const { hotlineNo, version } = await one('110')
    expect((await save({ hotlineNo, version, contactValue: '110' }, brand)).code).toBe(40301)
    expect((await save({ contactValue: '111', merchantNo: undefined }, brand)).code).toBe(40301)
    expect(refusedAt(await save({ contactValue: '111', merchantNo: 'M2', appCodes: ['MarketLoan'] }, brand))).toContain(
      'merchantNo',
    )
  })
})

describe('the last contact of an app', () => {
  beforeAll(async () => {
    await add({ contactValue: '201', merchantNo: 'M2', appCodes: ['MarketLoan'], complaint: true })
    await turn('110', false)
  })

  it('operation 13: is neither disabled nor changed into something else, and its row says why', async () => {
    const last = await one('201')
    expect(last.blockedBy).toMatchObject({ 'hotline.state': { params: { name: 'MarketLoan' } } })
    expect(await turn('201', false)).toMatchObject({ code: 40901, msg: expect.stringContaining('MarketLoan') })
    const { hotlineNo, version } = last
    const kept = { hotlineNo, version, contactValue: '201', merchantNo: 'M2', appCodes: ['MarketLoan'] }
    expect(await save({ ...kept, complaint: false })).toMatchObject({
      code: 40901,
      msg: 'This is the last complaint contact of MarketLoan',
    })
    expect((await save({ ...kept, complaint: true, sort: 7 })).code).toBe(0)
  })

  it('may go once there is another, and then the other stays', async () => {
    await add({ contactValue: '202', merchantNo: 'M2', appCodes: ['MarketLoan'], complaint: true })
    expect(await one('201')).toMatchObject({ nextContact: '202', lastPhoneApp: null })
    const answers = await Promise.all([turn('201', false), turn('202', false)])
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 40901])
  })
})

describe('the contact page of an app', () => {
  const shown = async (appCode: string) =>
    (await kit.call(hotline.shown, { appCode })).data.list.map(row => row.contactValue)

  it('shows what is in force in its order, to anybody', async () => {
    const hotlineNos = []
    for (const value of ['103', '101', '102']) hotlineNos.push((await one(value)).hotlineNo)
    const mail = await one('help@boda.ug')
    const input = { appCode: 'BodaCash', hotlineNos: [...hotlineNos, mail.hotlineNo] }
    expect((await kit.call(hotline.arrange, input, { as: boss })).code).toBe(0)
    expect(await shown('BodaCash')).toEqual(['103', '101', '102', 'help@boda.ug'])
    expect(await shown('Nothing')).toEqual([])
    const missing = { ...input, hotlineNos }
    expect((await kit.call(hotline.arrange, missing, { as: boss })).code).toBe(40902)
  })

  it('is used where an announcement prints the contact, which then is not deleted', async () => {
    await kit.db.withTx(async tx => {
      const actor = system('test')
      const text = { titles: { en: 'Call us' }, contents: { en: '<p>Dial 9900</p>' }, startTime: tx.now }
      const no = await draftAnnouncement(tx, text, actor)
      const row = await tx.one(sql<Announcement>`select * from announcement where announcement_no = ${no}`)
      await publishAnnouncement(tx, row, actor)
    })
    expect((await save({ contactValue: '9900' })).code).toBe(0)
    const { hotlineNo, version, usedCount } = await one('9900')
    expect(usedCount).toBe(1)
    expect((await kit.call(hotline.remove, { hotlineNo, version } as never, { as: boss })).code).toBe(40901)
    expect((await kit.call(hotline.usedBy, { hotlineNo }, { as: boss })).data).toMatchObject({
      list: [{ kind: 'announcement', name: 'Call us' }],
      total: 1,
    })
  })
})

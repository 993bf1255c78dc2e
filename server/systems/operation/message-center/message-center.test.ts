import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { messageApps } from '../../../../core/contract/operation/message-center.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { smppLines } from '../../../gateways/texts/smpp/smpp-lines.ts'
import type { Handed } from '../../../gateways/texts/sms-vendor.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { fakeVendors } from '../../../testing/vendors.ts'
import { registerAccounts } from './accounts.ts'
import { appRulesOf } from './app-rules.ts'
import { vendorBalanceLow } from './balance.ts'
import { accountSealer, carriersOf, heldAccounts } from './carriers.ts'
import { accountInput, appInput, failedMessage } from './message-center.facts.ts'
import { messageCenterModule } from './message-center.ts'

const { messageAccount, messageApp, sentMessage, common } = contract
const secretKey = Buffer.alloc(32, 7)
const { vendors } = fakeVendors()
const deps = { vendors, secretKey, demo: false }
let answer: Handed = { is: 'accepted', vendorRef: 'V1', cost: null }
const center = messageCenterModule(deps, () => ({ vendor: { send: async () => answer, parseReport: () => null } }))

configSuite(messageApps as never, {
  modules: [center],
  fresh: () => appInput(),
  changed: { appName: 'Another' },
  differs: 'appName',
  before: tx => tx.exec(sql`drop index message_app_code`),
})

let kit: Kit
let boss: Person
let second: Person
const perms = ['page', 'save', 'save:check', 'enable', 'delete', 'resend'].map(end => `message:account:${end}`)
beforeAll(async () => {
  kit = await openKit({ modules: [center, approvalModule(center.approvals ?? [])] })
  const all = [...perms, ...['page', 'save', 'enable', 'export'].map(end => `app:config:${end}`)]
  boss = await kit.person({ perms: all, name: 'Boss' })
  second = await kit.person({ perms: all, name: 'Second' })
  await exec(sql`update app_user set phone_verified = true, phone = '256772000099' where user_no = ${boss.userNo}`)
  await kit.db.withTx(tx => registerAccounts(tx, deps))
})
afterAll(() => kit.close())
const exec = (query: RawBuilder<unknown>) => kit.db.withTx(tx => tx.exec(query))
const carriers = (o?: { all: boolean }) => kit.db.read(tx => carriersOf(deps)(tx, o))
const added = async (more: object = {}) => {
  const answer = await kit.call(messageAccount.save, { ...accountInput(), ...more } as never, {
    as: boss,
    language: 'en',
  })
  return String(answer.data.key)
}
const one = async (accountNo: string) =>
  (await kit.call(messageAccount.detail, { accountNo } as never, { as: boss })).data as never as {
    version: number
    enabled: string
    credentialTime: string | null
    usedCount: number
  }
const turn = async (accountNo: string, enabled: boolean) =>
  kit.call(messageAccount.state, { accountNo, enabled, version: (await one(accountNo)).version } as never, {
    as: boss,
    language: 'en',
  })
const rotated = async (accountNo: string) =>
  kit.call(
    messageAccount.rotate,
    {
      accountNo,
      version: (await one(accountNo)).version,
      vendorUser: 'nile',
      credential: 'a-new-secret',
      reason: 'leaked',
    },
    { as: boss, language: 'en' },
  )

describe('an account', () => {
  it('of the settings has a record, once, and carries as before', async () => {
    expect(await kit.db.withTx(tx => registerAccounts(tx, deps))).toBe(0)
    expect((await carriers()).sms.map(one => one.accountNo)).toEqual(['sms-1', 'sms-2'])
    expect(await one('mail')).toMatchObject({ channelType: 'email', fromServer: true, enabled: 'enabled' })
  })

  it('that is off or has carried enough takes no more', async () => {
    expect((await turn('sms-2', false)).code).toBe(0)
    expect((await carriers()).sms.map(one => one.accountNo)).toEqual(['sms-1'])
    expect((await carriers({ all: true })).sms).toHaveLength(2)
    await exec(sql`update message_account set texts_a_day = 0 where account_no = 'sms-1'`)
    expect((await carriers()).sms).toEqual([])
    await exec(sql`update message_account set texts_a_day = null where account_no = 'sms-1'`)
    expect((await turn('sms-2', true)).code).toBe(0)
    expect((await turn('mail', false)).code).toBe(0)
    expect((await carriers()).mail).toBeNull()
    await turn('mail', true)
  })

  it('without a secret is not switched on; with one it carries', async () => {
    const no = await added()
    expect(await turn(no, true)).toMatchObject({ code: 40901, msg: expect.stringContaining('key') })
    answer = { is: 'refused', reason: 'vendor_error' }
    expect((await rotated(no)).code).toBe(40901)
    answer = { is: 'accepted', vendorRef: 'V1', cost: null }
    const asked = await rotated(no)
    expect((await one(no)).credentialTime).toBeNull()
    const approvalNo = asked.data.approvalNo
    expect((await kit.call(common.approve, { approvalNo, version: 0 }, { as: second })).code).toBe(0)
    expect((await one(no)).credentialTime).not.toBeNull()
    const [row] = await kit.db.read(tx =>
      tx.rows(sql<{ credential: string }>`select credential from message_account where account_no = ${no}`),
    )
    expect(row?.credential).not.toContain('a-new-secret')
    expect((await turn(no, true)).code).toBe(0)
    expect((await carriers()).sms.map(one => one.accountNo)).toContain(no)
  })

  it('that an app goes by is not switched off', async () => {
    const appChannels = [{ channelType: 'sms' }, { channelType: 'email', accountNo: 'mail' }]
    const { data } = await kit.call(messageApp.save, { ...appInput('MarketLoan'), appChannels } as never, { as: boss })
    const messageAppNo = String(data.key)
    await kit.call(messageApp.state, { messageAppNo, enabled: true, version: 0 } as never, { as: boss })
    expect(await turn('mail', false)).toMatchObject({ code: 40901, msg: expect.stringContaining('1 route or app') })
    expect((await one('mail')).usedCount).toBe(1)
    await kit.call(messageApp.state, { messageAppNo, enabled: false, version: 1 } as never, { as: boss })
    expect((await turn('mail', false)).code).toBe(0)
    await turn('mail', true)
  })

  it.each(['http://api.vendor.example', 'https://10.0.0.8', 'https://localhost', 'nowhere'])(
    'is not at %s',
    async vendorEndpoint => {
      const answer = await kit.call(messageAccount.save, { ...accountInput(), vendorEndpoint } as never, { as: boss })
      expect(answer.code).toBe(40001)
    },
  )
})

describe('an app', () => {
  it('speaks over its channels alone, and keeps quiet for longer', async () => {
    const input = { ...appInput(), quietFrom: '18:00', quietUntil: '09:00' }
    const { data } = await kit.call(messageApp.save, input as never, { as: boss })
    await kit.call(messageApp.state, { messageAppNo: String(data.key), enabled: true, version: 0 } as never, {
      as: boss,
    })
    const rules = await kit.db.read(tx => appRulesOf(tx, 'BodaCash'))
    expect([rules.speaks('sms'), rules.speaks('email'), rules.window]).toEqual([
      true,
      false,
      { from: '09:00', to: '18:00' },
    ])
    const others = await kit.db.read(tx => appRulesOf(tx, 'MarketLoan'))
    expect(others.speaks('email')).toBe(true)
  })

  it.each([
    ['a channel without an account', [{ channelType: 'email' }]],
    ['an account of another channel', [{ channelType: 'email', accountNo: 'sms-1' }]],
    ['texts by an account', [{ channelType: 'sms', accountNo: 'sms-1' }]],
    ['a channel twice', [{ channelType: 'sms' }, { channelType: 'sms' }]],
  ])('is refused with %s', async (_, appChannels) => {
    expect(
      (await kit.call(messageApp.save, { ...appInput('MarketLoan'), appChannels } as never, { as: boss })).code,
    ).toBe(40001)
  })
})

describe('a message', () => {
  it('is shown with its names hidden, and sent again once more', async () => {
    const no = await kit.db.withTx(tx => failedMessage(tx))
    const { data } = await kit.call(sentMessage.page, { messageNo: no }, { as: boss })
    expect(data.list[0]).toMatchObject({
      receiver: '25********31',
      messageText: 'Hello Ru*******lo',
      messageStatus: 'failed',
    })
    const again = await kit.call(sentMessage.resend, { messageNo: no, version: 1 }, { as: boss })
    expect(again.code).toBe(0)
    const found = await kit.call(sentMessage.page, { messageNo: again.data.messageNo }, { as: boss })
    expect(found.data.list[0]).toMatchObject({ messageStatus: 'queued', messageText: 'Hello Ru*******lo' })
    const { steps } = (await kit.call(sentMessage.detail, { messageNo: no }, { as: boss })).data
    expect(steps.map(step => step.event)).toEqual(['msg.queue', 'msg.send', 'msg.resend'])
  })

  it('that is no service is not sent again', async () => {
    const no = await kit.db.withTx(tx => failedMessage(tx, 'collection'))
    expect((await kit.call(sentMessage.resend, { messageNo: no, version: 1 }, { as: boss })).code).toBe(40901)
  })
})

describe('a vendor of another kind', () => {
  const json = (more: object = {}) => ({
    ...accountInput(),
    ...{ messageVendor: 'http', vendorEndpoint: 'https://api.vendor.example/v2', httpAuth: 'bearer' },
    requestTemplate: '{"to":"<to>","text":"<text>"}',
    vendorPaths: [{ vendorPart: 'answer_id', vendorPath: 'data.id' }],
    ...more,
  })
  const saved = (input: object) => kit.call(messageAccount.save, input as never, { as: boss, language: 'en' })
  const fieldOf = ({ data }: { data: unknown }) =>
    (data as { errors?: { field: string }[] } | null)?.errors?.map(one => one.field) ?? []

  it.each([
    ['requestTemplate', json({ requestTemplate: '{"to":<to>,"text":"<text>"}' })],
    ['requestTemplate', json({ requestTemplate: undefined })],
    ['vendorPaths', json({ vendorPaths: [{ vendorPart: 'report_id', vendorPath: 'id' }] })],
    ['vendorPaths', json({ vendorPaths: [{ vendorPart: 'answer_id', vendorPath: 'a..b' }] })],
    ['vendorEndpoint', json({ vendorEndpoint: 'vendor.example:2775' })],
    ['vendorEndpoint', json({ vendorEndpoint: 'https://localhost/v2' })],
    ['vendorEndpoint', { ...accountInput(), messageVendor: 'smpp' }],
    ['messageVendor', json({ channelType: 'whatsapp' })],
  ])('is refused for its %s', async (name, input) => {
    const answer = await saved(input)
    expect(answer.code).not.toBe(0)
    expect(JSON.stringify([fieldOf(answer), answer])).toContain(name)
  })

  it('carries as its account says, at public addresses alone, and an SMPP line is held while it is on', async () => {
    const outside = { ...deps, lines: smppLines() }
    const kinds = {
      http: json(),
      smpp: { ...accountInput(), messageVendor: 'smpp', vendorEndpoint: 'smpp.vendor.example:2775', overTls: true },
    }
    for (const [kind, input] of Object.entries(kinds)) {
      const accountNo = String((await saved(input)).data.key)
      const secrets = {
        credential: accountSealer(secretKey).seal(Buffer.from('a-secret-of-ours'), accountNo),
        at: kit.clock.now(),
      }
      await exec(sql`
        update message_account set vendor_user = 'nile', credential = ${secrets.credential}, credential_time = ${secrets.at} where account_no = ${accountNo}`)
      expect((await turn(accountNo, true)).code).toBe(0)
      const { sms } = await kit.db.read(tx => carriersOf(outside)(tx))
      const vendor = sms.find(one => one.accountNo === accountNo)?.vendor
      expect(vendor?.hold === undefined).toBe(kind === 'http')
      const held = await kit.db.read(tx => heldAccounts(tx))
      expect(held.includes(accountNo)).toBe(kind === 'smpp')
    }
    outside.lines.close()
  })

  it('warns of accounts that run low', async () => {
    await exec(sql`update message_account set balance = 100, low_balance = 50000 where account_no = 'sms-1'`)
    const found = await kit.db.read(tx => vendorBalanceLow.find(tx, {} as never))
    expect(found).toMatchObject([{ key: 'sms-1', facts: { balance: '100', least: '50,000' } }])
    await exec(sql`update message_account set balance = 60000 where account_no = 'sms-1'`)
    expect(await kit.db.read(tx => vendorBalanceLow.find(tx, {} as never))).toEqual([])
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { merchants } from '../../../../core/contract/operation/merchant.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { application, send } from '../../../testing/partner.ts'
import { intakeModule } from '../../order/intake/intake.ts'
import { drainJob } from './drain.ts'
import { merchantModule } from './merchant.ts'

const { merchant, common } = contract
const form = (n: number | string) => ({
  merchantName: `Brand ${n}`,
  brandName: `Brand ${n}`,
  orgNo: 'O1',
  legalName: `Brand ${n} Limited`,
  licenceNo: `UMRA/${n}`,
  licenceExpiry: '2026-04-11',
  physicalAddress: 'Plot 4, Kampala Road',
  supportEmail: 'help@brand.ug',
})
const fresh = (n: number | string) => ({ ...form(n), appName: `Brand${n}` })
type Input = Record<string, unknown>

const codes = ['page', 'add', 'update', 'enable', 'enable:check', 'delete'].map(code => `org:merchant:${code}`)
const perms = [...codes, 'org:withdrawal:condition', 'org:filter']

let kit: Kit
let boss: Person
let second: Person
let brand: Person
let seed = 7_000
const module = merchantModule()
const modules = [module, approvalModule(module.approvals ?? []), intakeModule()]
const next = (change: Parameters<typeof application>[1] = {}) => application(++seed, change)
const rows = async (as = boss, filters: Input = {}) =>
  (await kit.call(merchant.page, { pageSize: 100, ...filters } as never, { as })).data.list
const one = async (no: string) => (await rows()).find(row => row.merchantNo === no)!
const ask = (call: keyof typeof merchant, no: string, more: Input, as = boss) =>
  one(no).then(({ version }) =>
    kit.call(merchant[call] as never, { merchantNo: no, version, ...more } as never, { as, language: 'en' }),
  ) as Promise<{ code: number; msg: string; data: Input }>
const must = async (answering: Promise<{ code: number; msg: string; data: Input }>) => {
  const answer = await answering
  expect(answer.code, answer.msg).toBe(0)
  return answer.data
}
const agree = (approvalNo: unknown, as = second) =>
  kit.call(common.approve, { approvalNo: String(approvalNo), version: 0 }, { as, language: 'en' })
const turn = async (no: string, enabled: boolean) =>
  expect((await agree((await must(ask('state', no, { enabled }))).approvalNo)).code).toBe(0)
const write = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
const refusedAt = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string }[] } | null)?.fields?.map(({ path }) => path)

beforeAll(async () => {
  // Codes and bills are written as no command would, to stand in for payouts and repayments.
  kit = await openKit({ modules, handmade: true })
  boss = await kit.person({ perms, name: 'Boss' })
  second = await kit.person({ perms, name: 'Second' })
  brand = await kit.person({ perms, nature: 'merchant', merchants: ['M1'], limit: 'own_merchants' })
})
afterAll(() => kit.close())

describe('a merchant', () => {
  it('is made off, by who may add, in an organization that exists; its key is not shown', async () => {
    const adder = await kit.person({ perms: ['org:merchant:add'] })
    const made = await kit.call(merchant.add, fresh('A') as never, { as: adder })
    expect(made).toMatchObject({ code: 0 })
    const row = (await rows()).find(({ merchantName }) => merchantName === 'Brand A')
    expect(row).toMatchObject({
      enabled: 'disabled',
      orgName: 'Kampala',
      companyName: 'Nile Credit',
      appCodes: ['BrandA'],
      trafficLimit: -1,
      licenceLeft: 40,
    })
    expect(JSON.stringify(row)).not.toMatch(/secret/i)
    expect(refusedAt(await kit.call(merchant.add, { ...fresh('B'), orgNo: 'O9' } as never, { as: boss }))).toEqual([
      'orgNo',
    ])
    expect(refusedAt(await kit.call(merchant.add, fresh('A') as never, { as: boss }))).toEqual(['merchantName'])
    const updater = await kit.person({ perms: ['org:merchant:page', 'org:merchant:update'] })
    expect((await kit.call(merchant.add, fresh('C') as never, { as: updater })).code).toBe(40301)
    expect((await ask('save', String(row?.merchantNo), form('A2'), updater)).code).toBe(0)
  })

  it('is shown to its own people, and made by headquarters only', async () => {
    expect((await rows(brand)).map(row => row.merchantNo)).toEqual(['M1'])
    expect((await kit.call(merchant.detail, { merchantNo: 'M2' }, { as: brand })).code).toBe(40401)
    for (const call of [merchant.condition, merchant.filters, merchant.staff])
      expect((await kit.call(call as typeof merchant.staff, { merchantNo: 'M2' }, { as: brand })).code).toBe(40401)
    expect((await kit.call(merchant.add, fresh('D') as never, { as: brand })).code).toBe(40301)
    expect((await ask('traffic', 'M2', { trafficLimit: 1, registerAllowed: true }, brand)).code).toBe(40401)
  })

  it('is disabled by two people, refuses applications then, and stays readable to its staff', async () => {
    const { approvalNo } = await must(ask('state', 'M1', { enabled: false }))
    expect(await one('M1')).toMatchObject({ enabled: 'enabled', pendingApproval: 'Boss' })
    expect((await agree(approvalNo, boss)).code).toBe(40301)
    expect((await ask('traffic', 'M1', { trafficLimit: 1, registerAllowed: true })).code).toBe(40901)
    expect((await agree(approvalNo)).code).toBe(0)
    expect(await send(kit, next())).toMatchObject({ code: 40301, msg: 'The merchant is closed' })
    expect((await rows(brand)).map(row => row.enabled)).toEqual(['disabled'])
    await turn('M1', true)
    expect((await send(kit, next())).code).toBe(0)
  })

  it('with payouts on their way is not disabled; in drain it takes no orders, and ends with its last payout', async () => {
    const { data } = await send(kit, next())
    await write(sql`
      insert into loan_code (loan_code, order_no, loan_code_status, loan_code_seq, actual_loan_amount, payout_type, payout_subtype, cardholder_name, request_time)
      values ('LC-drain', ${data.orderNo}, 'remitting', 1, 100000, 'wallet', 'mtn', 'A', now())`)
    expect(await ask('state', 'M1', { enabled: false })).toMatchObject({
      code: 40901,
      msg: '1 payout is still on its way; stop the intake first',
    })
    const { approvalNo } = await must(ask('drain', 'M1', { drain: true }))
    expect((await agree(approvalNo)).code).toBe(0)
    expect((await send(kit, next())).code).toBe(40301)
    const run = () => kit.db.withTx(tx => drainJob.run(tx, { date: tx.today }))
    expect(await run()).toEqual({ disabled: 0 })
    await write(sql`delete from loan_code where loan_code = 'LC-drain'`)
    expect(await run()).toEqual({ disabled: 1 })
    expect(await one('M1')).toMatchObject({ enabled: 'disabled', drain: true })
    await turn('M1', true)
    expect(await one('M1')).toMatchObject({ enabled: 'enabled', drain: false })
  })

  it('with open orders stays in its organization', async () => {
    const move = { ...form('M1'), orgNo: 'O2' }
    expect(await ask('save', 'M1', move)).toMatchObject({ code: 40901, msg: expect.stringContaining('open order') })
    expect((await ask('save', 'M2', { ...form('M2'), orgNo: 'O1' })).code).toBe(0)
    expect((await ask('save', 'M2', { ...form('M2'), orgNo: 'O2' })).code).toBe(0)
  })
})

describe('which customers it takes', () => {
  it.each([
    [1.5, 'trafficLimit'],
    [-2, 'trafficLimit'],
  ])('is refused with a traffic limit of %s', async (trafficLimit, path) => {
    const answer = await ask('traffic', 'M1', { trafficLimit, registerAllowed: false })
    expect(answer).toMatchObject({ code: 40001, msg: expect.stringMatching(/correct value/) })
    expect(refusedAt(answer)).toEqual([path])
  })

  it('operation 5: lets nobody register when the limit is 0', async () => {
    expect(await ask('traffic', 'M1', { trafficLimit: 0, registerAllowed: true })).toMatchObject({
      code: 40001,
      msg: expect.stringContaining('Registration is not allowed when the value is 0'),
    })
    const known = next()
    expect((await send(kit, known)).code).toBe(0)
    await must(ask('traffic', 'M1', { trafficLimit: 0, registerAllowed: false }))
    expect(await send(kit, next())).toMatchObject({ code: 41001, msg: expect.stringContaining('register') })
    expect((await send(kit, { ...known, thirdOrderNo: 'again-0' })).code).toBe(0)
    await must(ask('traffic', 'M1', { trafficLimit: -1, registerAllowed: true }))
  })

  it('asks the conditions of a withdrawal', async () => {
    const none = { noOverdue: false }
    const body = next()
    await must(ask('conditionSave', 'M1', { ...none, minContacts: 10 }))
    expect(await send(kit, body)).toMatchObject({ code: 41001, msg: 'At least 10 contacts are needed' })
    await must(ask('conditionSave', 'M1', { ...none, settledHours: 24 }))
    const { data } = await send(kit, body)
    await write(sql`update loan_order set settled_time = ${kit.clock.now()} where order_no = ${data.orderNo}`)
    expect(await send(kit, { ...body, thirdOrderNo: 'again-1' })).toMatchObject({
      code: 41001,
      msg: expect.stringContaining('24 hours'),
    })
    await must(ask('conditionSave', 'M1', { noOverdue: true }))
    await write(sql`insert into repay_plan (bill_no, order_no, installment_no, due_date, bill_status, principal_due, interest_due, service_fee_due, management_fee_due)
      values ('B-over', ${data.orderNo}, 1, '2026-03-01', 'pending', 1000, 0, 0, 0)`)
    expect(await send(kit, { ...body, thirdOrderNo: 'again-2' })).toMatchObject({
      code: 41001,
      msg: expect.stringContaining('overdue'),
    })
    await write(sql`delete from repay_plan where bill_no = 'B-over'`)
    expect((await send(kit, { ...body, thirdOrderNo: 'again-3' })).code).toBe(0)
    await must(ask('conditionSave', 'M1', none))
  })

  it('filters applications: counts them, or refuses them without saying why', async () => {
    const off = { refusedHere: 'off', openOrder: 'off', sameDevice: 'off', sameAccount: 'off' }
    const first = next()
    expect((await send(kit, first)).code).toBe(0)
    await must(ask('filterSave', 'M1', { ...off, openOrder: 'count', sameDevice: 'refuse' }))
    const again = await send(kit, { ...first, thirdOrderNo: 'filter-1' })
    expect(again.code).toBe(0)
    const other = next()
    const onDevice = { ...other, device: { ...other.device, deviceId: first.device.deviceId } }
    expect(await send(kit, onDevice)).toMatchObject({
      code: 41001,
      msg: 'The application does not meet the conditions of the merchant',
    })
    await must(ask('filterSave', 'M1', { ...off, sameAccount: 'refuse' }))
    const account = { ...next(), payout: { ...first.payout } }
    expect((await send(kit, account)).code).toBe(41001)
    await kit.db.withTx(async tx => {
      await tx.exec(
        sql`update loan_order set status_time = ${tx.now}, order_status = case when set_config('app.transition', 'on', true) = 'on' then 'machine_refused' end where order_no = ${again.data.orderNo}`,
      )
    })
    await must(ask('filterSave', 'M1', { ...off, refusedHere: 'refuse', refusedHereDays: 30 }))
    expect((await send(kit, { ...first, thirdOrderNo: 'filter-2' })).code).toBe(41001)
    expect((await ask('filterSave', 'M1', { ...off, refusedHere: 'refuse' })).code).toBe(40001)
    await must(ask('filterSave', 'M1', off))
    const { list } = (await kit.call(merchant.filters, { merchantNo: 'M1' }, { as: boss })).data
    expect(list.find(({ filter }) => filter === 'openOrder')).toMatchObject({ counted: 1, yesterday: 0 })
  })

  it('takes the code of each setting', async () => {
    const only = (code: string) => kit.person({ perms: ['org:merchant:page', code] })
    const filter = { refusedHere: 'off', openOrder: 'off', sameDevice: 'off', sameAccount: 'off' }
    expect((await ask('filterSave', 'M1', filter, await only('org:merchant:update'))).code).toBe(40301)
    expect((await ask('conditionSave', 'M1', { noOverdue: false }, await only('org:filter'))).code).toBe(40301)
    expect(
      (await ask('traffic', 'M1', { trafficLimit: -1, registerAllowed: true }, await only('org:filter'))).code,
    ).toBe(40301)
    expect((await ask('drain', 'M1', { drain: true }, await only('org:merchant:update'))).code).toBe(40301)
  })
})

describe('the tree', () => {
  const tree = async (as = boss) => (await kit.call(merchant.tree, {}, { as })).data.list

  it('has companies, their organizations, and the merchants of these', async () => {
    const [company] = await tree()
    expect(company).toMatchObject({ companyCode: 'C1', companyName: 'Nile Credit' })
    expect(company?.childList.map(({ orgName }) => orgName)).toEqual(['Nile Credit', 'Gulu', 'Kampala'])
    const gulu = company?.childList.find(({ orgName }) => orgName === 'Gulu')
    expect(gulu?.childSet).toMatchObject([{ merchantNo: 'M2' }])
    const own = await tree(brand)
    expect(
      own.flatMap(({ childList }) => childList.flatMap(({ childSet }) => childSet.map(one => one.merchantNo))),
    ).toEqual(['M1'])
  })

  it('grows by companies and organizations, each once', async () => {
    const as = { as: boss, language: 'en' } as const
    expect((await kit.call(merchant.companyAdd, { companyCode: 'KASA', companyName: 'Kasa Credit' }, as)).code).toBe(0)
    expect(refusedAt(await kit.call(merchant.companyAdd, { companyCode: 'kasa', companyName: 'Other' }, as))).toEqual([
      'companyCode',
    ])
    expect(
      refusedAt(await kit.call(merchant.companyAdd, { companyCode: 'KASA2', companyName: 'kasa credit' }, as)),
    ).toEqual(['companyName'])
    expect((await kit.call(merchant.companyAdd, { companyCode: 'K', companyName: 'K' }, as)).code).toBe(40001)
    const given = { companyCode: 'KASA', orgName: 'Jinja', orgType: 'partner' } as const
    const { orgNo } = (await kit.call(merchant.organizationAdd, given, as)).data
    expect(refusedAt(await kit.call(merchant.organizationAdd, { ...given, orgName: 'JINJA' }, as))).toEqual(['orgName'])
    expect(refusedAt(await kit.call(merchant.organizationAdd, { ...given, parentOrgNo: 'O1' }, as))).toEqual([
      'parentOrgNo',
    ])
    expect(
      (await kit.call(merchant.organizationUpdate, { orgNo, version: 0, orgName: 'Jinja East', orgType: 'lender' }, as))
        .code,
    ).toBe(0)
    expect(
      (await kit.call(merchant.organizationUpdate, { orgNo, version: 0, orgName: 'Jinja', orgType: 'lender' }, as))
        .code,
    ).toBe(40902)
    expect((await kit.call(merchant.organizationAdd, given, { as: brand })).code).toBe(40301)
    const kasa = (await tree()).find(({ companyCode }) => companyCode === 'KASA')
    expect(kasa?.childList).toMatchObject([{ orgName: 'Jinja East', orgType: 'lender', childSet: [] }])
  })
})

describe('the config list of merchants', () => {
  it('is declared with a code of its own for new ones, and a second person for on and off', () => {
    expect(merchants.events.create.perm).toBe('org:merchant:add')
    expect(merchants.checked).toBe('state')
  })
})

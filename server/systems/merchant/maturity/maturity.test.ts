import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { addDays } from '../../../../core/rules/time.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { businessConfigModule } from '../../common/business-config.ts'
import { byRule, dueRule } from './due-days.ts'
import { maturityModule } from './maturity.ts'
import { writeMaturityForAll } from './seed.ts'

type Values = Record<string, unknown>
type Answer = { code: number; msg: string; data: Values & { list: Values[] } }
const { maturity, businessConfig, common } = contract
const module_ = maturityModule()
const holidays = businessConfigModule()
const own = ['page', 'save', 'enable', 'delete', 'holiday'].map(action => `merchant:maturity:${action}`)
const checks = ['merchant:maturity:save:check', 'merchant:maturity:holiday:check']
const terms = { dueShift: 'none', reminderPlan: [], extensionFromDay: -2, extensionToDay: 3 }
const moved = { ...terms, dueShift: 'next_working_day' }

let kit: Kit
let maker: Person
let checker: Person
let maturityNo: string

const ask = async (endpoint: unknown, input: Values, as = maker) =>
  (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as Answer
const versions = async () => (await ask(maturity.versions, { maturityNo })).data.list
const newest = async () => (await versions())[0] as Values
const tick = () => kit.db.withTx(async tx => module_.scheduled?.[0]?.run(tx, { date: tx.today }))
const approve = (approvalNo: unknown, as = checker) => ask(common.approve, { approvalNo, version: 0 }, as)
const draft = async (content: Values) => {
  const { data } = await ask(maturity.versionSave, { maturityNo, ...content })
  return data as unknown as { versionNo: string; version: number }
}
const submit = async (of: Values, effectiveTime?: string) =>
  ask(maturity.versionSubmit, { ...of, reason: 'As agreed', ...(effectiveTime ? { effectiveTime } : {}) })
const inDays = (days: number) => new Date(kit.clock.now().getTime() + days * 86_400_000).toISOString()
const pass = async (days: number) => {
  kit.clock.advance(days * 86_400_000)
  await kit.db.withTx(tx => tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`))
}
const statuses = async () => (await versions()).map(row => row.versionStatus)

beforeAll(async () => {
  kit = await openKit({
    modules: [module_, holidays, approvalModule([...(module_.approvals ?? []), ...(holidays.approvals ?? [])])],
  })
  maker = await kit.person({ perms: own, name: 'Maker' })
  checker = await kit.person({ perms: [...own, ...checks], name: 'Checker' })
  const saved = await ask(maturity.save, terms)
  expect(saved, saved.msg).toMatchObject({ code: 0 })
  maturityNo = String(saved.data.key)
  expect((await ask(maturity.state, { maturityNo, enabled: true, version: 0 })).code).toBe(0)
})
afterAll(() => kit.close())

describe('dated versions', () => {
  it('begin with the draft of a new item, which a second person puts in force', async () => {
    const [first] = await versions()
    expect(first).toMatchObject({ versionStatus: 'draft', content: terms, makerName: 'Maker' })
    const asked = await submit({ versionNo: first?.versionNo, version: first?.version })
    expect(asked, asked.msg).toMatchObject({ code: 0 })
    expect((await ask(maturity.detail, { maturityNo })).data).toMatchObject({
      pendingApproval: 'Maker',
      nextStatus: 'pending',
      dueShift: null,
    })
    expect((await approve(asked.data.approvalNo, maker)).code).toBe(40301)
    expect((await approve(asked.data.approvalNo)).data).toMatchObject({ approvalStatus: 'executed' })
    expect((await ask(maturity.detail, { maturityNo })).data).toMatchObject({ dueShift: 'none', nextStatus: null })
    const { list } = (await ask(maturity.history, { maturityNo })).data
    expect(list[0]).toMatchObject({ event: 'version.effective', changedBy: 'Maker' })
  })

  it('are one draft, waiting or rejected at a time; a rejected one is changed and asked for again', async () => {
    const first = await draft(moved)
    expect((await ask(maturity.versionSave, { maturityNo, ...terms })).code).toBe(40901)
    const asked = await submit(first, inDays(1))
    expect((await ask(maturity.versionSave, { maturityNo, ...first, ...terms })).code).toBe(40901)
    await ask(common.reject, { approvalNo: asked.data.approvalNo, version: 0, reason: 'Too soon' }, checker)
    expect(await newest()).toMatchObject({ versionStatus: 'rejected' })
    const { versionNo, version } = await newest()
    expect((await ask(maturity.versionSave, { maturityNo, versionNo, version, ...moved })).code).toBe(0)
    const again = await submit({ versionNo, version: Number(version) + 1 }, inDays(1))
    await ask(common.withdraw, { approvalNo: again.data.approvalNo, version: 0 })
    expect(await newest()).toMatchObject({ versionStatus: 'draft' })
  })

  it('wait for their time, and then replace the one in force at that moment', async () => {
    const { versionNo, version } = await newest()
    const at = inDays(1)
    const asked = await submit({ versionNo, version }, at)
    await approve(asked.data.approvalNo)
    expect(await statuses()).toEqual(['scheduled', 'effective'])
    expect(await tick()).toMatchObject({ started: 0 })
    await pass(1.01)
    expect(await tick()).toMatchObject({ started: 1 })
    const [now, old] = await versions()
    expect(now).toMatchObject({ versionStatus: 'effective', effectiveTime: at })
    expect(old).toMatchObject({ versionStatus: 'superseded', supersededTime: at })
    expect(await tick()).toEqual({ started: 0, failed: 0, left: 0 })
  })

  it('stay scheduled with a warning while a check fails, and start once it holds', async () => {
    const first = await draft({ ...moved, extensionToDay: 9 })
    await approve((await submit(first, inDays(1))).data.approvalNo)
    await kit.db.withTx(tx =>
      tx.exec(
        sql`update product set terms = jsonb_set(jsonb_set(terms, '{extension,maxOverdueDays}', '5'), '{extension,max}', '1')`,
      ),
    )
    await pass(1.01)
    expect(await tick()).toMatchObject({ failed: 1 })
    await tick()
    expect(await newest()).toMatchObject({ versionStatus: 'scheduled', startFault: expect.stringContaining('"max":5') })
    const found = await kit.db.read(async tx => module_.warnings?.[0]?.find(tx, {} as never))
    expect(found).toMatchObject([{ key: first.versionNo }])
    await kit.db.withTx(tx =>
      tx.exec(sql`update product set terms = jsonb_set(terms, '{extension,maxOverdueDays}', '30')`),
    )
    expect(await tick()).toMatchObject({ started: 1 })
    expect(await newest()).toMatchObject({ versionStatus: 'effective', startFault: null })
  })

  it('are cancelled by somebody else than their maker, and keep the one in force', async () => {
    const first = await draft(terms)
    await approve((await submit(first, inDays(2))).data.approvalNo)
    const { versionNo, version } = await newest()
    const input = { versionNo, version, reason: 'Not needed' }
    expect((await ask(maturity.versionCancel, input)).code).toBe(40301)
    expect((await ask(maturity.versionCancel, input, checker)).code).toBe(0)
    expect((await statuses())[0]).toBe('effective')
    expect(await statuses()).toContain('withdrawn')
  })

  it('refuse a start in the past, and an extension beyond the product', async () => {
    const first = await draft({ ...moved, extensionToDay: 30 })
    expect(await submit(first, inDays(-1))).toMatchObject({
      code: 40001,
      data: { fields: [{ path: 'effectiveTime' }] },
    })
    await kit.db.withTx(tx =>
      tx.exec(sql`update product set terms = jsonb_set(terms, '{extension,maxOverdueDays}', '5')`),
    )
    expect((await submit(first)).code).toBe(40001)
  })

  it('are two in force at one moment by no way', async () => {
    const copy = (status: string) =>
      kit.db.withTx(tx =>
        tx.exec(sql`insert into maturity_config_version (version_no, version_status, maturity_no, content, effective_time, maker_no, maker_name, created_time)
          values ('MV-X', ${status}, ${maturityNo}, '{}', ${tx.now}, 'U1', 'X', ${tx.now})`),
      )
    await expect(copy('effective')).rejects.toThrow('maturity_config_version_in_force')
  })

  it('never change what was agreed to', async () => {
    const spoil = () =>
      kit.db.withTx(tx =>
        tx.exec(sql`update maturity_config_version set content = '{}' where version_status = 'effective'`),
      )
    await expect(spoil()).rejects.toThrow('never changed')
  })
})

describe('due dates', () => {
  const holiday = (date: string) => ({ date, name: { zh: '节日', en: 'Feast', sw: 'Sikukuu' }, closed: true })
  const put = async (value: unknown[], version: number) =>
    ask(businessConfig.update, { configKey: 'PUBLIC_HOLIDAYS', version, value })

  it('merchant 11: move to the next day that is neither a Sunday nor a holiday, once a second person has agreed to it', async () => {
    const { today } = await kit.db.read(async tx => ({ today: tx.today }))
    const monday = Array.from({ length: 7 }, (_, n) => addDays(today, 7 + n)).find(
      day => new Date(day).getUTCDay() === 1,
    ) as string
    const asked = await put([holiday(monday)], 0)
    expect(asked, asked.msg).toMatchObject({ code: 0 })
    const due = () =>
      kit.db.read(async tx => byRule(await dueRule(tx, { merchantNo: 'M1', productNo: 'P1' }))(addDays(monday, -1)))
    expect(await due()).toBe(monday)
    expect((await put([], 0)).code).toBe(40901)
    expect((await approve(asked.data.approvalNo)).data).toMatchObject({ approvalStatus: 'executed' })
    expect(await due()).toBe(addDays(monday, 1))
    const read = await ask(businessConfig.get, { configKey: 'PUBLIC_HOLIDAYS' })
    expect(read.data).toMatchObject({ version: 1, updatedBy: 'Maker', value: [holiday(monday)] })
  })

  it('leave holidays that have passed, and take a day once', async () => {
    const { data } = await ask(businessConfig.get, { configKey: 'PUBLIC_HOLIDAYS' })
    const value = data.value as { date: string }[]
    expect((await put([...value, holiday('2020-01-01')], 1)).code).toBe(40001)
    expect((await put([...value, ...value], 1)).code).toBe(40001)
  })
})

it('computes with a product within the reach of the reader, and says of another what it says of none', async () => {
  const others = await kit.person({ perms: own, limit: 'own_merchants', merchants: ['M2'] })
  const of = (productNo: string, as?: Person) =>
    ask(maturity.preview, { draft: terms, payoutDate: '2026-03-02', productNo }, as)
  expect((await of('P1')).code).toBe(0)
  const [foreign, none] = [await of('P1', others), await of('P0', others)]
  expect(foreign.code).toBe(40401)
  expect(foreign.msg).toBe(none.msg)
})

it('asks a second person in words, of the rows of a small table too', async () => {
  const first = await newest()
  const reminders = { ...terms, reminderPlan: [{ dayOffset: -2, time: '09:00', nodeCode: 'bill.dueIn2' }] }
  const { versionNo, version } = first
  const saved = await ask(maturity.versionSave, { maturityNo, versionNo, version, ...reminders, extensionToDay: 3 })
  expect(saved, saved.msg).toMatchObject({ code: 0 })
  const asked = await submit(saved.data)
  const { list } = (await ask(common.approvals, { objectNo: maturityNo, approvalStatus: ['pending'] }, checker)).data
  expect(list[0]?.summary).toContainEqual({
    label: 'Reminders',
    before: null,
    after: '-2 · 09:00 · Instalment due soon',
  })
  await ask(common.withdraw, { approvalNo: asked.data.approvalNo, version: 0 })
})

it('lists what is in force and what comes next, and filters by it', async () => {
  const of = async (filters: Values) => (await ask(maturity.page, { ...filters })).data.list.map(row => row.maturityNo)
  expect(await of({ dueShift: ['next_working_day'] })).toEqual([maturityNo])
  expect(await of({ dueShift: ['none'] })).toEqual([])
  expect(await of({ nextStatus: ['draft'] })).toEqual([maturityNo])
  const { today } = await kit.db.read(async tx => ({ today: tx.today }))
  const { list } = (await ask(maturity.load, { from: today, to: addDays(today, 59) })).data
  expect(list).toHaveLength(60)
})

it('merchant 13: lets headquarters alone change what is for all merchants', async () => {
  const others = await kit.person({ perms: own })
  await kit.db.withTx(tx =>
    tx.exec(
      sql`update role set role_nature = 'merchant' where role_no in (select role_no from user_role where user_no = ${others.userNo})`,
    ),
  )
  const { version } = (await ask(maturity.detail, { maturityNo })).data
  expect((await ask(maturity.state, { maturityNo, enabled: false, version }, others)).code).toBe(40301)
  expect((await ask(maturity.save, { ...terms }, others)).code).toBe(40301)
})

it('is written for all merchants once, and that row is neither disabled nor deleted', async () => {
  const rows = async () => (await ask(maturity.page, {})).data.list.filter(row => row.merchantNo === null)
  await kit.db.withTx(writeMaturityForAll)
  expect(await rows()).toHaveLength(1)
  const stays = { reason: 'errors.allStays', params: {} }
  expect((await rows())[0]?.blockedBy).toMatchObject({ 'maturity.state': stays, 'maturity.delete': stays })
  const { version } = (await ask(maturity.detail, { maturityNo })).data
  expect((await ask(maturity.state, { maturityNo, enabled: false, version })).code).toBe(40901)
  const fresh = await openKit({ modules: [module_] })
  try {
    await fresh.db.withTx(writeMaturityForAll)
    const held = await fresh.db.read(async tx => dueRule(tx, { merchantNo: 'M1', productNo: 'P1' }))
    expect(held).toEqual({ shift: 'none', closed: [] })
    const made = await fresh.db.read(tx =>
      tx.rows(sql`select 1 from maturity_config x join maturity_config_version v using (maturity_no)
        where x.enabled = 'enabled' and x.merchant_no is null and v.version_status = 'effective'`),
    )
    expect(made).toHaveLength(1)
  } finally {
    await fresh.close()
  }
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { approvalModule } from '../../../approval/approval.ts'
import type { Worker } from '../../../jobs/queue.ts'
import { silentLog } from '../../../log.ts'
import type { StepHandler } from '../../../module.ts'
import { jobsOf } from '../../../run.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { observed, ruleAt, setAt } from '../rule-set/rule-fixture.ts'
import { ruleSetModule } from '../rule-set/rule-set.ts'
import { writeBaseRules } from '../rule-set/seed.ts'
import { endLost } from './job.ts'
import { pastOrders } from './past-fixture.ts'
import { ruleTestModule } from './rule-test.ts'

type Values = Record<string, unknown>
type Answer = { code: number; msg: string; data: Values & { list: Values[] } }
const { ruleSet, ruleTest, common } = contract
const past = 260
const chunkOrders = 60

const rules = ruleSetModule()
const tests = ruleTestModule({ chunkOrders })
let kit: Kit
let worker: Worker
let analyst: Person
let checker: Person
let named = 0

const ask = async (endpoint: unknown, input: Values, as = analyst) =>
  (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as Answer
const must = async (endpoint: unknown, input: Values, as = analyst) => {
  const answer = await ask(endpoint, input, as)
  expect(answer, answer.msg).toMatchObject({ code: 0 })
  return answer.data
}
const rooted = { ruleNo: 'ROOT', expression: 'device.rooted', ruleAction: 'refuse', refuseCode: 'MR_DEVICE' } as const
/** A draft of a new set with one rule. */
const drafted = async (change: Parameters<typeof ruleAt>[0] = { ...rooted, ruleMode: 'enforce' }) => {
  const no = String((await must(ruleSet.save, setAt(`Tested ${++named}`, { rules: ruleAt(change) }))).key)
  const [draft] = (await must(ruleSet.versions, { ruleSetNo: no })).list
  return { ruleSetNo: no, versionNo: String(draft?.versionNo), version: Number(draft?.version) }
}
const asked = { sampleFrom: '2026-02-20', sampleTo: '2026-03-10', sampleMost: 250, seed: 7 }
const begun = async (versionNo: string, change: Values = {}) =>
  String((await must(ruleTest.run, { versionNo, ...asked, ...change })).testNo)
const detailOf = async (testNo: string) =>
  (await must(ruleTest.detail, { testNo })) as unknown as {
    run: Values & { testStatus: string; doneCount: number; sampleCount: number; swapOut: number; version: number }
    matrix: { oldDecision: string; newDecision: string; count: number; knownCount: number; badRate: string | null }[]
    testedRules: Values[]
    manyUnknown: boolean
  }
const tested = async (versionNo: string, change: Values = {}) => {
  const testNo = await begun(versionNo, change)
  await worker.drain()
  return { testNo, ...(await detailOf(testNo)) }
}
const resultOf = (testNo: string) =>
  kit.db.read(tx =>
    tx.one(sql<{ result: unknown; rows: unknown }>`
      select result, (select jsonb_agg(jsonb_build_array(order_no, new_decision, new_hits) order by order_no) from risk_test_row where test_no = r.test_no) as rows
      from risk_test_run r where test_no = ${testNo}`),
  )
/** One part of a test, as a process that may die does it. */
const step = (testNo: string, dies = false) =>
  kit.db
    .withTx(async tx => {
      const [handler] = tests.queues as StepHandler[]
      await handler?.step(tx, { jobKey: '', payload: { testNo } })
      if (dies) throw new Error('killed')
    })
    .catch(error => expect(String(error)).toContain('killed'))

const signIn = async () => {
  analyst = await kit.person({
    perms: ['risk:ruleSet:page', 'risk:ruleSet:save', 'risk:ruleSet:test', 'risk:decision:page'],
    name: 'Analyst',
  })
  checker = await kit.person({ perms: ['risk:ruleSet:page', 'risk:ruleSet:save:check'], name: 'Head' })
}

beforeAll(async () => {
  const modules = [rules, tests, approvalModule([...(rules.approvals ?? [])])]
  kit = await openKit({ handmade: true, modules })
  worker = jobsOf({ db: kit.db, log: silentLog, modules }).worker
  await kit.db.withTx(writeBaseRules)
  await kit.db.withTx(tx => pastOrders(tx, past))
  await signIn()
})
afterAll(() => kit.close())

it('decides past orders again by what was known of them then, and counts each of them once', async () => {
  const { versionNo } = await drafted()
  const { run, matrix, testedRules, testNo } = await tested(versionNo)
  expect(run).toMatchObject({ testStatus: 'done', sampleCount: 250, doneCount: 250, swapIn: 0, unknownFactCount: 0 })
  expect(matrix.reduce((sum, cell) => sum + cell.count, 0)).toBe(250)
  const newly = matrix.filter(cell => cell.oldDecision !== 'refuse' && cell.newDecision === 'refuse')
  expect(run.swapOut).toBe(newly.reduce((sum, cell) => sum + cell.count, 0))
  expect(run.swapOut).toBeGreaterThan(20)
  expect(newly.every(cell => cell.knownCount === cell.count && Number(cell.badRate) > 0)).toBe(true)
  // What was refused then has no outcome, and none is guessed.
  expect(matrix.find(cell => cell.oldDecision === 'refuse')).toMatchObject({ knownCount: 0, badRate: null })
  expect(testedRules).toMatchObject([{ ruleNo: 'ROOT', hitsBefore: 0 }])
  expect(Number(testedRules[0]?.hitsAfter)).toBeGreaterThanOrEqual(run.swapOut)
  const changed = await must(ruleTest.orders, { testNo, pageSize: 100 })
  expect(changed.list).toHaveLength(run.swapOut)
  expect(changed.list[0]).toMatchObject({
    newDecision: 'refuse',
    newCode: 'MR_DEVICE',
    newHits: 'ROOT',
    goneHits: null,
  })
})

it('risk 6: comes to the same with the same seed, and changes nothing where the version is the one in force', async () => {
  const { versionNo } = await drafted()
  const [one, two] = [await tested(versionNo, { sampleMost: 100 }), await tested(versionNo, { sampleMost: 100 })]
  expect(await resultOf(two.testNo)).toEqual(await resultOf(one.testNo))
  const other = await tested(versionNo, { sampleMost: 100, seed: 8 })
  expect(await resultOf(other.testNo)).not.toEqual(await resultOf(one.testNo))
  for (const no of ['ADMISSION', 'FRAUD', 'HISTORY'])
    expect((await tested(`RV-${no}-1`)).run).toMatchObject({ changedCount: 0, swapIn: 0, swapOut: 0, doneCount: 250 })
})

it('goes on after a kill where the last part was committed', async () => {
  const { versionNo } = await drafted()
  const whole = await tested(versionNo)
  const testNo = await begun(versionNo)
  for (let parts = 0; parts < 3; parts++) await step(testNo)
  await step(testNo, true)
  expect(await detailOf(testNo)).toMatchObject({ run: { testStatus: 'running', doneCount: 2 * chunkOrders } })
  await worker.drain()
  expect(await detailOf(testNo)).toMatchObject({ run: { testStatus: 'done', doneCount: 250 } })
  expect(await resultOf(testNo)).toEqual(await resultOf(whole.testNo))
})

it('is cancelled while it waits or runs, and not once it is over', async () => {
  const { versionNo } = await drafted()
  const testNo = await begun(versionNo)
  await step(testNo)
  await step(testNo)
  await must(ruleTest.cancel, { testNo })
  await worker.drain()
  expect(await detailOf(testNo)).toMatchObject({ run: { testStatus: 'cancelled', doneCount: chunkOrders } })
  expect(await ask(ruleTest.cancel, { testNo })).toMatchObject({ code: 40901, data: { status: 'cancelled' } })
  const { n } = await kit.db.read(tx => tx.one(sql<{ n: number }>`select count(*)::int as n from risk_test_sample`))
  expect(n).toBe(0)
  await must(ruleTest.cancel, { testNo: await begun(versionNo) })
  await worker.drain()
})

it('fails where its job was given up, and goes on when it is asked to', async () => {
  const { versionNo } = await drafted()
  const testNo = await begun(versionNo)
  await step(testNo)
  await step(testNo)
  await kit.db.withTx(tx => tx.exec(sql`update job set state = 'dead' where payload ->> 'testNo' = ${testNo}`))
  await kit.db.withTx(tx => endLost.run(tx, { date: tx.today }))
  const { run } = await detailOf(testNo)
  expect(run).toMatchObject({ testStatus: 'failed', doneCount: chunkOrders })
  await must(ruleTest.retry, { testNo, version: run.version })
  await worker.drain()
  expect(await detailOf(testNo)).toMatchObject({ run: { testStatus: 'done', doneCount: 250 } })
})

it('counts orders whose snapshot lacks a fact that the version asks for', async () => {
  const { versionNo } = await drafted({ ruleNo: 'SHARED', expression: 'wallet.sharedByCustomers > 2' })
  const found = await tested(versionNo)
  expect(found).toMatchObject({ manyUnknown: true, run: { unknownFactCount: 250, changedCount: 0 } })
  expect(found.testedRules).toMatchObject([{ ruleNo: 'SHARED', hitsAfter: 0, unknownAfter: 250 }])
  // A fact that was known to be missing then is not lacking.
  const { versionNo: other } = await drafted({ ruleNo: 'SETTLED', expression: 'history.daysSinceSettled > 2' })
  expect(await tested(other)).toMatchObject({ manyUnknown: false, run: { unknownFactCount: 0 } })
})

it('tests what the draft held when it was asked for, and of the period, product and kind that were chosen', async () => {
  const { ruleSetNo, versionNo, version } = await drafted()
  const testNo = await begun(versionNo, { loanKinds: ['first'] })
  const changed = observed({ rules: ruleAt({ ...rooted, ruleMode: 'shadow' }) })
  await must(ruleSet.versionSave, { ruleSetNo, versionNo, version, ...changed })
  await worker.drain()
  const { run } = await detailOf(testNo)
  expect(run).toMatchObject({ testStatus: 'done', sampleCount: past / 2 })
  expect(run.swapOut).toBeGreaterThan(0)
  expect((await tested(versionNo, { sampleFrom: '2026-01-01', sampleTo: '2026-01-31' })).run).toMatchObject({
    testStatus: 'done',
    sampleCount: 0,
  })
})

it('is not seen by people of some merchants, and not run without the right', async () => {
  const { versionNo } = await drafted()
  const { testNo } = await tested(versionNo, { sampleMost: 10 })
  const perms = ['risk:ruleSet:page', 'risk:ruleSet:test', 'risk:decision:page']
  const foreign = await kit.person({ perms, limit: 'own_merchants', merchants: ['M2'], name: 'Foreign' })
  for (const list of [ruleTest.page, ruleTest.orders]) expect((await must(list, {}, foreign)).list).toEqual([])
  for (const [call, input] of [
    [ruleTest.detail, { testNo }],
    [ruleTest.cancel, { testNo }],
    [ruleTest.run, { versionNo, ...asked }],
  ] as const)
    expect((await ask(call, input, foreign)).code).toBe(40401)
  expect((await ask(ruleTest.run, { versionNo, ...asked }, checker)).code).toBe(40301)
  expect(await must(ruleTest.detail, { testNo }, checker)).toMatchObject({ run: { testNo } })
})

it('lets three run at a time', async () => {
  const { versionNo } = await drafted()
  for (let n = 0; n < 3; n++) await begun(versionNo)
  expect(await ask(ruleTest.run, { versionNo, ...asked })).toMatchObject({ code: 41001 })
  await worker.drain()
})

it('risk 7: lets nobody be refused by a rule that only looks on, keeps all its hits, and shows what it would have done', async () => {
  const { ruleSetNo, versionNo, version } = await drafted({ ...rooted, ruleMode: 'shadow' })
  await tested(versionNo)
  const { approvalNo } = await must(ruleSet.versionSubmit, { versionNo, version, reason: 'Look on' })
  await must(common.approve, { approvalNo, version: 0 }, checker)
  await kit.db.withTx(tx => pastOrders(tx, 500, { prefix: 'SH' }))
  const found = await kit.db.read(tx =>
    tx.one(sql<{ hits: number; acting: number; refused: number }>`
      select count(*)::int as hits, count(*) filter (where h.acts)::int as acting, count(*) filter (where d.refuse_code = 'MR_DEVICE')::int as refused
      from risk_decision_hit h join risk_decision d using (decision_no) where h.rule_set_no = ${ruleSetNo} and d.order_no like 'SH%'`),
  )
  expect(found).toEqual({ hits: 100, acting: 0, refused: 0 })
  const enforce = observed({ rules: ruleAt({ ...rooted, ruleMode: 'enforce' }) })
  await must(ruleSet.versionSave, { ruleSetNo, ...enforce })
  const [draft] = (await must(ruleSet.versions, { ruleSetNo })).list
  const { run, testedRules } = await tested(String(draft?.versionNo), { sampleMost: 1_000 })
  expect(run.swapOut).toBeGreaterThan(30)
  expect(testedRules).toMatchObject([{ ruleNo: 'ROOT', hitsBefore: 100 }])
})

it('risk 5: lets a draft be submitted with a test of exactly what it holds, of enough orders and not older than a week', async () => {
  const { ruleSetNo, versionNo } = await drafted()
  const draft = async () => {
    const [{ version } = {}] = (await must(ruleSet.versions, { ruleSetNo })).list
    return { versionNo, version: Number(version) }
  }
  const submit = async () => ask(ruleSet.versionSubmit, { ...(await draft()), reason: 'As tested' })
  expect((await submit()).msg).toContain('tested on 200 past orders')
  await tested(versionNo, { sampleMost: 150 })
  expect((await submit()).code).toBe(40901)
  await tested(versionNo)
  const effect = await must(ruleSet.effect, { versionNo })
  expect(effect).toMatchObject({ changedRules: 1, sampleCount: 250, newlyPassed: 0 })
  expect(Number(effect.badRefused)).toBeGreaterThan(0)
  // Another content was not tested, though nothing in it refuses.
  const save = async (rules: unknown) =>
    must(ruleSet.versionSave, { ruleSetNo, ...(await draft()), ...observed({ rules }) })
  await save(ruleAt({ ...rooted, ruleMode: 'shadow' }))
  expect((await submit()).msg).toContain('Test exactly this content on at least 200 past orders')
  await save(ruleAt({ ...rooted, ruleMode: 'enforce' }))
  kit.clock.advance(8 * 86_400_000)
  await signIn()
  expect((await submit()).code).toBe(40901)
  await tested(versionNo)
  const { approvalNo } = (await submit()).data
  await must(common.approve, { approvalNo, version: 0 }, checker)
  expect(await must(ruleSet.detail, { ruleSetNo })).toMatchObject({ enforcedCount: 1 })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { codes } from '../../../../core/contract/codes.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { wipe } from '../../../testing/wipe.ts'
import { handledBy, type WarningRule } from '../../../warnings/rule.ts'
import { payoutWarnings } from '../../after-loan/payout/payout-warnings.ts'
import { reconWarnings } from '../../after-loan/reconciliation/recon-warnings.ts'
import { allotWarnings } from '../../audit/allotment/allot-warnings.ts'
import { incompleteWarning } from '../../audit/machine-review/incomplete.ts'
import { maturityModule } from '../../merchant/maturity/maturity.ts'
import { merchantWarnings } from '../../merchant/merchant-config/warnings.ts'
import { costDoubled } from '../../operation/launch/source.ts'
import { vendorBalanceLow } from '../../operation/message-center/balance.ts'
import { airtimeUnknown } from '../../operation/phone-bill/warning.ts'
import { pricingModule } from '../../risk/pricing/pricing.ts'
import { riskModelModule } from '../../risk/risk-model/risk-model.ts'
import { ruleSetModule } from '../../risk/rule-set/rule-set.ts'
import { accountWarnings } from '../../user/account/account-warnings.ts'
import { homeModule } from '../home/home.ts'
import { messageModule } from '../message/message.ts'
import { platformWarnings } from './platform-warnings.ts'
import { runRules, warningModule } from './warning.ts'

const { warning, message, home } = contract
const every: readonly WarningRule[] = [
  ...payoutWarnings,
  ...reconWarnings,
  ...allotWarnings,
  ...accountWarnings,
  ...platformWarnings,
  ...(maturityModule().warnings ?? []),
  ...(pricingModule().warnings ?? []),
  ...(riskModelModule({ secretKey: Buffer.alloc(32), score: undefined } as never).warnings ?? []),
  ...(ruleSetModule().warnings ?? []),
  incompleteWarning,
  costDoubled,
  airtimeUnknown,
  vendorBalanceLow,
  ...merchantWarnings,
]
/** What a rule of the tests finds, by merchant: how many. */
const causes = new Map<string, number>()
const rules: WarningRule[] = [
  {
    type: 'audit_waiting',
    level: 'critical',
    find: async () =>
      [...causes].map(([merchantNo, n]) => ({
        key: merchantNo,
        merchantNo,
        objectType: 'order',
        affected: [
          {
            objectNo: `LO-${merchantNo}`,
            route: `/AdminContent/OrderDetailAudit/OrderDetail?orderNo=LO-${merchantNo}`,
          },
        ],
        facts: { n, minutes: 30 },
      })),
  },
  ...platformWarnings,
  ...accountWarnings,
]
let kit: Kit
let lead: Person
let local: Person
let other: Person

beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [warningModule(rules), messageModule(), homeModule()] })
  lead = await kit.person({ perms: ['audit:order:allot', 'ops:job:run', 'log:audit:page'], limit: 'all', name: 'Lead' })
  local = await kit.person({ perms: ['audit:order:allot', 'ops:job:run'], limit: 'own_merchants', merchants: ['M2'] })
  other = await kit.person({ perms: ['audit:self:page'], limit: 'all' })
})
beforeEach(async () => {
  causes.clear()
  await kit.db.withTx(tx => wipe(tx, 'warning', 'warningOccurrence', 'staffMessage', 'jobRun', 'accessLog'))
})
afterAll(() => kit.close())

const run = () => kit.db.withTx(tx => runRules(tx, rules))
const rows = async (as = lead, input = {}) => (await kit.call(warning.page, input, { as, language: 'en' })).data.list
const ack = (as: Person, ...warningNos: string[]) => kit.call(warning.ack, { warningNos }, { as, language: 'en' })
const minutes = async (n: number) => {
  kit.clock.advance(n * 60_000)
  await kit.db.withTx(tx => tx.exec(sql`update session set last_seen_time = ${tx.now}, created_time = ${tx.now}`))
}

it('is raised once while its cause lasts, comes again with other numbers, and ends by itself', async () => {
  causes.set('M1', 2)
  expect(await run()).toEqual({ opened: 1, repeated: 0, resolved: 0 })
  expect(await run()).toEqual({ opened: 0, repeated: 0, resolved: 0 })
  await minutes(5)
  causes.set('M1', 3)
  expect(await run()).toEqual({ opened: 0, repeated: 1, resolved: 0 })
  const [row] = await rows()
  expect(row).toMatchObject({
    title: '3 orders waiting for over 30 minutes',
    occurCount: 2,
    ageMinutes: 5,
    warningStatus: 'open',
    merchantName: 'Boda Cash',
    objectNo: 'LO-M1',
  })
  const { list } = (await kit.call(warning.occurrences, { warningNo: row!.warningNo }, { as: lead, language: 'en' }))
    .data
  expect(list.map(one => one.content.slice(0, 8))).toEqual(['3 orders', '2 orders'])
  causes.clear()
  expect(await run()).toEqual({ opened: 0, repeated: 0, resolved: 1 })
  expect((await rows())[0]).toMatchObject({ warningStatus: 'resolved' })
  causes.set('M1', 1)
  await run()
  expect((await rows()).map(one => one.warningStatus).sort()).toEqual(['open', 'resolved'])
})

it('is seen by the holders of the permission of its type, within their data rule', async () => {
  causes.set('M1', 1).set('M2', 1)
  await kit.db.withTx(tx =>
    tx.exec(
      sql`insert into job_run (job, slot, job_status, planned_time) values ('dayRoll', '2026-03-01', 'failed', ${tx.now})`,
    ),
  )
  await run()
  expect((await rows()).length).toBe(3)
  expect((await rows(local)).map(row => row.objectNo)).toEqual(['LO-M2'])
  expect(await rows(other)).toEqual([])
  const foreign = (await rows()).find(row => row.objectNo === 'LO-M1')!.warningNo
  expect(await kit.call(warning.detail, { warningNo: foreign }, { as: local })).toMatchObject({ code: codes.notFound })
  expect((await ack(local, foreign)).data).toMatchObject({ fail: 1, rows: [{ code: codes.notFound }] })
  expect((await kit.call(warning.occurrences, {}, { as: local })).data.list.length).toBe(1)
})

it('is taken on by the first who does; the banner, the tile and the second person learn of it', async () => {
  causes.set('M2', 4)
  await run()
  const alert = async (as: Person) => (await kit.call(warning.alert, {}, { as, language: 'en' })).data
  const tile = async (as: Person) =>
    (await kit.call(home.mine, {}, { as })).data.queues.find(queue => queue.key === 'warnings')?.count
  expect(await alert(lead)).toMatchObject({
    open: 1,
    critical: { count: 1, title: '4 orders waiting for over 30 minutes' },
  })
  expect([await tile(lead), await tile(local), await tile(other)]).toEqual([1, 1, undefined])
  const { warningNo } = (await rows())[0]!
  expect((await ack(lead, warningNo)).data).toMatchObject({ ok: 1, fail: 0 })
  expect(await alert(local)).toEqual({ open: 0, critical: null })
  expect((await ack(local, warningNo)).data.rows).toMatchObject([
    { code: codes.stateConflict, msg: 'Already acknowledged by Lead' },
  ])
  expect((await rows())[0]).toMatchObject({ warningStatus: 'acknowledged', ackName: 'Lead' })
  const early = { warningNo, version: 1, remark: 'done' }
  expect(await kit.call(warning.resolve, early, { as: lead })).toMatchObject({ code: codes.stateConflict })
})

it('is said to its holders when it is critical, once an hour to each', async () => {
  causes.set('M2', 1)
  await run()
  const notes = async (as: Person) => (await kit.call(message.page, {}, { as, language: 'en' })).data.list
  const [note] = await notes(local)
  expect(note).toMatchObject({ messageType: 'warning', title: 'Critical warning: 1 order waiting for over 30 minutes' })
  expect(await notes(other)).toEqual([])
  causes.set('M1', 1)
  await run()
  expect([(await notes(local)).length, (await notes(lead)).length]).toEqual([1, 1])
  await minutes(61)
  causes.clear()
  await run()
  causes.set('M2', 1)
  await run()
  expect((await notes(local)).length).toBe(2)
})

it('that nothing ends by itself is ended with a remark, and comes back only with a newer cause', async () => {
  const reveal = (n: number) =>
    kit.db.withTx(tx =>
      tx.exec(sql`
        insert into access_log (user_no, access_kind, object_type, object_no, field, at, request_id)
        select ${other.userNo}, 'reveal', 'order', 'LO' || n, 'phone', ${tx.now}, 'test' from generate_series(1, ${n}) n`),
    )
  await reveal(60)
  await run()
  const [row] = await rows()
  expect(row).toMatchObject({ warningType: 'mass_reveal', warningLevel: 'critical', objectNo: other.userNo })
  await minutes(1)
  const end = { warningNo: row!.warningNo, version: 0, remark: 'an audit' }
  expect(await kit.call(warning.resolve, end, { as: lead })).toMatchObject({ code: 0 })
  expect(await run()).toEqual({ opened: 0, repeated: 0, resolved: 0 })
  await minutes(1)
  await reveal(1)
  expect(await run()).toEqual({ opened: 1, repeated: 0, resolved: 0 })
})

it('has a rule for every type that somebody handles, and each of them can be asked', async () => {
  expect([...new Set(every.map(rule => rule.type))].sort()).toEqual(Object.keys(handledBy).sort())
  await kit.db.withTx(tx => runRules(tx, every))
})

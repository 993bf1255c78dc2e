import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { activities, activityApp } from '../../../../core/contract/operation/activity.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { partners } from '../../../../tests/contract/server-kit.ts'
import { runInvariants } from '../../../invariants/invariants.ts'
import { system } from '../../../rights/actor.ts'
import { undone } from '../../../testing/acts.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { signedBy } from '../../../testing/partner.ts'
import { bookReceipt, enterFlow } from '../../after-loan/flow/flow-store.ts'
import { matchReturn } from '../../after-loan/payout/payout-reverse.ts'
import { templateOf } from '../coupon/coupon.facts.ts'
import { couponModule } from '../coupon/coupon.ts'
import { activityModule } from './activity.ts'
import {
  activityForm,
  awardsOf,
  drafted,
  formAt,
  given,
  held,
  quiet,
  running,
  sameDevice,
} from './activity-made.facts.ts'
import { awardQueue } from './award.ts'

const { activity, common } = contract

configSuite(activities, {
  modules: [activityModule(), couponModule()],
  fresh: () => activityForm(days => new Date(Date.parse('2026-03-02T07:00:00Z') + days * 86_400_000).toISOString()),
  changed: { awardsPerCustomer: 5 },
  differs: 'awardsPerCustomer',
})

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())
beforeEach(() => quiet(fixture))
afterEach(async () => {
  expect(await fixture.db.read(runInvariants)).toEqual([])
})

const ask = (endpoint: Parameters<Fixture['ask']>[0], input: Parameters<Fixture['ask']>[1], as = fixture.boss) =>
  fixture.ask(endpoint, input, { as })
const wrongAt = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string }[] } | null)?.fields?.map(({ path }) => path)
const rowOf = (no: string) =>
  fixture.one(sql<{ budgetSpent: string; version: number; budgetUsedTime: string | null; enabled: string }>`
    select * from activity where activity_no = ${no}`)
const balanceOf = async (customerNo: string) =>
  (
    await fixture.one(
      sql<{
        balance: string
      }>`select coalesce(-sum(balance), 0)::numeric(18,2)::text as balance from ledger_balance where account_code = ${`wallet:${customerNo}`}`,
    )
  ).balance
const signed = (endpoint: Parameters<Fixture['ask']>[0], input: object) => {
  const { secret } = partners.M1
  const headers = signedBy(JSON.stringify(input), { merchantNo: 'M1', secret })
  return fixture.ask(endpoint, input as never, { as: fixture.boss, headers })
}
const wallet = (taskKey: string, taskThreshold = 1, awardAmount = '2000.00') => [
  { taskKey, taskThreshold, awardKind: 'wallet', awardAmount },
]
const settled = async () => {
  const made = await fixture.repaid('M1', '250000.00', 'settle')
  await fixture.worker.drain()
  return made
}

it('tasks belong to the type of the activity, each once, with money or a coupon', async () => {
  const wrong = async (change: object) => wrongAt(await ask(activity.save, formAt(fixture, change)))
  expect(await wrong({ tasks: wallet('invite_on_time') })).toEqual(['tasks'])
  expect(await wrong({ tasks: [...wallet('first_loan'), ...wallet('first_loan')] })).toEqual(['tasks'])
  expect(await wrong({ tasks: wallet('first_loan', 1, '2000.50') })).toEqual(['tasks'])
  expect(await wrong({ tasks: [{ taskKey: 'first_loan', taskThreshold: 1, awardKind: 'coupon' }] })).toEqual(['tasks'])
  expect(await wrong({ endTime: formAt(fixture).startTime })).toEqual(['endTime'])
  expect(await wrong({ budgetAmount: '0.00' })).toEqual(['budgetAmount'])
  expect(await wrong({ appCodes: ['MarketLoan'] })).toEqual(['appCodes'])
})

it('is switched on by a second person where it gives money away, and at once where it gives coupons', async () => {
  const no = await drafted(fixture)
  const answer = await ask(activity.state, { activityNo: no, enabled: true, version: 0 })
  const { approvalNo } = answer.data as { approvalNo: string }
  expect(approvalNo).toBeTruthy()
  expect((await rowOf(no)).enabled).toBe('disabled')
  expect((await ask(common.approve, { approvalNo, version: 0 })).code).toBe(40301)
  await fixture.agree(approvalNo)
  expect((await rowOf(no)).enabled).toBe('enabled')
  const couponTemplateNo = await templateOf(fixture)
  const tasks = [{ taskKey: 'first_loan', taskThreshold: 1, awardKind: 'coupon', couponTemplateNo }]
  expect((await rowOf(await running(fixture, { tasks }))).enabled).toBe('enabled')
})

it('while it is on it is only shortened or reworded, and gets money by a second person', async () => {
  const form = formAt(fixture)
  const no = await running(fixture, form)
  const save = async (change: object) =>
    ask(activity.save, { activityNo: no, version: (await rowOf(no)).version, ...form, ...change })
  expect(wrongAt(await save({ tasks: wallet('first_loan', 1, '9000.00') }))).toEqual(['tasks'])
  expect(wrongAt(await save({ budgetAmount: '900000.00' }))).toEqual(['budgetAmount'])
  expect(wrongAt(await save({ endTime: new Date(Date.parse(form.endTime) + 1000).toISOString() }))).toEqual(['endTime'])
  const shorter = new Date(Date.parse(form.endTime) - 86_400_000).toISOString()
  expect((await save({ endTime: shorter })).code).toBe(0)
  const { version } = await rowOf(no)
  const more = await ask(activity.budget, { activityNo: no, addedAmount: '50000.00', reason: 'goes well', version })
  await fixture.agree((more.data as { approvalNo: string }).approvalNo)
  expect(await rowOf(no)).toMatchObject({ budgetAmount: '150000.00' })
})

it('rewards a first loan once, in the wallet, by posting P12r', async () => {
  const award = await given(fixture)
  expect(award).toMatchObject({ awardStatus: 'given', awardAmount: '2000.00', taskKey: 'first_loan' })
  expect(await balanceOf(award.customerNo)).toBe('2000.00')
  expect((await rowOf(award.activityNo)).budgetSpent).toBe('2000.00')
  const payload = { event: 'payout.success', orderNo: award.orderNo, customerNo: award.customerNo, merchantNo: 'M1' }
  const again = { ...payload, at: fixture.clock.now().toISOString() }
  await fixture.db.withTx(tx => awardQueue.handle(tx, { jobKey: 'again', payload: again }))
  expect(await awardsOf(fixture, award.activityNo)).toHaveLength(1)
  expect(await balanceOf(award.customerNo)).toBe('2000.00')
})

it('stops when its budget does not suffice, and goes on with more', async () => {
  const activityNo = await running(fixture, { budgetAmount: '3000.00' })
  await fixture.disbursed()
  await fixture.disbursed()
  expect(await awardsOf(fixture, activityNo)).toHaveLength(1)
  expect(await rowOf(activityNo)).toMatchObject({ budgetSpent: '2000.00' })
  const shown = (await signed(activityApp.shown, { language: 'sw' })).data as { list: Record<string, string>[] }
  expect(shown.list).toMatchObject([
    { activityNo, activityState: 'budget_used', ruleText: 'Zawadi ya mkopo wa kwanza' },
  ])
  const { version } = await rowOf(activityNo)
  const more = await ask(activity.budget, { activityNo, addedAmount: '1000.00', reason: 'goes well', version })
  await fixture.agree((more.data as { approvalNo: string }).approvalNo)
  await fixture.disbursed()
  expect(await awardsOf(fixture, activityNo)).toHaveLength(2)
  expect(await rowOf(activityNo)).toMatchObject({ budgetSpent: '4000.00' })
})

it('makes up what was earned while the budget was used up, the oldest first and as far as the money goes', async () => {
  const activityNo = await running(fixture, { budgetAmount: '3000.00' })
  await fixture.disbursed()
  await fixture.pass(1)
  const second = await fixture.disbursed()
  await fixture.pass(1)
  const third = await fixture.disbursed()
  await fixture.tick('awardRun')
  expect(await awardsOf(fixture, activityNo)).toHaveLength(1)
  const addBudget = async (addedAmount: string) => {
    const { version } = await rowOf(activityNo)
    const more = await ask(activity.budget, { activityNo, addedAmount, reason: 'goes well', version })
    await fixture.agree((more.data as { approvalNo: string }).approvalNo)
  }
  await addBudget('1500.00')
  await fixture.tick('awardRun')
  const now = await awardsOf(fixture, activityNo)
  expect(now.map(({ orderNo }) => orderNo)).toContain(second.orderNo)
  expect(now).toHaveLength(2)
  await addBudget('1500.00')
  await fixture.tick('awardRun')
  await fixture.tick('awardRun')
  const all = await awardsOf(fixture, activityNo)
  expect(all.map(({ orderNo }) => orderNo)).toContain(third.orderNo)
  expect(all).toHaveLength(3)
  expect(await rowOf(activityNo)).toMatchObject({ budgetSpent: '6000.00' })
  expect(
    await fixture.one(sql`select count(*)::int as n from activity_missed where activity_no = ${activityNo}`),
  ).toEqual({ n: 0 })
})

it('gives coupons through their own budget, and holds a reward whose coupon is refused', async () => {
  const couponTemplateNo = await templateOf(fixture, { budgetAmount: '5000.00' })
  const tasks = [{ taskKey: 'first_loan', taskThreshold: 1, awardKind: 'coupon', couponTemplateNo }]
  const activityNo = await running(fixture, { tasks })
  await fixture.disbursed()
  await fixture.disbursed()
  const all = await awardsOf(fixture, activityNo)
  expect(all.map(({ awardStatus, awardHold }) => [awardStatus, awardHold])).toEqual([
    ['given', null],
    ['held', 'coupon_refused'],
  ])
  const refused = await ask(activity.decide, {
    awardNos: [String(all[1]?.awardNo)],
    awardDecision: 'release',
    reason: 'x',
  })
  expect((refused.data as { rows: { code: number }[] }).rows).toMatchObject([{ code: 40901 }])
})

it('holds rewards of people who share a device, and gives or refuses them as a person decides', async () => {
  const one = await held(fixture)
  expect(one).toMatchObject({ awardHold: 'same_device', rewardNo: null })
  expect(await balanceOf(one.customerNo)).toBe('0.00')
  expect((await rowOf(one.activityNo)).budgetSpent).toBe('4000.00')
  const { clusters } = (await ask(activity.stat, { activityNo: one.activityNo })).data as { clusters: object[] }
  expect(clusters).toMatchObject([{ awardHold: 'same_device', awardCount: 1, awardAmount: '2000.00' }])
  await ask(activity.decide, { awardNos: [one.awardNo], awardDecision: 'refuse', reason: 'one person' })
  expect((await rowOf(one.activityNo)).budgetSpent).toBe('2000.00')
  const other = await sameDevice(fixture, one.orderNo)
  const next = (await awardsOf(fixture, one.activityNo)).find(award => award.orderNo === other.orderNo)
  await ask(activity.decide, { awardNos: [String(next?.awardNo)], awardDecision: 'release', reason: 'sisters' })
  expect(await balanceOf(String(next?.customerNo))).toBe('2000.00')
})

it('rewards loans repaid on time, each multiple once, and takes it back when the repayment is undone', async () => {
  const activityNo = await running(fixture, { activityType: 'on_time', tasks: wallet('on_time') })
  const { repaymentNo } = await settled()
  const [award] = await awardsOf(fixture, activityNo)
  expect(award).toMatchObject({ awardStatus: 'given' })
  await undone(fixture, repaymentNo)
  await fixture.worker.drain()
  const [after] = await awardsOf(fixture, activityNo)
  expect(after).toMatchObject({ awardStatus: 'reversed' })
  expect(await balanceOf(String(award?.customerNo))).toBe('0.00')
  expect((await rowOf(activityNo)).budgetSpent).toBe('0.00')
})

it('takes back what a payout earned once its money has come back', async () => {
  const activityNo = await running(fixture)
  const { loanCode, approvalNo } = await fixture.requested()
  const [award] = await awardsOf(fixture, activityNo)
  expect(award).toMatchObject({ awardStatus: 'given' })
  await fixture.agree(approvalNo)
  const { amount } = await fixture.one(
    sql<{ amount: `${number}` }>`select actual_loan_amount as amount from loan_code where loan_code = ${loanCode}`,
  )
  const actor = { ...system('activity test'), requestId: 'activity test' }
  await fixture.db.withTx(async tx => {
    const entryTime = tx.now.toISOString()
    const of = { channel: 'mtn_momo', serialNo: 'RETURN1', source: 'callback', fundAccountNo: 'FA1', merchantNo: 'M1' }
    const flow = await enterFlow(tx, 'channel.callback', { ...of, amount, entryTime } as never, actor)
    await bookReceipt(tx, flow, actor)
    await tx.flush()
    await matchReturn(tx, flow, loanCode, actor)
  })
  await fixture.worker.drain()
  expect((await awardsOf(fixture, activityNo))[0]).toMatchObject({ awardStatus: 'reversed' })
  expect(await balanceOf(String(award?.customerNo))).toBe('0.00')
})

it('gives nothing for a loan that was repaid late', async () => {
  const activityNo = await running(fixture, { activityType: 'on_time', tasks: wallet('on_time') })
  const { orderNo } = await fixture.disbursed()
  await fixture.exec(sql`update repay_plan set due_date = due_date - 400 where order_no = ${orderNo}`)
  const form = fixture.typed(orderNo, '900000.00', 'settle')
  await ask(contract.repay.commit, (await fixture.tried(form)) as never)
  await fixture.worker.drain()
  expect(await awardsOf(fixture, activityNo)).toEqual([])
  await fixture.exec(sql`update repay_plan set due_date = due_date + 400 where order_no = ${orderNo}`)
})

it('leaves a reward that was spent, and says so', async () => {
  const award = await given(fixture)
  await signed(contract.wallet.withdraw, {
    requestNo: `RQ${award.awardNo}`,
    customerNo: award.customerNo,
    withdrawAmount: '2000.00',
  })
  const answer = await ask(activity.reverse, { awardNos: [award.awardNo], reason: 'by mistake' })
  expect((answer.data as { rows: { code: number }[] }).rows).toMatchObject([{ code: 40901 }])
})

it('takes a reward back once a second person agrees', async () => {
  const award = await given(fixture)
  await ask(activity.reverse, { awardNos: [award.awardNo], reason: 'by mistake' })
  const { no } = await fixture.one(
    sql<{ no: string }>`select approval_no as no from approval where object_no = ${award.awardNo}`,
  )
  expect((await ask(common.approve, { approvalNo: no, version: 0 })).code).toBe(40301)
  await fixture.agree(no)
  expect((await awardsOf(fixture, award.activityNo))[0]).toMatchObject({ awardStatus: 'reversed' })
  expect(await balanceOf(award.customerNo)).toBe('0.00')
})

it('an invitation earns when the friend is new and repays on time, and nothing for one who was known', async () => {
  const inviter = await settled()
  const { customerNo } = await fixture.one(
    sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${inviter.orderNo}`,
  )
  const activityNo = await running(fixture, { activityType: 'invite', tasks: wallet('invite_on_time') })
  const known = await fixture.one(sql<{ phone: string }>`
    select phone from merchant_customer where customer_no <> ${customerNo} and merchant_no = 'M1' limit 1`)
  const invite = (phone: string) => signed(activityApp.invite, { activityNo, customerNo, phone })
  expect((await invite(known.phone)).data).toEqual({ invited: true })
  expect((await invite(known.phone)).data).toEqual({ invited: false })
  const friend = await fixture.disbursed()
  const { phone, friendNo } = await fixture.one(sql<{ phone: string; friendNo: string }>`
    select mc.phone, o.customer_no as friend_no from loan_order o join merchant_customer mc using (customer_no, merchant_no) where o.order_no = ${friend.orderNo}`)
  await invite(phone)
  // As if the friend had been invited before they applied.
  await fixture.exec(sql`
    update activity_invite set invited_time = (select apply_time from loan_order where order_no = ${friend.orderNo}) where phone = ${phone}`)
  expect(await awardsOf(fixture, activityNo)).toEqual([])
  const form = fixture.typed(friend.orderNo, '250000.00', 'settle')
  await ask(contract.repay.commit, (await fixture.tried(form)) as never)
  await fixture.worker.drain()
  expect(await awardsOf(fixture, activityNo)).toMatchObject([
    { customerNo, inviteeNo: friendNo, subjectNo: friendNo, awardStatus: 'given' },
  ])
})

it('is seen and decided about by nobody outside of its merchants', async () => {
  const { awardNo, activityNo } = await held(fixture)
  const perms = ['page', 'save', 'award'].map(one => `org:taskAward:${one}`)
  const brand = await fixture.person({ perms, nature: 'merchant', merchants: ['M2'], limit: 'own_merchants' })
  for (const call of [activity.detail, activity.stat]) expect((await ask(call, { activityNo }, brand)).code).toBe(40401)
  const more = { activityNo, addedAmount: '1000.00', reason: 'x', version: (await rowOf(activityNo)).version }
  expect((await ask(activity.budget, more, brand)).code).toBe(40401)
  const answer = await ask(activity.decide, { awardNos: [awardNo], awardDecision: 'refuse', reason: 'x' }, brand)
  expect((answer.data as { rows: { code: number }[] }).rows).toMatchObject([{ code: 40401 }])
  expect((await ask(activity.awards, {}, brand)).data).toMatchObject({ list: [] })
  expect(wrongAt(await ask(activity.save, formAt(fixture), brand))).toEqual(['merchantNos'])
})

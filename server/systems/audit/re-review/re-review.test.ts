import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reReviewRules } from '../../../../core/contract/audit/re-review-config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import type { Person } from '../../../testing/kit.ts'
import { type Floor, openFloor } from '../../../testing/review-floor.ts'
import { reReviewConfigModule } from './re-review-config.ts'

const { audit, reReview, reReviewCount, reReviewRule } = contract

configSuite(reReviewRules, {
  modules: [reReviewConfigModule()],
  before: tx =>
    tx.exec(sql`
      insert into merchant (merchant_no, merchant_name, app_name, org_no) select 'MX' || n, 'Merchant ' || n, 'App ' || n, 'O2' from generate_series(1, 99) n`),
  fresh: n => ({
    merchantNo: `MX${n}`,
    fromStatuses: ['approval_rejected'],
    windowDays: 30,
    perOrderMax: 1,
  }),
  changed: { windowDays: 7 },
  differs: 'windowDays',
})

let floor: Floor
let manager: Person
let lead: Person
let senior: Person
let refuser: Person
const perms = ['order:review:page', 'order:review:apply', 'order:review:originalPhone']
beforeAll(async () => {
  floor = await openFloor()
  manager = await floor.person({ perms: ['order:review:config'] })
  lead = await floor.supervisor()
  senior = await floor.person({ perms })
  refuser = await floor.auditor()
  await floor.exec(
    sql`insert into refuse_code (refuse_code, level, name_zh, name_en, name_sw) values ('R1', 2, '收入不足', 'Income too low', 'Kipato kidogo'), ('R2', 2, '欺诈', 'Fraud', 'Udanganyifu')`,
  )
})
afterAll(() => floor.close())

type Values = Record<string, unknown>
const rule = (more: Values = {}) =>
  floor.call(
    reReviewRule.save,
    { fromStatuses: ['approval_rejected', 'machine_refused'], windowDays: 30, perOrderMax: 1, ...more } as never,
    { as: manager, language: 'en' },
  )
const count = (more: Values) => floor.call(reReviewCount.save, more as never, { as: manager, language: 'en' })

beforeEach(async () => {
  await floor.exec(sql`delete from re_review_rule`)
  await floor.exec(sql`delete from re_review_count_rule`)
  await floor.exec(sql`delete from re_review_quota`)
  await rule()
  await count({ userNo: senior.userNo, dailyCount: 20 })
})

const refused = async (refuseCode = 'R1', of: Parameters<Floor['order']>[0] = {}): Promise<string> => {
  const orderNo = await floor.order(of)
  await floor.allotTo(lead, refuser, [orderNo])
  const task = await floor.open(refuser, orderNo)
  const { approvalAmount: _, approvalTime: __, ...rest } = floor.passing(task)
  const answer = await floor.call(audit.submit, { ...rest, auditResult: 'refuse', refuseCode } as never, {
    as: refuser,
  })
  if (answer.code !== 0) throw new Error(answer.msg)
  return orderNo
}
const apply = (orderNos: readonly string[], as = senior) =>
  floor.call(reReview.apply, { orderNos: [...orderNos], reason: 'New payslip' }, { as, language: 'en' })
const quotaOf = async (as = senior) => (await floor.call(reReview.quota, {}, { as })).data
const statusOf = async (orderNo: string) =>
  (
    await floor.one(
      sql<{ reReviewStatus: string }>`select re_review_status from re_review_apply where order_no = ${orderNo}`,
    )
  ).reReviewStatus

describe('an application', () => {
  it('puts the order back into the queue at its first step, and takes one of the day', async () => {
    const orderNo = await refused()
    expect((await apply([orderNo])).data).toMatchObject({ ok: 1, fail: 0 })
    expect(await floor.statusOf(orderNo)).toBe('to_be_allocated')
    expect(await quotaOf()).toEqual({ submittedToday: 1, remainingToday: 19, dailyCount: 20 })
    const { data } = await floor.call(reReview.records, { orderNo }, { as: senior })
    expect(data.list).toMatchObject([
      { reReviewStatus: 'submitted', reason: 'New payslip', orderStatus: 'to_be_allocated' },
    ])
  })

  it('needs enough of the day for all that are chosen: with too few nothing is submitted', async () => {
    const orders = [await refused(), await refused()]
    await floor.exec(sql`update re_review_count_rule set daily_count = 1`)
    expect(await apply(orders)).toMatchObject({ code: 41001, msg: 'Daily application count insufficient' })
    expect(await Promise.all(orders.map(floor.statusOf))).toEqual(['approval_rejected', 'approval_rejected'])
    expect((await quotaOf()).submittedToday).toBe(0)
  })

  it('order-audit 8: sent twice at once with one left succeeds once; the next day the count is whole again', async () => {
    const orders = [await refused(), await refused()]
    await floor.exec(sql`update re_review_count_rule set daily_count = 1`)
    const answers = await Promise.all(orders.map(orderNo => apply([orderNo])))
    const said = answers.map(({ code, msg, data }) => (code ? msg : (data.rows[0]?.msg ?? '')))
    expect(answers.filter(({ code, data }) => code === 0 && data.ok === 1)).toHaveLength(1)
    expect(said.filter(msg => msg === 'Daily application count insufficient')).toHaveLength(1)
    expect((await quotaOf()).remainingToday).toBe(0)
    await floor.exec(sql`update re_review_quota set business_date = business_date - 1`)
    expect(await quotaOf()).toEqual({ submittedToday: 0, remainingToday: 1, dailyCount: 1 })
  })

  it.each([
    ['another code is excluded', { excludedCodes: ['R1'] }, 'Refusal excluded'],
    ['its level is excluded', { excludedLevels: ['B'] }, 'Model level excluded'],
    ['only what the machine refused may be asked for', { fromStatuses: ['machine_refused'] }, 'status'],
  ])('is refused where %s', async (_, more, words) => {
    await floor.exec(sql`delete from re_review_rule`)
    await rule(more)
    const { data } = await apply([await refused()])
    expect(data.rows[0]).toMatchObject({ code: 40901, msg: expect.stringContaining(words) })
    expect((await quotaOf()).submittedToday).toBe(0)
  })

  it('follows the rule of its merchant before that of all, and without any nobody may apply', async () => {
    await rule({ merchantNo: 'M2', windowDays: 7, excludedCodes: ['R2'] })
    expect((await apply([await refused('R2', { merchantNo: 'M2' })])).data.fail).toBe(1)
    expect((await apply([await refused('R2')])).data.ok).toBe(1)
    await floor.exec(sql`delete from re_review_rule`)
    const { data } = await apply([await refused()])
    expect(data.rows[0]?.msg).toContain('No rule allows it')
  })

  it('comes too late once the window is over', async () => {
    const orderNo = await refused()
    await floor.exec(
      sql`update loan_order set status_time = status_time - interval '31 days' where order_no = ${orderNo}`,
    )
    expect((await apply([orderNo])).data.rows[0]?.msg).toContain('too long ago')
  })

  it('is made once a day, and as often as the rule says', async () => {
    const orderNo = await refused()
    await apply([orderNo])
    await floor.forceStatus(orderNo, 'approval_rejected')
    await floor.exec(
      sql`update re_review_apply set re_review_status = case when set_config('app.transition', 'on', true) = 'on' then 'refused' end where order_no = ${orderNo}`,
    )
    expect((await apply([orderNo])).data.rows[0]?.msg).toBe('Data already exists')
    await floor.exec(sql`update re_review_apply set business_date = business_date - 1 where order_no = ${orderNo}`)
    expect((await apply([orderNo])).data.rows[0]?.msg).toContain('too often')
  })

  it('is not made of an order beyond the data rule', async () => {
    const other = await floor.person({ perms, limit: 'own_merchants', merchants: ['M2'] })
    await count({ userNo: other.userNo, dailyCount: 5 })
    const orderNo = await refused()
    expect((await apply([orderNo], other)).data.rows[0]?.code).toBe(40401)
    expect((await floor.call(reReview.rejected, { orderNo }, { as: other })).data.list).toEqual([])
  })
})

describe('the second look', () => {
  it('goes neither to the one who refused nor to the one who asked', async () => {
    const asker = await floor.auditor({ perms: [...perms, 'audit:order:handle', 'audit:self:page'], limit: 'all' })
    await count({ userNo: asker.userNo, dailyCount: 5 })
    const orderNo = await refused()
    await apply([orderNo], asker)
    for (const person of [refuser, asker]) {
      const [row] = (await floor.allotTo(lead, person, [orderNo])).data.rows
      expect(row).toMatchObject({ code: 40301 })
    }
    expect((await floor.allotTo(lead, await floor.auditor(), [orderNo])).data.ok).toBe(1)
  })

  it('ends the application with its result', async () => {
    const [passed, again, gone] = [await refused(), await refused(), await refused()]
    await apply([passed, again, gone])
    const third = await floor.auditor()
    await floor.allotTo(lead, third, [passed, again])
    const task = await floor.open(third, passed)
    expect((await floor.call(audit.submit, floor.passing(task), { as: third })).code).toBe(0)
    const { approvalAmount: _, approvalTime: __, ...rest } = floor.passing(await floor.open(third, again))
    await floor.call(audit.submit, { ...rest, auditResult: 'refuse', refuseCode: 'R1' } as never, { as: third })
    expect([await statusOf(passed), await statusOf(again), await statusOf(gone)]).toEqual([
      'passed',
      'refused',
      'submitted',
    ])
    await floor.forceStatus(gone, 'cancelled')
    await floor.run('audit.followReReviews')
    expect(await statusOf(gone)).toBe('void')
  })
})

describe('daily counts', () => {
  it("a person's own count wins over that of the role, of several roles the highest does", async () => {
    const person = await floor.person({ perms })
    await floor.exec(
      sql`insert into role (role_no, role_name, role_nature) values ('RB', 'Second', 'headquarters') on conflict do nothing`,
    )
    await floor.exec(sql`insert into user_role values (${person.userNo}, 'RB')`)
    expect((await quotaOf(person)).dailyCount).toBe(0)
    await count({ roleNo: `R${person.userNo}`, dailyCount: 3 })
    await count({ roleNo: 'RB', dailyCount: 8 })
    expect((await quotaOf(person)).dailyCount).toBe(8)
    await count({ userNo: person.userNo, dailyCount: 0 })
    expect((await quotaOf(person)).remainingToday).toBe(0)
  })

  it('are of a role or of a person, and stand once', async () => {
    expect((await count({ dailyCount: 3 })).code).toBe(40001)
    expect((await count({ userNo: senior.userNo, roleNo: 'RB', dailyCount: 3 })).code).toBe(40001)
    expect(await count({ userNo: senior.userNo, dailyCount: 3 })).toMatchObject({
      code: 40001,
      msg: expect.stringContaining('exists'),
    })
    expect((await count({ userNo: refuser.userNo, dailyCount: 1000 })).code).toBe(40001)
  })

  it('act at once when they are changed', async () => {
    await apply([await refused(), await refused()])
    await floor.exec(sql`update re_review_count_rule set daily_count = 1`)
    expect(await quotaOf()).toEqual({ submittedToday: 2, remainingToday: 0, dailyCount: 1 })
  })
})

describe('the list', () => {
  it('says which may be asked for, and why the others may not', async () => {
    await floor.exec(sql`delete from re_review_rule`)
    await rule({ excludedCodes: ['R2'] })
    const [yes, no] = [await refused(), await refused('R2')]
    const rows = (await floor.call(reReview.rejected, { orderNo: `${yes},${no}` }, { as: senior })).data.list
    const of = (orderNo: string) => rows.find(row => row.orderNo === orderNo)
    expect(of(yes)).toMatchObject({ eligible: true, ineligibleReason: null, refusedByName: expect.any(String) })
    expect(of(no)).toMatchObject({ eligible: false, ineligibleReason: 'code' })
    expect(of(no)?.blockedBy).toHaveProperty(['reReview.apply'])
    const eligible = await floor.call(reReview.rejected, { orderNo: `${yes},${no}`, eligible: true }, { as: senior })
    expect(eligible.data.list.map(row => row.orderNo)).toEqual([yes])
    const { data } = await floor.call(reReviewRule.probe, { orderNo: no }, { as: manager })
    expect(data).toMatchObject({ eligible: false, ineligibleReason: 'code' })
  })

  it('the original phone leaves a line in the access log', async () => {
    const orderNo = await refused('R1', { phone: '256772555444' })
    const { data } = await floor.call(reReview.originalPhone, { orderNo }, { as: senior })
    expect(data).toBe('256772555444')
    const lines = await floor.rows(
      sql<{ field: string }>`select field from access_log where object_no = ${orderNo} and user_no = ${senior.userNo}`,
    )
    expect(lines).toEqual([{ field: 'originalPhone' }])
    const plain = await floor.person({ perms: ['order:review:page'] })
    expect((await floor.call(reReview.originalPhone, { orderNo }, { as: plain })).code).toBe(40301)
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import type { Person } from '../../../testing/kit.ts'
import { openPayouts, refused } from '../../after-loan/payout/payout-fixture.ts'
import { loanLimitModule } from './loan-limit.ts'

type Values = Record<string, unknown>
type Answer = { code: number; msg: string; data: Values & { list: Values[]; rows: Values[] } }
const { loanLimit, common } = contract
const page = loanLimit.page.perm as string
const perms = [page, 'org:loanLimit:update', 'org:loanLimit:suspend']
const checks = ['org:loanLimit:update:check', 'org:loanLimit:suspend:check']

let p: Awaited<ReturnType<typeof openPayouts>>
let head: Person
let second: Person

const ask = async (endpoint: unknown, input: Values, as = head) =>
  (await p.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as Answer
const exec = (query: ReturnType<typeof sql>) => p.db.withTx(tx => tx.exec(query))
const row = async (limitNo = 'LL-M1') =>
  (await ask(loanLimit.page, { pageSize: 100 })).data.list.find(one => one.limitNo === limitNo) as Values & {
    version: number
  }
const save = async (values: Values, limitNo = 'LL-M1') =>
  ask(loanLimit.save, { limitNo, version: (await row(limitNo)).version, ...values })
const agree = async (approvalNo: unknown) =>
  p.call(common.approve as Endpoint, { approvalNo, version: 0 } as never, {
    as: second,
    headers: { 'x-step-up': await p.stepUp(second) },
  })
const reasons = async (codes: readonly string[]) =>
  Promise.all(codes.map(async code => (await p.code(code)).waitReason ?? (await p.code(code)).loanCodeStatus))
const approve = async (n: number) => {
  const codes: string[] = []
  for (let i = 0; i < n; i++) {
    codes.push((await p.approved()).loanCode)
    p.clock.advance(1_000)
  }
  return codes
}
/** Sets a limit as two people have agreed to. */
const given = (values: { daily: string | null; count?: number | null; outstanding?: string | null }) =>
  exec(sql`
    update merchant_loan_limit set daily_limit = ${values.daily}, daily_payouts = ${values.count ?? null}, outstanding_limit = ${values.outstanding ?? null},
      day_date = null, day_limit = null, day_payouts = null where limit_no = 'LL-M1'`)

/** A merchant that people opened. */
const opened = (merchantNo: string) =>
  p.db.withTx(async tx => {
    await tx.exec(sql`
      insert into merchant (merchant_no, merchant_name, app_name, org_no, enabled)
      select ${merchantNo}, ${`Merchant ${merchantNo}`}, app_name, org_no, 'disabled' from merchant where merchant_no = 'M1'`)
    await tx.exec(sql`
      insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
      values ('M69.merchant', ${merchantNo}, 'item.create', '∅', 'disabled', 'system', 'installation', ${tx.now})`)
  })

beforeAll(async () => {
  p = await openPayouts({ running: [loanLimitModule()] })
})
/** The log of what people did is emptied between tests, and so is what they did to limits. */
const forget = () =>
  p.db.withTx(async tx => {
    await tx.exec(sql`set local session_replication_role = replica`)
    await tx.exec(sql`delete from state_transition where machine = 'M103' and event <> 'limit.create'`)
    await tx.exec(sql`delete from state_transition where machine = 'M103' and request_id <> 'installation'`)
    await tx.exec(
      sql`delete from merchant_loan_usage u using merchant_loan_limit l where l.limit_no = u.limit_no and l.loan_kind is not null`,
    )
    await tx.exec(
      sql`delete from merchant_loan_take t using merchant_loan_limit l where l.limit_no = t.limit_no and l.loan_kind is not null`,
    )
    await tx.exec(sql`delete from merchant_loan_limit where loan_kind is not null`)
    await tx.exec(sql`set local session_replication_role = origin`)
  })
afterAll(async () => {
  await forget()
  await p.close()
})
beforeEach(async () => {
  await p.reset()
  await forget()
  await given({ daily: null })
  head = await p.person({ perms, name: 'Head' })
  second = await p.person({ perms: [page, ...checks], name: 'Second' })
})

describe('payouts', () => {
  it('operation 4: of one moment never pass the limit of a day; the others wait, and go out oldest first after a raise', async () => {
    const codes = await approve(5)
    const { actualLoanAmount } = await p.code(codes[0] as string)
    await given({ daily: String(Number(actualLoanAmount) * 2) })
    const handler = p.handlers.get('payout.dispatch') as { handle: (tx: never, job: object) => Promise<void> }
    await Promise.all(
      codes.map(loanCode => p.db.withTx(tx => handler.handle(tx as never, { jobKey: 'x', payload: { loanCode } }))),
    )
    const states = await reasons(codes)
    expect(states.filter(one => one === 'remitting')).toHaveLength(2)
    expect(states.filter(one => one === 'merchant_limit')).toHaveLength(3)
    expect(await row()).toMatchObject({ usedPayouts: 2, remainingAmount: '0.00', limitState: 'used', waitingCount: 3 })
    const waiting = (await ask(loanLimit.today, { limitNo: 'LL-M1' })).data.waiting as Values[]
    expect(waiting.map(one => one.loanCode)).toEqual(codes.filter((_, at) => states[at] === 'merchant_limit'))

    const raised = await save({ dailyLimit: String(Number(actualLoanAmount) * 3) })
    expect(raised.data.approvalNo, raised.msg).toBeTruthy()
    expect((await save({ dailyLimit: String(Number(actualLoanAmount) * 2) })).code).toBe(40901)
    expect((await agree(raised.data.approvalNo)).code).toBe(0)
    await p.tick('payout.dispatch')
    await p.run('payout.dispatch')
    const now = await reasons(codes)
    expect(now.filter(one => one === 'remitting')).toHaveLength(3)
    expect(now[states.indexOf('merchant_limit')]).toBe('remitting')
  })

  it('that fail give their part back, and the next one takes it', async () => {
    const [first, next] = (await approve(2)) as [string, string]
    await given({ daily: (await p.code(first)).actualLoanAmount })
    p.sends.push(refused())
    await p.run()
    expect(await reasons([first, next])).toEqual(['failed', 'merchant_limit'])
    expect(await row()).toMatchObject({ usedAmount: '0.00', usedPayouts: 0 })
    await p.tick('payout.dispatch')
    await p.run()
    expect(await reasons([next])).toEqual(['remitting'])
  })

  it('wait for a count, for the outstanding principal, and for a narrower limit', async () => {
    const codes = await approve(2)
    await given({ daily: null, count: 1 })
    await p.run()
    expect(await reasons(codes)).toEqual(['remitting', 'merchant_limit'])
    await given({ daily: null, outstanding: '200000.00' })
    await p.tick('payout.dispatch')
    await p.run()
    expect(await reasons(codes)).toEqual(['remitting', 'merchant_limit'])
    await given({ daily: null })
    const added = await ask(loanLimit.add, { merchantNo: 'M1', loanKind: 'first', dailyLimit: '100000.00' })
    expect(added, added.msg).toMatchObject({ code: 0 })
    expect(await row(String(added.data.limitNo))).toMatchObject({ usedPayouts: 1, limitState: 'used' })
    await p.tick('payout.dispatch')
    await p.run()
    expect(await reasons(codes)).toEqual(['remitting', 'merchant_limit'])
    expect((await ask(loanLimit.add, { merchantNo: 'M1', loanKind: 'first', dailyLimit: '1.00' })).code).toBe(40001)
    expect((await ask(loanLimit.add, { merchantNo: 'M1', dailyLimit: '1.00' })).code).toBe(40001)
  })

  it('stop at once when suspended, and go on when two people resumed them', async () => {
    const [loanCode] = (await approve(1)) as [string]
    const stopped = await ask(loanLimit.suspend, { limitNos: ['LL-M1'], reason: 'Complaints about the app' })
    expect(stopped.data).toMatchObject({ ok: 1 })
    await p.run()
    expect(await reasons([loanCode])).toEqual(['merchant_limit'])
    expect(await row()).toMatchObject({ limitState: 'suspended', suspendReason: 'Complaints about the app' })
    expect((await ask(loanLimit.resume, { limitNos: ['LL-M1'] })).data).toMatchObject({ ok: 1 })
    expect((await row()).pendingApproval).toBe('Head')
    const { no } = await p.one<{ no: string }>(
      sql`select approval_no as no from approval where object_no = 'LL-M1' and approval_status = 'pending'`,
    )
    expect((await agree(no)).code).toBe(0)
    await p.tick('payout.dispatch')
    await p.run()
    expect(await reasons([loanCode])).toEqual(['remitting'])
  })
})

describe('a limit', () => {
  it('is lowered at once, not below what is on its way, and of today alone until midnight', async () => {
    const [loanCode] = (await approve(1)) as [string]
    await p.run('payout.dispatch')
    const { actualLoanAmount } = await p.code(loanCode)
    await given({ daily: '900000.00' })
    expect((await save({ dailyLimit: '1000.00' })).msg).toContain('on its way')
    expect((await save({ dailyLimit: '800000.00' })).data).toMatchObject({ approvalNo: null })
    const { version } = await row()
    const day = await ask(loanLimit.day, { limitNo: 'LL-M1', version, dayLimit: actualLoanAmount })
    expect(day.data, day.msg).toMatchObject({ approvalNo: null })
    expect(await row()).toMatchObject({ dayLimit: actualLoanAmount, limitState: 'used', dailyLimit: '800000.00' })
    p.clock.advance(86_400_000)
    head = await p.person({ perms, name: 'Head' })
    expect(await row()).toMatchObject({ dayLimit: null, limitState: 'open', usedAmount: '0.00' })
    const { list } = (await ask(loanLimit.history, { limitNo: 'LL-M1' })).data
    expect(list[0]).toMatchObject({ event: 'limit.set', changedBy: 'Head' })
  })

  it('is seen by those alone whose merchants it is of', async () => {
    const ofTwo = await p.person({ perms, merchants: ['M2'], limit: 'own_merchants' })
    const { list } = (await ask(loanLimit.page, {}, ofTwo)).data
    expect(list.map(one => one.merchantNo)).toEqual(['M2'])
    expect((await ask(loanLimit.today, { limitNo: 'LL-M1' }, ofTwo)).code).toBe(40401)
    expect((await ask(loanLimit.add, { merchantNo: 'M1', loanKind: 'first', dailyLimit: '1.00' }, ofTwo)).code).toBe(
      40001,
    )
    const nobody = await p.person({ perms: [] })
    expect((await ask(loanLimit.page, {}, nobody)).code).toBe(40301)
  })

  it('of the merchants of an organization stays within what two people set for it', async () => {
    const asked = await ask(loanLimit.organization, { orgNo: 'O1', dailyLimit: '1000000.00' })
    expect((await agree(asked.data.approvalNo)).code).toBe(0)
    await given({ daily: '100000.00' })
    await opened('M9')
    await exec(sql`update merchant_loan_limit set daily_limit = 600000 where limit_no = 'LL-M9'`)
    expect((await save({ dailyLimit: '400001.00' })).msg).toContain('Limit exceeded')
    expect((await save({ dailyLimit: '400000.00' })).code).toBe(0)
    await exec(sql`update org set loan_daily_limit = null`)
  })

  it('of a merchant that people open is nothing until somebody opens it', async () => {
    await opened('M8')
    expect(await row('LL-M8')).toMatchObject({ dailyLimit: '0.00', limitState: 'used' })
  })
})

import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import { addDays } from '../../../core/rules/time.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson, type Session } from '../../session/session.ts'
import { transition } from '../../states/transition.ts'
import { batchQueue } from '../../systems/operation/coupon/batch.ts'
import { couponModule } from '../../systems/operation/coupon/coupon.ts'
import { at, type Hand, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { merchants } from '../world.ts'

const { coupon, common } = contract
const day = 86_400_000

type Desk = { hand: Hand; maker: Session; second: Session }
type Kind = {
  name: string
  type: 'increase_loan_limit_coupon' | 'discount_coupon' | 'interest_discount_coupon'
  repay?: 'settle' | 'partial' | 'extension' | 'generic'
  face: number
  budget: number
  days: number
}

/** All three types, all four ways to pay; one has little of its budget left. */
const kinds: readonly Kind[] = [
  { name: 'Punguzo 5000', type: 'discount_coupon', repay: 'generic', face: 5_000, budget: 2_000_000, days: 30 },
  { name: 'Lipa mapema', type: 'discount_coupon', repay: 'settle', face: 8_000, budget: 200_000, days: 14 },
  { name: 'Lipa kidogo', type: 'discount_coupon', repay: 'partial', face: 3_000, budget: 600_000, days: 21 },
  { name: 'Ongeza muda', type: 'discount_coupon', repay: 'extension', face: 4_000, budget: 400_000, days: 14 },
  { name: 'Riba nafuu', type: 'interest_discount_coupon', repay: 'generic', face: 6_000, budget: 900_000, days: 30 },
  { name: 'Kikomo juu', type: 'increase_loan_limit_coupon', face: 50_000, budget: 3_000_000, days: 30 },
]

const writeKind = async (tx: Tx, { hand, maker }: Desk, one: Kind): Promise<string> => {
  const { key } = await hand.call(tx, maker, coupon.save, {
    couponName: one.name,
    couponType: one.type,
    ...(one.repay ? { couponRepayType: one.repay } : {}),
    merchantNos: merchants.map(({ merchantNo }) => merchantNo),
    faceAmount: `${one.face}.00`,
    minOrderAmount: '0.00',
    validityDays: one.days,
    issueCapPerCustomer: 3,
    budgetAmount: `${one.budget}.00`,
  })
  await tx.flush()
  await hand.call(tx, maker, coupon.state, { couponTemplateNo: String(key), enabled: true, version: 0 })
  return String(key)
}

type Issue = { kind: string; customers: readonly string[]; from?: number; reason: string }

const submit = async (tx: Tx, { hand, maker }: Desk, { kind, customers, from = 0, reason }: Issue) => {
  await tx.flush()
  const startDate = addDays(tx.today, from)
  return hand.call(tx, maker, coupon.issue, {
    couponTemplateNo: kind,
    customers: customers.join('\n'),
    startDate,
    reason,
  })
}

const issue = async (tx: Tx, desk: Desk, given: Issue) => {
  const { issueBatchNo, approvalNo } = await submit(tx, desk, given)
  await tx.flush()
  await desk.hand.call(tx, desk.second, common.approve, { approvalNo, version: 0 })
  await tx.flush()
  while (await batchQueue.step(tx, { jobKey: issueBatchNo, payload: {} })) await tx.flush()
  await tx.exec(sql`delete from job where queue = 'coupon.issue' and job_key = ${issueBatchNo}`)
  return issueBatchNo
}

/** One code for all, used by forty of a hundred, and a few that are drawn by lot. */
const writeCodes = async (tx: Tx, { hand, maker, second }: Desk, kind: string) => {
  const ends = new Date(tx.now.getTime() + 60 * day).toISOString()
  const codes = { couponTemplateNo: kind, startTime: tx.now.toISOString(), endTime: ends, reason: 'Radio campaign' }
  for (const one of [
    { codeCount: 1, commonCode: 'PUNGUZA8', maxUses: 100 },
    { codeCount: 12, maxUses: 1 },
  ]) {
    const { approvalNo } = await hand.call(tx, maker, coupon.generate, { ...codes, ...one })
    await tx.flush()
    await hand.call(tx, second, common.approve, { approvalNo, version: 0 })
    await tx.flush()
  }
  await tx.exec(sql`update promo_code set used_count = 40 where promo_code = 'PUNGUZA8'`)
}

/** Some of what customers held a month ago has ended. */
const expire = async (tx: Tx) => {
  const due = await tx.rows(sql<{ couponNo: string; couponStatus: string; version: number }>`
    select coupon_no, coupon_status, version from coupon where coupon_status = 'waiting_used' and expire_time <= ${tx.now} for update`)
  for (const one of due) await transition(tx, 'coupon', one, { event: 'clock.expire' }, system('demo'))
}

/** Kinds of coupons, issues that are done, done in part and waiting, and promo codes. */
export const writeCoupons = async (tx: Tx): Promise<void> => {
  const module = couponModule()
  const maker = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const other = await rightsOfPerson(tx, userNoOf('audit.lead'), 'en')
  const perms = new Set([...maker.perms, ...['issue', 'revoke', 'caps'].map(one => `operation:coupon:${one}:check`)])
  const desk: Desk = {
    hand: handFor([module, approvalModule(module.approvals ?? [])]),
    maker,
    second: { ...other, perms, widest: maker.widest },
  }
  const customers = (
    await tx.rows(sql<{ no: string }>`
      select c.customer_no as no from customer c where exists (select 1 from merchant_customer m where m.customer_no = c.customer_no)
        and exists (select 1 from loan_order o where o.customer_no = c.customer_no and o.payout_time is not null)
      order by c.register_time, c.customer_no limit 90`)
  ).map(({ no }) => no)
  const before = (days: number) => at(tx, new Date(tx.now.getTime() - days * day))
  const nos: string[] = []
  for (const kind of kinds) nos.push(await writeKind(before(40), desk, kind))
  await tx.flush()
  const of = (n: number) => String(nos[n])
  if (customers.length < 4) return
  /** Some of them; of few, all. */
  const part = (from: number, to: number) => {
    const some = customers.slice(from, to)
    return some.length > 0 ? some : customers
  }
  await issue(before(25), desk, { kind: of(1), customers: part(0, 40), reason: 'Early payers of October' })
  await issue(before(12), desk, { kind: of(0), customers: part(0, 60), reason: 'Anniversary' })
  await issue(before(4), desk, {
    kind: of(4),
    customers: part(20, 50),
    reason: 'Lower interest for good payers',
  })
  await issue(tx, desk, { kind: of(2), customers: part(0, 12), from: 3, reason: 'Start of the month' })
  await expire(tx)
  await submit(tx, desk, {
    kind: of(5),
    customers: part(30, 80),
    reason: 'Higher limit before the school fees',
  })
  await writeCodes(before(6), desk, of(0))
  await tx.flush()
}

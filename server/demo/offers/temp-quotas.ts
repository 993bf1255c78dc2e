import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import { addDays } from '../../../core/rules/time.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { transition } from '../../states/transition.ts'
import { tempQuotaModule } from '../../systems/operation/temp-quota/temp-quota.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { merchants } from '../world.ts'

const { tempQuota, common } = contract
const day = 86_400_000

/** How long ago each task was made, what became of it, and for how many days its limits hold. */
const tasks = [
  { back: 60, end: 'approve', days: 30, amount: '100000.00', reason: 'Three loans repaid early' },
  { back: 20, end: 'approve', days: 45, amount: '80000.00', reason: 'End of the school term' },
  { back: 9, end: 'reject', days: 30, amount: '100000.00', reason: 'Customers of the radio campaign' },
  { back: 6, end: 'approve', days: 30, amount: '50000.00', from: 9, reason: 'Start of the month' },
  { back: 4, end: 'remove', days: 14, amount: '60000.00', reason: 'Wrong list of customers' },
  { back: 1, end: null, days: 30, amount: '100000.00', reason: 'Good payers of November' },
] as const

/** Customers of a merchant who have borrowed and repaid. */
const payersOf = (tx: Tx, merchantNo: string) =>
  tx.rows(sql<{ no: string }>`
    select c.customer_no as no from customer c join merchant_customer m using (customer_no) where m.merchant_no = ${merchantNo}
      and not exists (select 1 from loan_order o where o.customer_no = c.customer_no and o.overdue)
    order by c.register_time, c.customer_no limit 300`)

type Grant = { grantNo: string; grantStatus: string; version: number; place: number }

/** Some customers agree on the phone, some not yet. */
const agree = async (tx: Tx, hand: ReturnType<typeof handFor>, desk: Awaited<ReturnType<typeof rightsOfPerson>>) => {
  const held = await tx.rows(sql<Grant>`
    select grant_no, grant_status, version, row_number() over (order by grant_no)::int as place from temp_quota_grant where grant_status in ('waiting', 'waiting_consent') and consent_time is null and end_time > ${tx.now}`)
  for (const { grantNo, version, place } of held) {
    if (place % 3 === 0) continue
    await hand.call(tx, desk, tempQuota.consent, { grantNo, version, recordingNo: `REC${10_000 + place}` })
    await tx.flush()
  }
}

/** Some limits were used by an order that was paid out. */
const useSome = async (tx: Tx) => {
  const beyond = '10000.00'
  const held = await tx.rows(sql<Grant & { orderNo: string | null }>`
    select g.grant_no, g.grant_status, g.version, (
      select o.order_no from loan_order o where o.customer_no = g.customer_no and o.merchant_no = g.merchant_no
        and o.order_status = 'funds_disbursed' order by o.payout_time desc limit 1) as order_no
    from temp_quota_grant g where g.grant_status = 'effective' and g.bound_order_no is null and g.end_time > ${tx.now} order by g.grant_no`)
  const bound = new Set<string>()
  for (const { orderNo, ...grant } of held) {
    if (!orderNo || bound.has(orderNo)) continue
    bound.add(orderNo)
    const set = { boundOrderNo: orderNo, usedAmount: beyond, usedTime: tx.now }
    await transition(tx, 'tempQuotaGrant', grant, { event: 'grant.use', set }, system('demo'))
    await tx.flush()
    await tx.exec(sql`
      update customer c set remaining_limit = least(c.credit_limit, c.remaining_limit + ${beyond}::numeric), version = c.version + 1
      from temp_quota_grant g where g.grant_no = ${grant.grantNo} and c.customer_no = g.customer_no`)
  }
}

type Someone = Parameters<ReturnType<typeof handFor>['call']>[1]
/** Two limits are asked back: somebody agrees to the first, the second waits. */
const takeBack = async (tx: Tx, hand: ReturnType<typeof handFor>, maker: Someone, second: Someone) => {
  const held = await tx.rows(sql<{ grantNo: string }>`
    select grant_no from temp_quota_grant where grant_status in ('waiting_consent', 'effective') and bound_order_no is null and end_time > ${tx.now}
    order by grant_no desc limit 2`)
  for (const [place, { grantNo }] of held.entries()) {
    await hand.call(tx, maker, tempQuota.revoke, { grantNos: [grantNo], reason: 'The customer moved abroad' })
    await tx.flush()
    if (place > 0) continue
    const { approvalNo } = await tx.one(sql<{ approvalNo: string }>`
      select approval_no from approval where object_type = 'tempQuotaGrant' and object_no = ${grantNo} and approval_status = 'pending'`)
    await hand.call(tx, second, common.approve, { approvalNo, version: 0 })
    await tx.flush()
  }
}

/** What is over ends. */
const expire = async (tx: Tx) => {
  const over = await tx.rows(sql<Grant>`
    select grant_no, grant_status, version from temp_quota_grant where grant_status in ('waiting', 'waiting_consent', 'effective') and end_time <= ${tx.now}`)
  for (const one of over) await transition(tx, 'tempQuotaGrant', one, { event: 'clock.expire' }, system('demo'))
}

/** Tasks of two months in every state, and the limits that came of them. */
export const writeTempQuotas = async (tx: Tx): Promise<void> => {
  const module = tempQuotaModule()
  const hand = handFor([module, approvalModule(module.approvals ?? [])])
  const maker = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const other = await rightsOfPerson(tx, userNoOf('audit.lead'), 'en')
  const second = { ...other, perms: new Set([...maker.perms]), widest: maker.widest }
  const [queue] = module.queues ?? []
  const merchantNo = String(merchants[0]?.merchantNo)
  const payers = await payersOf(tx, merchantNo)
  if (payers.length === 0 || !queue || !('step' in queue)) return
  const size = Math.max(1, Math.floor(payers.length / tasks.length))
  for (const [place, { back, end, days, amount, reason, ...rest }] of tasks.entries()) {
    const then = at(tx, new Date(tx.now.getTime() - back * day))
    // Each task has its own customers, and two of the next one's, who are left out there.
    const customers = payers.slice(place * size, (place + 1) * size + 2).map(({ no }) => no)
    const asked = {
      ...{ merchantNo, quotaAmount: amount, validityDays: days, reason },
      customers: customers.join('\n'),
      startDate: addDays(then.today, 'from' in rest ? rest.from : 0),
    }
    const made = await hand.call(then, maker, tempQuota.create, asked).catch(() => null)
    await tx.flush()
    if (!made || !end) continue
    const key = { quotaTaskNo: made.quotaTaskNo, version: 0 }
    const later = at(tx, new Date(then.now.getTime() + 7_200_000))
    if (end === 'remove') await hand.call(later, maker, tempQuota.remove, key)
    else {
      const auditReason = end === 'reject' ? { auditReason: 'Too much lending this month' } : {}
      await hand.call(later, second, tempQuota.audit, { ...key, decision: end, ...auditReason })
    }
    await tx.flush()
    if (end !== 'approve') continue
    while (await queue.step(later, { jobKey: made.quotaTaskNo, payload: {} })) await tx.flush()
    await tx.flush()
    await tx.exec(sql`delete from job where queue = 'tempQuota.grant' and job_key = ${made.quotaTaskNo}`)
    await expire(later)
    await tx.flush()
    await agree(later, hand, maker)
    await tx.flush()
  }
  await expire(tx)
  await tx.flush()
  await useSome(tx)
  await takeBack(tx, hand, maker, second)
}

import { sql } from 'kysely'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { tempQuota as calls, type QuotaTask } from '../../../../core/contract/operation/temp-quota.ts'
import { type Money, mul } from '../../../../core/rules/money.ts'
import { customersIn, maxIssued } from '../../../../core/rules/text/promo-code.ts'
import { addDays, type EatDate, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, type Served, serve } from '../../../http/serve.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { shownRow } from '../../../lists/listed.ts'
import type { StepHandler } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { samePersonFault, sharedMarks } from '../../../rights/same-person.ts'
import { scope } from '../../../rights/scope.ts'
import { create, transition } from '../../../states/transition.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { amountInText, happened } from '../message-engine/index.ts'
import { beginGrant } from './grants.ts'
import { taskBlocks, taskList, taskSeen } from './lists.ts'
import { type Asked, capsOf, lookUp, type QuotaFail } from './rules.ts'

const queue = 'tempQuota.grant'
const perStep = 100

type Task = Asked & {
  quotaTaskNo: string
  quotaTaskStatus: string
  startDate: EatDate
  validityDays: number
  applicantNo: string
  finishTime: string | null
  version: number
}

/** What becomes of each of the customers named, as things stand now. */
const lookAt = async (tx: Tx, lists: ListValues, asked: Asked, named: readonly string[]) => {
  const caps = await capsOf(tx, asked.merchantNo)
  const fails = new Map<QuotaFail, number>()
  const seen = new Set<string>()
  for (const one of named) {
    const { customerNo, fail } = await lookUp(tx, lists, asked, caps, one)
    const why = fail ?? (seen.has(String(customerNo)) ? 'twice' : null)
    if (why) fails.set(why, (fails.get(why) ?? 0) + 1)
    else seen.add(String(customerNo))
  }
  return { found: seen.size, leftOut: [...fails].map(([failReason, count]) => ({ failReason, count })) }
}

/** The customers that a task names, or those of its group who are the merchant's. */
const namedBy = async (
  tx: Tx,
  {
    merchantNo,
    customers,
    userGroupNo,
  }: Pick<ParsedOf<typeof calls.effect>, 'merchantNo' | 'customers' | 'userGroupNo'>,
): Promise<string[]> => {
  if (customers) return customersIn(customers)
  const members = await tx.rows(sql<{ no: string }>`
    select distinct g.customer_no as no from user_group_member g join user_group x using (user_group_no)
    where g.user_group_no = ${userGroupNo ?? ''} and g.merchant_no = ${merchantNo} and (x.expire_time is null or x.expire_time > ${tx.now})
    order by 1 limit ${maxIssued + 1}`)
  if (members.length === 0) throw invalid('userGroupNo', 'errors.quotaNobody')
  if (members.length > maxIssued) throw invalid('userGroupNo', 'validation.couponCustomers')
  return members.map(({ no }) => no)
}

/** A merchant that the caller serves. */
const within = async ({ tx, session }: Pick<Call, 'tx' | 'session'>, merchantNo: string): Promise<void> => {
  const found = await tx.maybe(sql`
    select 1 from merchant m where m.merchant_no = ${merchantNo} and m.deleted_time is null
      and ${scope(session, { merchant: 'm.merchant_no', holder: () => sql`true`, perm: calls.create.perm })}`)
  if (!found) throw invalid('merchantNo', 'validation.wrongValue')
}

const effectServed = (lists: ListValues) =>
  serve(calls.effect, async ({ tx, session, input }) => {
    await within({ tx, session }, input.merchantNo)
    const { found, leftOut } = await lookAt(tx, lists, input, await namedBy(tx, input))
    const limit = await tx.maybe(sql<{ left: Money }>`
      select greatest(l.daily_limit - coalesce(u.used_amount, 0), 0)::numeric(18,2) as left from merchant_loan_limit l
      left join merchant_loan_usage u on u.limit_no = l.limit_no and u.business_date = ${tx.today}
      where l.merchant_no = ${input.merchantNo} and l.product_no is null and l.loan_kind is null`)
    return { found, leftOut, totalAmount: mul(input.quotaAmount, String(found)), limitLeft: limit?.left ?? null }
  })

const createServed = (lists: ListValues) =>
  serve(calls.create, async call => {
    const { tx, input, actor, audit } = call
    const { merchantNo, quotaAmount, startDate, validityDays, reason } = input
    await within(call, merchantNo)
    if (startDate < tx.today) throw invalid('startDate', 'validation.wrongValue')
    const named = await namedBy(tx, input)
    const { found, leftOut } = await lookAt(tx, lists, input, named)
    if (found === 0)
      throw leftOut.every(({ failReason }) => failReason === 'over_cap')
        ? invalid('quotaAmount', 'errors.limitExceeded')
        : invalid(input.customers ? 'customers' : 'userGroupNo', 'errors.quotaNobody')
    const quotaTaskNo = newNo('TQ', tx.now)
    const row = {
      ...{ quotaTaskNo, merchantNo, quotaAmount, customerCount: found, startDate, validityDays, reason },
      ...{ applicantNo: actor.no, applicantName: actor.name, createdTime: tx.now },
    }
    await create(tx, 'tempQuotaTask', row, { event: 'quota.create', payload: { found } }, actor)
    await tx.flush()
    await tx.exec(sql`
      insert into temp_quota_row (quota_task_no, row_no, named)
      select ${quotaTaskNo}, place::int, no from unnest(${named}::text[]) with ordinality given (no, place)`)
    audit({ objectType: 'tempQuotaTask', objectNo: quotaTaskNo, after: { quotaAmount, customerCount: found } })
    return { quotaTaskNo }
  })

type Keyed = { quotaTaskNo: string; version: number }

/** A task within the data rule, locked, that takes the command now. */
const held = async (call: Call<Keyed>, command: typeof calls.audit | typeof calls.remove): Promise<Task> => {
  const { tx, session, input } = call
  const row = await tx.maybe(sql<Task>`
    select x.* from temp_quota_task x where x.quota_task_no = ${input.quotaTaskNo} and ${taskSeen(session)} for update of x`)
  if (!row) throw notFound()
  await taskBlocks.check(call, command, row.quotaTaskNo)
  checkVersion(row, input.version)
  return row
}

const auditServed = (lists: ListValues) =>
  serve(calls.audit, async call => {
    const { tx, input, actor, audit } = call
    const row = await held(call, calls.audit)
    const marks = await sharedMarks(tx, actor.no, [row.applicantNo])
    if (marks.length > 0) throw samePersonFault(marks)
    const approves = input.decision === 'approve'
    if (approves && addDays(row.startDate, row.validityDays) <= tx.today)
      throw new Fault('stateConflict', 'errors.quotaEnded')
    const named = await tx.rows(
      sql<{ named: string }>`select named from temp_quota_row where quota_task_no = ${row.quotaTaskNo} order by row_no`,
    )
    const { found } = approves
      ? await lookAt(
          tx,
          lists,
          row,
          named.map(one => one.named),
        )
      : { found: null }
    if (found === 0) throw new Fault('stateConflict', 'errors.quotaNobody')
    const auditReason = input.auditReason ?? null
    const set = { checkerNo: actor.no, checkerName: actor.name, auditTime: tx.now, auditReason }
    const event = { event: 'quota.audit', as: input.decision, set, payload: { found } } as const
    const { quotaTaskStatus } = await transition(tx, 'tempQuotaTask', row, event, actor)
    if (approves) await enqueue(tx, queue, row.quotaTaskNo, {})
    audit({
      objectType: 'tempQuotaTask',
      objectNo: row.quotaTaskNo,
      before: { quotaTaskStatus: row.quotaTaskStatus },
      after: { quotaTaskStatus, auditReason },
    })
    return { quotaTaskStatus: quotaTaskStatus as 'approved' }
  })

const remove = serve(calls.remove, async call => {
  const { tx, actor, audit } = call
  const row = await held(call, calls.remove)
  const { quotaTaskStatus } = await transition(tx, 'tempQuotaTask', row, { event: 'quota.remove' }, actor)
  audit({
    objectType: 'tempQuotaTask',
    objectNo: row.quotaTaskNo,
    before: { quotaTaskStatus: row.quotaTaskStatus },
    after: { quotaTaskStatus },
  })
  return { quotaTaskStatus: quotaTaskStatus as 'removed' }
})

const detail = serve(calls.detail, async ({ tx, session, input: { quotaTaskNo } }) => {
  const task = await shownRow<QuotaTask>(taskList, { tx, session }, quotaTaskNo)
  if (!task) throw notFound()
  const leftOut = await tx.rows(sql<{ failReason: QuotaFail; count: number }>`
    select fail_reason, count(*)::int as count from temp_quota_row
    where quota_task_no = ${quotaTaskNo} and fail_reason is not null group by fail_reason order by 2 desc, 1`)
  const used = await tx.one(sql<{ usedAmount: Money; usedOrders: number; lateOrders: number }>`
    select coalesce(sum(g.used_amount), 0)::numeric(18,2) as used_amount, count(o.order_no)::int as used_orders,
      count(o.order_no) filter (where o.overdue)::int as late_orders
    from temp_quota_grant g join loan_order o on o.order_no = g.bound_order_no where g.quota_task_no = ${quotaTaskNo} and g.grant_status = 'used'`)
  return { task, leftOut, ...used }
})

/** Gives one customer of a task the limit; null with the reason where they get none. */
const grantTo = async (tx: Tx, task: Task, customerNo: string, actor: Actor): Promise<string> => {
  const { quotaTaskNo, merchantNo, quotaAmount, startDate, validityDays } = task
  const grantNo = newNo('TG', tx.now)
  const endDate = addDays(startDate, validityDays)
  const row = {
    ...{ grantNo, quotaTaskNo, customerNo, merchantNo, quotaAmount, createdTime: tx.now },
    ...{ startTime: startOfEatDay(startDate), endTime: startOfEatDay(endDate) },
  }
  await create(tx, 'tempQuotaGrant', row, { event: 'grant.create' }, actor)
  await tx.flush()
  await happened(tx, {
    ...{ event: 'quota.offered', objectType: 'tempQuotaGrant', objectNo: grantNo, customerNo, merchantNo },
    values: { quotaAmount: amountInText(quotaAmount), quotaUntil: addDays(endDate, -1) },
  })
  if (startDate <= tx.today)
    await beginGrant(tx, { grantNo, grantStatus: 'waiting', consentTime: null, version: 0 }, actor)
  return grantNo
}

/** Gives the customers of a task their limits, some at a time: each row has its grant or its reason, and none gets two. */
export const grantQueue = (lists: ListValues): StepHandler => ({
  queue,
  async step(tx, { jobKey }) {
    const task = await tx.one(sql<Task>`select * from temp_quota_task where quota_task_no = ${jobKey} for update`)
    if (task.quotaTaskStatus !== 'approved' || task.finishTime) return false
    const rows = await tx.rows(sql<{ rowNo: number; named: string }>`
      select row_no, named from temp_quota_row
      where quota_task_no = ${jobKey} and grant_no is null and fail_reason is null order by row_no limit ${perStep}`)
    const actor = system(`temporary limits ${jobKey}`)
    const caps = await capsOf(tx, task.merchantNo)
    for (const { rowNo, named } of rows) {
      const { customerNo, fail } = await lookUp(tx, lists, task, caps, named)
      const had =
        customerNo &&
        (await tx.maybe(
          sql`select 1 from temp_quota_grant where quota_task_no = ${jobKey} and customer_no = ${customerNo}`,
        ))
      const why = had ? 'twice' : fail
      const grantNo = why || !customerNo ? null : await grantTo(tx, task, customerNo, actor)
      await tx.flush()
      await tx.exec(sql`
        update temp_quota_row set customer_no = ${customerNo}, grant_no = ${grantNo}, fail_reason = ${why}
        where quota_task_no = ${jobKey} and row_no = ${rowNo}`)
    }
    if (rows.length === perStep) return true
    await tx.exec(sql`
      update temp_quota_task set finish_time = ${tx.now}, version = version + 1 where quota_task_no = ${jobKey}`)
    return false
  },
})

export const taskCalls = (lists: ListValues): Served[] =>
  [effectServed(lists), createServed(lists), auditServed(lists), remove, detail] as Served[]

import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { formatMoney, type Money, mul, sub } from '../../../../core/rules/money.ts'
import { customersIn } from '../../../../core/rules/text/promo-code.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { ApprovalAction, StepHandler } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { system } from '../../../rights/actor.ts'
import type { Session } from '../../../session/session.ts'
import { create, transition } from '../../../states/transition.ts'
import { heldOf, holderOf, type IssueFail, issueCoupon, refusedFor, type Template } from './issue.ts'
import { startOf, templateSeen } from './template.ts'

const { coupon } = contract
const perm = 'operation:coupon:issue'
const queue = 'coupon.issue'
const perStep = 100

type Batch = {
  issueBatchNo: string
  issueBatchStatus: string
  couponTemplateNo: string
  startTime: string
  issuedFailed: number
  version: number
}

/** A kind of coupon that may be given, within reach of the person. */
export const givable = async (tx: Tx, session: Session, no: string): Promise<Template> => {
  const found = await tx.maybe(sql<Template>`
    select x.* from coupon_template x where x.coupon_template_no = ${no} and x.deleted_time is null and ${templateSeen(session)}`)
  if (!found) throw invalid('couponTemplateNo', 'validation.wrongValue')
  if (found.enabled !== 'enabled') throw invalid('couponTemplateNo', 'errors.couponTemplateOff')
  return found
}

/** What becomes of each of the customers named, as things stand now. */
const lookAt = async (tx: Tx, template: Template, customers: string) => {
  const fails = new Map<IssueFail, number>()
  const no = (fail: IssueFail) => void fails.set(fail, (fails.get(fail) ?? 0) + 1)
  let found = 0
  for (const named of customersIn(customers)) {
    const holder = await holderOf(tx, template, named)
    const refused = refusedFor(template, holder)
    if (refused) no(refused)
    else if (holder && (await heldOf(tx, template.couponTemplateNo, holder.customerNo)) >= template.issueCapPerCustomer)
      no('customer_cap')
    else found++
  }
  return { found, leftOut: [...fails].map(([failReason, count]) => ({ failReason, count })) }
}

const effect = serve(coupon.effect, async ({ tx, session, input }) => {
  const template = await givable(tx, session, input.couponTemplateNo)
  const { found, leftOut } = await lookAt(tx, template, input.customers)
  const { spent } = await tx.one(sql<{ spent: Money }>`
    select coalesce(sum(coalesce(used_amount, face_amount)), 0)::numeric(18,2) as spent from coupon
    where coupon_template_no = ${template.couponTemplateNo} and coupon_status = 'used'`)
  const { couponName, faceAmount, validityDays } = template
  return {
    found,
    leftOut,
    couponName,
    faceAmount,
    validityDays,
    totalAmount: mul(faceAmount, String(found)),
    budgetLeft: sub(template.budgetAmount, template.issuedAmount),
    spentAmount: spent,
  }
})

const issue = serve(coupon.issue, async call => {
  const { tx, session, input, actor, audit } = call
  const template = await givable(tx, session, input.couponTemplateNo)
  const startTime = startOf(tx, input.startDate)
  const named = customersIn(input.customers)
  const { found } = await lookAt(tx, template, input.customers)
  if (found === 0) throw invalid('customers', 'errors.couponNobody')
  const issueBatchNo = newNo('CB', tx.now)
  const totalAmount = mul(template.faceAmount, String(found))
  const row = {
    issueBatchNo,
    couponTemplateNo: template.couponTemplateNo,
    startTime,
    reason: input.reason,
    issueCount: named.length,
    totalAmount,
    makerNo: actor.no,
    makerName: actor.name,
    createdTime: tx.now,
  }
  await create(tx, 'couponIssueBatch', row, { event: 'batch.submit', payload: { totalAmount } }, actor)
  await tx.exec(sql`
    insert into coupon_batch_row (issue_batch_no, row_no, named)
    select ${issueBatchNo}, place::int, no from unnest(${named}::text[]) with ordinality given (no, place)`)
  const [only] = template.merchantNos
  const approvalNo = await requestApproval(call, {
    action: 'couponBatch.issue',
    perm,
    objectType: 'coupon_issue_batch',
    objectNo: issueBatchNo,
    ...(template.merchantNos.length === 1 && only ? { merchantNo: only } : {}),
    version: 0,
    payload: { issueBatchNo },
    summary: [
      { label: 'fields.couponName', before: null, after: template.couponName },
      { label: 'fields.issueCount', before: null, after: String(found) },
      { label: 'fields.faceAmount', before: null, after: template.faceAmount },
      { label: 'fields.totalAmount', before: null, after: totalAmount },
      { label: 'fields.startDate', before: null, after: input.startDate },
      { label: 'fields.reason', before: null, after: input.reason },
    ],
  })
  audit({ objectType: 'coupon_issue_batch', objectNo: issueBatchNo, after: { approvalNo, totalAmount, found } })
  return { issueBatchNo, approvalNo }
})

const lockBatch = (tx: Tx, no: string) =>
  tx.one(sql<Batch>`select * from coupon_issue_batch where issue_batch_no = ${no} for update`)

/** A second person lets the coupons go, or does not. */
export const batchApproval: ApprovalAction = {
  action: 'couponBatch.issue',
  perm,
  money: true,
  async execute(tx, { objectNo, checker }) {
    const batch = await lockBatch(tx, objectNo)
    const room = await tx.maybe(sql`
      select 1 from coupon_template where coupon_template_no = ${batch.couponTemplateNo} and enabled = 'enabled' and issued_amount + face_amount <= budget_amount`)
    if (!room) throw new Fault('stateConflict', 'errors.couponNoBudget')
    await transition(
      tx,
      'couponIssueBatch',
      batch,
      { event: 'batch.approve', set: { checkerName: checker.name } },
      checker,
    )
    await enqueue(tx, queue, objectNo, {})
  },
  async drop(tx, { objectNo, how, by }) {
    const as = ({ rejected: 'checker', withdrawn: 'maker', expired: 'system' } as const)[how]
    const set = { finishTime: tx.now, ...(how === 'rejected' ? { checkerName: by.name } : {}) }
    await transition(tx, 'couponIssueBatch', await lockBatch(tx, objectNo), { event: 'batch.reject', as, set }, by)
  },
}

/** Gives the coupons of a batch, some customers at a time: each row has its coupon or its reason, and none is given twice. */
export const batchQueue: StepHandler = {
  queue,
  async step(tx, { jobKey }) {
    const batch = await lockBatch(tx, jobKey)
    if (batch.issueBatchStatus !== 'running') return false
    const rows = await tx.rows(sql<{ rowNo: number; named: string }>`
      select row_no, named from coupon_batch_row
      where issue_batch_no = ${jobKey} and coupon_no is null and fail_reason is null order by row_no limit ${perStep}`)
    const actor = system(`coupon batch ${jobKey}`)
    const startTime = new Date(batch.startTime)
    for (const { rowNo, named } of rows) {
      const given = await issueCoupon(
        tx,
        { couponTemplateNo: batch.couponTemplateNo, named, startTime, source: 'batch', sourceNo: jobKey },
        actor,
      )
      const [couponNo, fail] = 'fail' in given ? [null, given.fail] : [given.couponNo, null]
      await tx.flush()
      await tx.exec(sql`
        update coupon_batch_row set customer_no = ${given.customerNo}, coupon_no = ${couponNo}, fail_reason = ${fail}
        where issue_batch_no = ${jobKey} and row_no = ${rowNo}`)
    }
    if (rows.length === perStep) return true
    const counts = await tx.one(sql<{ issuedOk: number; issuedFailed: number }>`
      select count(coupon_no)::int as issued_ok, count(fail_reason)::int as issued_failed from coupon_batch_row where issue_batch_no = ${jobKey}`)
    const as = counts.issuedFailed > 0 ? 'some' : 'all'
    await transition(
      tx,
      'couponIssueBatch',
      batch,
      { event: 'batch.end', as, set: { ...counts, finishTime: tx.now } },
      actor,
    )
    return false
  },
}

/** How many coupons of how much a summary says. */
export const worth = (count: number, face: Money): string => `${count} × UGX ${formatMoney(face)}`

export const batchCalls = [effect, issue]

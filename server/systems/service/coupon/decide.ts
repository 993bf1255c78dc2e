import { sql } from 'kysely'
import { pathOf } from '../../../../core/contract/pages.ts'
import {
  type ApplyRow,
  serviceCoupon as calls,
  type IssuedRow,
} from '../../../../core/contract/service/service-coupon.ts'
import type { Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serve, serveEach } from '../../../http/serve.ts'
import { shownRow, shownRows } from '../../../lists/listed.ts'
import { tell } from '../../../messages/message.ts'
import type { ApprovalAction } from '../../../module.ts'
import type { Actor } from '../../../rights/actor.ts'
import { samePersonFault, sharedMarks } from '../../../rights/same-person.ts'
import { transition } from '../../../states/transition.ts'
import { askRevoke, issueCoupon, revokeAgreed } from '../../operation/coupon/index.ts'
import { faultOf } from './apply.ts'
import { applyBlocks, applySeen, auditList, issuedList } from './lists.ts'
import { lockCustomer, lockSettings, refusalFor } from './rules.ts'

type Application = {
  applyNo: string
  couponApplyStatus: string
  serviceConfigNo: string
  customerNo: string
  faceAmount: Money
  couponCount: number
  totalAmount: Money
  applicantNo: string
  version: number
}

const perm = calls.decide.perm as string

/** Gives exactly the coupons that were asked for, or nothing: caps and budget are counted again. */
const give = async (tx: Tx, row: Application, actor: Actor): Promise<void> => {
  const settings = await lockSettings(tx, row.serviceConfigNo)
  if (!settings) throw notFound()
  await lockCustomer(tx, row.customerNo)
  const asked = { customerNo: row.customerNo, count: row.couponCount, total: row.totalAmount }
  const refusal = await refusalFor(tx, settings, asked, { waiting: false })
  if (refusal) throw faultOf(refusal)
  for (let n = 0; n < row.couponCount; n++) {
    const given = await issueCoupon(
      tx,
      {
        couponTemplateNo: settings.couponTemplateNo,
        named: row.customerNo,
        startTime: tx.now,
        source: 'service',
        sourceNo: row.applyNo,
        faceAmount: row.faceAmount,
        as: 'person',
      },
      actor,
    )
    if ('fail' in given) throw new Fault('stateConflict', 'errors.limitExceeded')
  }
}

/** The applicant hears what became of it, and what to say to the customer. */
const tellApplicant = (tx: Tx, row: Application, approved: boolean, remark: string | undefined) =>
  tell(tx, {
    to: row.applicantNo,
    messageType: 'notice',
    template: approved ? 'couponApproved' : 'couponRejected',
    params: { applyNo: row.applyNo, n: row.couponCount, amount: row.totalAmount, remark: remark ?? '' },
    objectType: 'couponApplication',
    objectNo: row.applyNo,
    route: `${pathOf('CustomerServiceSystem', 'MyCustomerServiceCouponApply')}?applyNo=${row.applyNo}`,
  })

/** A second person decides; those of whom the budget or a cap is over are refused one by one. */
export const decide = serveEach(calls.decide, {
  ids: ({ applyNos }) => [...new Set(applyNos)],
  async row(applyNo, call) {
    const { tx, session, input, actor, audit } = call
    const row = await tx.maybe(sql<Application>`
      select x.* from cs_coupon_apply x where x.apply_no = ${applyNo} and ${applySeen(session)} for update of x`)
    if (!row) throw notFound()
    await applyBlocks.check(call, calls.decide, applyNo)
    const marks = await sharedMarks(tx, actor.no, [row.applicantNo])
    if (marks.length > 0) throw samePersonFault(marks)
    const approved = input.decision === 'approve'
    if (approved) await give(tx, row, actor)
    const auditRemark = input.auditRemark ?? null
    const set = { auditorNo: actor.no, auditorName: actor.name, auditTime: tx.now, auditRemark }
    await transition(tx, 'couponApplication', row, { event: 'coupon.audit', as: input.decision, set }, actor)
    tellApplicant(tx, row, approved, input.auditRemark)
    audit({
      objectType: 'couponApplication',
      objectNo: applyNo,
      before: { couponApplyStatus: 'pending' },
      after: { couponApplyStatus: approved ? 'approved' : 'rejected', totalAmount: row.totalAmount, auditRemark },
    })
  },
})

const revokeAction = 'serviceCoupon.revoke'

/** Asks a second person to take a coupon back that was given in error. */
export const revoke = serveEach(calls.revoke, {
  ids: ({ couponNos }) => [...new Set(couponNos)],
  row: (couponNo, call) => askRevoke(call, couponNo, call.input.reason, { action: revokeAction, perm, page: perm }),
})
export const revokeApproval: ApprovalAction = { action: revokeAction, perm, money: true, execute: revokeAgreed }

/** One application with what decides it: the customer's coupons of a year, and how often the applicant was agreed with. */
export const detail = serve(calls.auditDetail, async ({ tx, session, input: { applyNo } }) => {
  const reader = { tx, session }
  const application = await shownRow<ApplyRow>(auditList, reader, applyNo)
  if (!application) throw notFound()
  const since = (days: number) => new Date(tx.now.getTime() - days * 86_400_000)
  const lastYear = await tx.one(sql<{ given: number; used: number; expired: number }>`
    select count(*)::int as given, count(*) filter (where coupon_status = 'used')::int as used, count(*) filter (where coupon_status = 'expired')::int as expired
    from coupon where customer_no = ${application.customerNo} and created_time >= ${since(365)}`)
  const applicant = await tx.one(sql<{ asked: number; approved: number }>`
    select count(*)::int as asked, count(*) filter (where coupon_apply_status = 'approved')::int as approved
    from cs_coupon_apply where apply_time >= ${since(30)} and applicant_no = (select applicant_no from cs_coupon_apply where apply_no = ${applyNo})`)
  const coupons = await shownRows<IssuedRow>(issuedList, reader, sql`x.source_no = ${applyNo}`)
  return { application, coupons, lastYear, applicant }
})

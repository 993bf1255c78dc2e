import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { add, formatMoney, gt, type Money } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import { seenBy } from './limit-list.ts'

type Org = { orgNo: string; orgName: string; loanDailyLimit: Money | null; version: number }

/**
 * Refuses a daily limit of a merchant beyond what the merchants of its organization may pay out together. The organization stays locked,
 * so that two raises beside each other do not both fit.
 */
export const organizationRoom = async (
  tx: Tx,
  row: { limitNo: string; merchantNo: string; productNo: string | null; loanKind: string | null },
  values: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const wanted = (values.dayLimit ?? values.dailyLimit) as Money | undefined
  if (!wanted || row.productNo || row.loanKind) return
  const org = await tx.one(sql<Org>`
    select o.* from org o join merchant m on m.org_no = o.org_no where m.merchant_no = ${row.merchantNo} for update of o`)
  if (org.loanDailyLimit === null) return
  const { others } = await tx.one(sql<{ others: Money }>`
    select coalesce(sum(case when l.day_date = ${tx.today}::date then l.day_limit else l.daily_limit end), 0)::numeric(18,2) as others
    from merchant_loan_limit l join merchant m on m.merchant_no = l.merchant_no
    where m.org_no = ${org.orgNo} and m.deleted_time is null and l.product_no is null and l.loan_kind is null and l.limit_no <> ${row.limitNo}`)
  if (gt(add(others, wanted), org.loanDailyLimit))
    throw new Fault('validation', 'errors.orgLimitExceeded', {
      org: org.orgName,
      max: formatMoney(org.loanDailyLimit),
      others: formatMoney(others),
    })
}

/** Asks for the limit of an organization; a second person agrees. */
export const organizationLimit = serve(contract.loanLimit.organization, async call => {
  const { tx, session, input } = call
  const org = await tx.maybe(sql<Org>`
    select o.* from org o where o.org_no = ${input.orgNo}
      and exists (select 1 from merchant m where m.org_no = o.org_no and ${seenBy(session, 'm.merchant_no')}) for update of o`)
  if (!org) throw invalid('orgNo', 'validation.wrongValue')
  const shown = (amount: Money | null | undefined) => (amount ? `UGX ${formatMoney(amount)}` : null)
  const approvalNo = await requestApproval(call, {
    action: 'loanLimit.organization',
    perm: 'org:loanLimit:update',
    objectType: 'org',
    objectNo: org.orgNo,
    version: org.version,
    payload: { dailyLimit: input.dailyLimit ?? null },
    summary: [
      { label: 'fields.orgName', before: null, after: org.orgName },
      { label: 'fields.dailyLimit', before: shown(org.loanDailyLimit), after: shown(input.dailyLimit) },
    ],
  })
  call.audit({
    objectType: 'org',
    objectNo: org.orgNo,
    before: { dailyLimit: org.loanDailyLimit },
    after: { approvalNo },
  })
  return { approvalNo }
})

export const organizationLimitApproval: ApprovalAction = {
  action: 'loanLimit.organization',
  perm: 'org:loanLimit:update',
  money: true,
  async execute(tx, { objectNo, payload }) {
    const limit = (payload.dailyLimit ?? null) as Money | null
    const changed = await tx.exec(sql`update org set loan_daily_limit = ${limit} where org_no = ${objectNo}`)
    if (changed !== 1) throw notFound()
  },
}

import { type RawBuilder, sql } from 'kysely'
import { reReviewCounts, reReviewRules } from '../../../../core/contract/audit/re-review-config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import { merchantsOf } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { findOrder, refuseName } from '../../order/order/index.ts'
import { probe } from './eligibility.ts'

const { reReviewRule } = contract
type Frag = RawBuilder<unknown>
type Values = Readonly<Record<string, unknown>>

const { page } = reReviewRules.codes

/** Rules that a person sees: those of all merchants, and those of theirs. */
const seenBy = (session: Session): Frag => {
  const merchants = merchantsOf(session, page)
  return merchants ? sql`(x.merchant_no is null or x.merchant_no = any(${[...merchants]}))` : sql`true`
}

/** The rule of all merchants is changed by headquarters, one of a merchant by those who have it. */
const mayChange = (session: Session, { merchantNo }: Values): Fault | null => {
  if (!merchantNo) return session.headquarters ? null : new Fault('forbidden', 'errors.headquartersOnly')
  const merchants = merchantsOf(session, page)
  return !merchants || merchants.includes(String(merchantNo)) ? null : invalid('merchantNo', 'validation.wrongValue')
}

const known = async (tx: Tx, query: Frag, path: string) => {
  if (!(await tx.maybe(query as never))) throw invalid(path, 'validation.wrongValue')
}

const sorted = (given: unknown): string[] => [...new Set((given ?? []) as readonly string[])].sort()

const rules = serveConfig(reReviewRules, {
  prefix: 'RR',
  unique: 'merchantNo',
  derived: ({ fromStatuses, excludedCodes, excludedLevels }) => ({
    fromStatuses: sorted(fromStatuses),
    excludedCodes: sorted(excludedCodes),
    excludedLevels: sorted(excludedLevels),
  }),
  startsEnabled: () => true,
  mayChange: ({ session }, values) => mayChange(session, values),
  async check({ tx, session }, form) {
    const refusal = mayChange(session, form)
    if (refusal) throw refusal
    const { merchantNo, excludedCodes } = form as { merchantNo?: string; excludedCodes?: string[] }
    if (merchantNo) await known(tx, sql`select 1 from merchant where merchant_no = ${merchantNo}`, 'merchantNo')
    const codes = sorted(excludedCodes)
    if (codes.length)
      await known(
        tx,
        sql`select 1 from refuse_code where refuse_code = any(${codes}) having count(*) = ${codes.length}`,
        'excludedCodes',
      )
  },
  source: ({ session }) => ({
    where: seenBy(session),
    joins: { m: sql`left join merchant m on m.merchant_no = x.merchant_no` },
    columns: {
      merchantName: sql`m.merchant_name`,
      excludedCodeNames: sql`array(select ${refuseName(session.language)} from refuse_code rc where rc.refuse_code = any(x.excluded_codes) order by 1)`,
    },
  }),
})

/** Counts are about the company's people: headquarters sets them. */
const headquarters = (session: Session): Fault | null =>
  session.headquarters ? null : new Fault('forbidden', 'errors.headquartersOnly')

const counts = serveConfig(reReviewCounts, {
  prefix: 'RC',
  unique: 'roleNo',
  startsEnabled: () => true,
  mayChange: ({ session }) => headquarters(session),
  async check({ tx, session }, form) {
    const refusal = headquarters(session)
    if (refusal) throw refusal
    const { roleNo, userNo } = form as { roleNo?: string; userNo?: string }
    if (roleNo) await known(tx, sql`select 1 from role where role_no = ${roleNo}`, 'roleNo')
    if (userNo) await known(tx, sql`select 1 from app_user where user_no = ${userNo}`, 'userNo')
  },
  source: ({ tx }) => ({
    joins: {
      r: sql`left join role r on r.role_no = x.role_no`,
      u: sql`left join app_user u on u.user_no = x.user_no`,
    },
    columns: {
      roleName: sql`r.role_name`,
      realName: sql`u.real_name`,
      usedToday: sql`(
        select coalesce(sum(q.submitted), 0)::int from re_review_quota q where q.business_date = ${tx.today}
          and (q.user_no = x.user_no or q.user_no in (select held.user_no from user_role held where held.role_no = x.role_no)))`,
    },
  }),
})

const test = serve(reReviewRule.probe, async ({ tx, session, input }) => {
  const { orderNo } = await findOrder(tx, session, input.orderNo, page)
  const { ruleNo, reason } = await probe(tx, orderNo)
  return { eligible: reason === null, ineligibleReason: reason as never, ruleNo }
})

/** Which rejected orders may be asked for again, and how often on a day. */
export const reReviewConfigModule = (): Module => ({
  ...rules,
  served: [...rules.served, ...counts.served, test],
  lists: [...(rules.lists ?? []), ...(counts.lists ?? [])],
})

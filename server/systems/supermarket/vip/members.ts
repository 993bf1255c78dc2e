import { sql } from 'kysely'
import type { BlockedBy } from '../../../../core/contract/blocked.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { manualDays } from '../../../../core/contract/supermarket/vip.ts'
import { addDays } from '../../../../core/rules/time.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed } from '../../../lists/listed.ts'
import type { ApprovalAction } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { levelsInForce, putLevel, standingColumns } from './standing.ts'

const { vip } = contract
const pagePerm = vip.page.perm as string

/** Customers `c` whom a person sees: those of the merchants that they serve. */
const seenBy = (
  session: Session,
  perm = pagePerm,
) => sql`exists (select 1 from merchant_customer mc where mc.customer_no = c.customer_no
  and ${scope(session, { merchant: 'mc.merchant_no', holder: () => sql`true`, perm })})`

/** Who has which level, since when and why. */
export const memberList = listed({
  list: vip.members,
  source: ({ tx, session }) => ({
    from: sql`customer c`,
    alias: 'c',
    key: sql`c.customer_no`,
    where: seenBy(session),
    joins: { v: sql`left join customer_vip v on v.customer_no = c.customer_no` },
    columns: {
      levelCode: sql`c.member_level`,
      vipSince: sql`v.vip_since`,
      vipReason: sql`v.vip_reason`,
      vipUntil: sql`v.vip_until`,
      ...standingColumns(tx),
      pendingApproval: sql`(select a.maker_name from approval a where a.object_type = 'customer_vip' and a.object_no = c.customer_no and a.approval_status = 'pending' limit 1)`,
    },
  }),
  blocked: async (_at, rows): Promise<readonly BlockedBy[]> =>
    rows.map(
      (row): BlockedBy =>
        row.pendingApproval ? { 'vip.setLevel': { reason: 'errors.approvalWaits', params: {} } } : {},
    ),
})

type Held = { customerNo: string; memberLevel: string; version: number }

const setLevel = serve(vip.setLevel, async call => {
  const { tx, input, session, audit } = call
  const { customerNo, levelCode, vipUntil, reason } = input
  const row = await tx.maybe(sql<Held>`
    select c.customer_no, c.member_level, c.version from customer c where c.customer_no = ${customerNo} and ${seenBy(session, vip.setLevel.perm)} for update`)
  if (!row) throw notFound()
  if (!(await levelsInForce(tx)).some(one => one.levelCode === levelCode))
    throw invalid('levelCode', 'validation.wrongValue')
  if (vipUntil < tx.today || vipUntil > addDays(tx.today, manualDays))
    throw invalid('vipUntil', 'validation.vipUntil', { max: manualDays })
  if (row.memberLevel === levelCode) throw new Fault('stateConflict', 'errors.levelHeld')
  const approvalNo = await requestApproval(call, {
    action: 'vip.setLevel',
    perm: vip.setLevel.perm as string,
    objectType: 'customer_vip',
    objectNo: customerNo,
    version: 0,
    payload: { levelCode, vipUntil, reason },
    summary: [
      {
        label: 'fields.levelCode',
        before: `dict.MEMBER_LEVEL.${row.memberLevel}`,
        after: `dict.MEMBER_LEVEL.${levelCode}`,
      },
      { label: 'fields.vipUntil', before: null, after: vipUntil },
      { label: 'fields.reason', before: null, after: reason },
    ],
  })
  audit({
    objectType: 'customer_vip',
    objectNo: customerNo,
    before: { memberLevel: row.memberLevel },
    after: { levelCode, vipUntil, reason, approvalNo },
  })
  return { approvalNo }
})

/** A second person agrees to a level that is given by hand. */
export const levelApproval: ApprovalAction = {
  action: 'vip.setLevel',
  perm: vip.setLevel.perm as string,
  money: false,
  async execute(tx, { objectNo, payload, checker }) {
    const row = await tx.maybe(
      sql<Held>`select customer_no, member_level, version from customer where customer_no = ${objectNo} for update`,
    )
    if (!row) throw notFound()
    const { levelCode, vipUntil } = payload as { levelCode: string; vipUntil: string }
    await putLevel(tx, row, levelCode, { reason: 'manual', until: vipUntil }, checker)
  },
}

const spread = serve(vip.spread, async ({ tx, session }) => {
  const since = addDays(tx.today, -30)
  const levels = (await levelsInForce(tx)).map(one => one.levelCode)
  const rows = await tx.rows(sql<Omit<OutputOf<typeof vip.spread>['list'][number], 'memberShare'>>`
    select l as level_code, (select count(*)::int from customer c where c.member_level = l and ${seenBy(session)}) as vip_count,
      (select count(*)::int from vip_change h join customer c using (customer_no) where h.to_level = l and h.from_level < l and h.changed_time >= ${since}::date and ${seenBy(session)}) as up_count,
      (select count(*)::int from vip_change h join customer c using (customer_no) where h.to_level = l and h.from_level > l and h.changed_time >= ${since}::date and ${seenBy(session)}) as down_count,
      (select round(100.0 * count(*) filter (where exists (select 1 from loan_order o where o.customer_no = c.customer_no and o.overdue and o.order_status = 'funds_disbursed')) / nullif(count(*), 0), 2)::numeric(5,2)
        from customer c where c.member_level = l and ${seenBy(session)}) as late_share,
      (select count(*)::int from market_product p where p.product_status = 'online' and p.deleted_time is null and p.vip_level_min is not null and p.vip_level_min <= l) as product_count
    from unnest(${levels}::text[]) l order by l`)
  const all = rows.reduce((sum, row) => sum + row.vipCount, 0)
  return {
    list: rows.map(row => ({ ...row, memberShare: all ? ((100 * row.vipCount) / all).toFixed(2) : '0' })),
  }
})

export const memberCalls = [setLevel, spread]

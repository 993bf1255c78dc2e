import { type RawBuilder, sql } from 'kysely'
import type { Use } from '../../../../core/contract/config.ts'
import { merchants } from '../../../../core/contract/operation/merchant.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { Reader } from '../../../lists/listed.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

type Frag = RawBuilder<unknown>
/** Who may open the list of merchants. */
export const merchantPage = merchants.codes.page
const perm = merchantPage

/** Merchants `x` that a person sees: those of their data rule, whether they are on or off. */
export const seenBy = (session: Session): Frag =>
  scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm })

/** Payouts of merchant `x` that are still to end: waiting to be sent, sent, of unknown outcome, or on their way back. */
export const onTheirWay = sql`(select count(*)::int from loan_code lc join loan_order po using (order_no)
  where po.merchant_no = x.merchant_no and lc.loan_code_status in ('created', 'remitting', 'unknown', 'reversing'))`

const isOpen = (alias: string) =>
  sql`${sql.ref(`${alias}.order_status`)} not in ('settled', 'cancelled', 'machine_refused', 'approval_rejected')`

const orders = sql`left join lateral (
  select count(*) filter (where ${isOpen('lo')})::int as open,
    count(*) filter (where lo.order_status in ('machine_reviewing', 'to_be_allocated', 'pending_review'))::int as review,
    count(*) filter (where lo.order_status = 'funds_disbursed')::int as loans
  from loan_order lo where lo.merchant_no = x.merchant_no) n on true`

/** Organizations at and below one. */
export const below = (orgNo: string): Frag => sql`(with recursive at as (
  select org_no from org where org_no = ${orgNo} union all select o.org_no from org o join at on o.parent_org_no = at.org_no) select org_no from at)`

const staff = sql`(select count(*)::int from app_user u where u.employee_status = 'on_job' and (u.principal_merchant_no = x.merchant_no
  or exists (select 1 from user_merchant um where um.user_no = u.user_no and um.merchant_no = x.merchant_no)))`

/** What the list reads of merchants. */
export const merchantSource = ({ tx, session }: Reader) => ({
  where: seenBy(session),
  joins: {
    o: sql`join org o on o.org_no = x.org_no`,
    c: sql`join company c on c.company_code = (select oc.company_code from org oc where oc.org_no = x.org_no)`,
    n: orders,
  },
  columns: {
    orgName: sql`o.org_name`,
    companyName: sql`c.company_name`,
    appCodes: sql`array[x.app_name]`,
    licenceLeft: sql`(x.licence_expiry - ${tx.today}::date)`,
    peopleCount: staff,
    openOrderCount: sql`n.open`,
    reviewCount: sql`n.review`,
    loanCount: sql`n.loans`,
    payoutCount: onTheirWay,
  },
  filters: {
    merchantName: (text: string) =>
      sql`position(lower(${text}) in lower(concat_ws(' ', x.merchant_no, x.merchant_name, x.brand_name))) > 0`,
    orgNo: (orgNo: string) => sql`x.org_no in ${below(orgNo)}`,
    companyCode: (code: string) => sql`x.org_no in (select y.org_no from org y where y.company_code = ${code})`,
    licenceWithin: (days: string) => sql`x.licence_expiry <= ${addDays(tx.today, Number(days))}`,
  } as never,
})

/** What names a merchant: its products, its people, and its orders. */
export const merchantUses = (tx: Tx, keys: readonly string[]): Promise<(Use & { key: string })[]> =>
  tx.rows(sql<Use & { key: string }>`
    select x.merchant_no as key, used.kind, used.no, used.name from merchant x, lateral (
      (select 'product' as kind, p.product_no as no, p.product_name as name from product p where p.merchant_no = x.merchant_no and p.deleted_time is null order by 2 limit 50)
      union all (select 'person', u.user_no, u.real_name from app_user u where u.principal_merchant_no = x.merchant_no order by 2 limit 50)
      union all (select 'order', o.order_no, o.order_no from loan_order o where o.merchant_no = x.merchant_no order by 2 limit 1)) used
    where x.merchant_no = any(${[...keys]})`)

/** Whether a picture is the logo of a merchant that the caller sees. */
export const isLogo = async (tx: Tx, session: Session, merchantNo: string, uploadNo: string): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from merchant x where x.merchant_no = ${merchantNo} and x.logo_file_no = ${uploadNo} and ${seenBy(session)}`,
  )) !== undefined

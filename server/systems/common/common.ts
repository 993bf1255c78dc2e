import { type RawBuilder, sql } from 'kysely'
import type { Company, Organization } from '../../../core/contract/common/common.ts'
import { contract } from '../../../core/contract/contract.ts'
import type { OutputOf, RowOf } from '../../../core/contract/endpoint.ts'
import type { Post } from '../../../core/contract/fields.ts'
import { serve } from '../../http/serve.ts'
import { listPage } from '../../lists/list.ts'
import type { Module } from '../../module.ts'
import { limitFor, scope } from '../../rights/scope.ts'
import type { Session } from '../../session/session.ts'
import { orderScope, refuseName } from '../order/order/index.ts'
import { accessLines } from './access-lines.ts'
import { languageRows } from './languages.ts'
import { reveal } from './reveal.ts'

type Frag = RawBuilder<unknown>
const { common } = contract

/** Merchants that a filter or a form may offer: what the data rule says of the merchant alone. */
const merchantScope = (session: Session, merchant: string): Frag =>
  scope(session, { merchant, holder: () => sql`true` })

/** Rows about people `u` with department `d`: oneself, the department, those below it, or the merchants. */
const peopleScope = (session: Session): Frag => {
  switch (limitFor(session)) {
    case 'own':
      return sql`u.user_no = ${session.userNo}`
    case 'dept':
      return sql`u.dept_no = ${session.deptNo}`
    case 'dept_below':
      return sql`u.dept_no = any(${[...session.deptsBelow]})`
    default:
      return merchantScope(session, 'u.principal_merchant_no')
  }
}

type Options = OutputOf<typeof common.merchants>['list']

const merchants = serve(common.merchants, async ({ tx, session }) => ({
  list: await tx.rows(sql<Options[number]>`
    select m.merchant_no as value, m.merchant_name as label from merchant m where ${merchantScope(session, 'm.merchant_no')} order by m.merchant_name, m.merchant_no`),
}))

const products = serve(common.products, async ({ tx, session }) => ({
  list: await tx.rows(sql<Options[number]>`
    select p.product_no as value, p.product_name as label from product p where p.deleted_time is null and ${merchantScope(session, 'p.merchant_no')} order by p.product_name, p.product_no`),
}))

const refuseReasons = serve(common.refuseReasons, async ({ tx, session }) => ({
  list: await tx.rows(sql<Options[number]>`
    select rc.refuse_code as value, ${refuseName(session.language)} as label from refuse_code rc where rc.level = 2 order by label, value`),
}))

const roles = serve(common.roles, async ({ tx }) => ({
  list: await tx.rows(sql<Options[number]>`
    select r.role_no as value, r.role_name as label from role r order by r.role_name, r.role_no`),
}))

const apps = serve(common.apps, async ({ tx, session }) => ({
  list: await tx.rows(sql<Options[number]>`
    select distinct m.app_name as value, m.app_name as label from merchant m where ${merchantScope(session, 'm.merchant_no')} order by label`),
}))

type Nodes = OutputOf<typeof common.people>['list']

/** Tables of the people whom a post's work is given to; who stands in one keeps the post whatever the role. */
const personnel: Partial<Record<Post, Frag>> = { auditor: sql`audit_person` }

/** People `u` of a post: by a role of theirs, or as its personnel. */
const ofPost = (post: Post | undefined): Frag => {
  if (!post) return sql`true`
  const byRole = sql`exists (select 1 from user_role ur join role r using (role_no) where ur.user_no = u.user_no and r.post = ${post})`
  const table = personnel[post]
  return table ? sql`(${byRole} or u.user_no in (select user_no from ${table}))` : byRole
}

/** Branches above the ones that hold something, up to the top; prefixed, since numbers of branches and leaves may be the same. */
const people = serve(common.people, async ({ tx, session, input: { post, staff } }) => ({
  list: await tx.rows(sql<Nodes[number]>`
    with recursive held as (
      select u.user_no, u.real_name, u.dept_no from app_user u
      where ${peopleScope(session)} and ${ofPost(post)}
        and ${staff === 'all' ? sql`true` : sql`u.employee_status = 'on_job' and u.user_status = 'normal'`}),
    above as (
      select d.* from dept d where d.dept_no in (select dept_no from held)
      union select d.* from dept d join above a on d.dept_no = a.parent_dept_no)
    select 'dept:' || dept_no as value, dept_name as label, 'dept:' || parent_dept_no as parent, false as leaf from above
    union all select user_no, real_name, 'dept:' || dept_no, true from held order by leaf, label, value`),
}))

const departments = serve(common.departments, async ({ tx }) => ({
  list: await tx.rows(sql<Nodes[number]>`
    select dept_no as value, dept_name as label, parent_dept_no as parent, true as leaf from dept order by label, value`),
}))

const companies = serve(common.companies, async ({ tx, session }) => ({
  list: await tx.rows(sql<Company>`
    select c.company_code, c.company_name,
      json_agg(json_build_object('merchantNo', m.merchant_no, 'merchantName', m.merchant_name, 'orgName', o.org_name)
        order by o.org_name, m.merchant_name, m.merchant_no) as child_list
    from merchant m join org o using (org_no) join company c using (company_code)
    where ${merchantScope(session, 'm.merchant_no')}
    group by c.company_code, c.company_name order by c.company_name, c.company_code`),
}))

type OrgRow = { orgNo: string; orgName: string; parentOrgNo: string | null }

const childrenOf = (rows: readonly OrgRow[], parent: string | null): Organization[] =>
  rows
    .filter(row => row.parentOrgNo === parent)
    .map(({ orgNo, orgName }) => ({ orgNo, orgName, childSet: childrenOf(rows, orgNo) }))

const organizations = serve(common.organizations, async ({ tx, session }) => ({
  list: childrenOf(
    await tx.rows(sql<OrgRow>`
      with recursive held as (
        select o.* from org o where o.org_no in (select m.org_no from merchant m where ${merchantScope(session, 'm.merchant_no')})
        union select o.* from org o join held h on o.org_no = h.parent_org_no)
      select org_no, org_name, parent_org_no from held order by org_name, org_no`),
    null,
  ),
}))

const languages = serve(common.languages, async ({ tx }) => ({ list: await languageRows(tx) }))

const fundAccounts = serve(common.fundAccounts, async ({ tx, session }) => ({
  list: await tx.rows(sql<OutputOf<typeof common.fundAccounts>['list'][number]>`
    select f.fund_account_no as value, f.account_name as label, f.channel, coalesce(b.balance, 0)::numeric(18,2) as balance
    from fund_account f left join ledger_balance b on b.account_code = 'bank:' || f.fund_account_no
    where f.enabled = 'enabled' and exists (select 1 from fund_account_merchant fm where fm.fund_account_no = f.fund_account_no and ${merchantScope(session, 'fm.merchant_no')})
    order by f.account_name, f.fund_account_no`),
}))

/** Lines about an order follow the order; the others are for those who may see everything, and for the actor. */
const auditScope = (session: Session): Frag =>
  limitFor(session, common.auditLog.perm) === 'all'
    ? sql`true`
    : sql`(a.actor = ${session.userNo} or exists (select 1 from loan_order o where o.order_no = a.order_no and ${orderScope(session, common.auditLog.perm)}))`

const auditLog = serve(common.auditLog, ({ tx, session, input }) =>
  listPage<RowOf<typeof common.auditLog>, typeof input>(tx, common.auditLog, input, {
    from: sql`audit_log a`,
    alias: 'a',
    key: sql`a.audit_no`,
    where: auditScope(session),
  }),
)

/** Lines about an order follow it, whichever of its records was looked at; the others are for those who may see everything, and for the person. */
const accessLog = serve(common.accessLog, ({ tx, session, input }) => {
  const perm = common.accessLog.perm
  const rule =
    limitFor(session, perm) === 'all' && !session.onlyMerchants
      ? sql`true`
      : sql`(x.user_no = ${session.userNo} or (o.order_no is not null and ${orderScope(session, perm)})
          or exists (select 1 from repay_flow f where x.object_type = 'flow' and f.flow_no = x.object_no
            and ${scope(session, { merchant: 'f.merchant_no', holder: person => person(sql`f.created_by`), perm })}))`
  return listPage<RowOf<typeof common.accessLog>, typeof input>(tx, common.accessLog, input, {
    from: accessLines,
    alias: 'x',
    key: sql`x.access_no`,
    where: rule,
    joins: { u: sql`left join app_user u on u.user_no = x.user_no` },
    columns: { realName: sql`coalesce(u.real_name, x.user_no)`, orderNo: sql`o.order_no` },
  })
})

/** What every screen asks for: full values, the choices of filters, and who changed what. */
export const commonModule = (): Module => ({
  served: [
    reveal,
    merchants,
    products,
    roles,
    apps,
    people,
    departments,
    companies,
    organizations,
    languages,
    fundAccounts,
    refuseReasons,
    auditLog,
    accessLog,
  ],
})

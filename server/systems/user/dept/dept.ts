import { sql } from 'kysely'
import { type DeptNode, dept } from '../../../../core/contract/user/dept.ts'
import { serve } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import { limitFor } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

/** Departments that the data rule of the caller reaches; those above them are shown for their place. */
const rule = (session: Session) => {
  switch (limitFor(session, dept.tree.perm)) {
    case 'all':
    case 'own_merchants':
      return sql`true`
    case 'org_below':
      return sql`d.org_no in (
        with recursive orgs as (select org_no from dept where dept_no = ${session.deptNo} union all select below.org_no from org below join orgs on below.parent_org_no = orgs.org_no)
        select org_no from orgs)`
    case 'dept_below':
      return sql`d.dept_no = any(${[...session.deptsBelow]})`
    default:
      return sql`d.dept_no = ${session.deptNo}`
  }
}

const tree = serve(dept.tree, async ({ tx, session }) => ({
  list: await tx.rows(sql<DeptNode>`
    with recursive seen as (
      select d.dept_no, d.dept_name, d.parent_dept_no from dept d where ${rule(session)}
      union select up.dept_no, up.dept_name, up.parent_dept_no from dept up join seen on up.dept_no = seen.parent_dept_no),
    placed as (
      select dept_no, dept_name, parent_dept_no, array[dept_name, dept_no] as place, array[dept_no] as path from seen where parent_dept_no is null
      union all
      select s.dept_no, s.dept_name, s.parent_dept_no, p.place || array[s.dept_name, s.dept_no], p.path || s.dept_no from seen s join placed p on s.parent_dept_no = p.dept_no),
    counted as (
      select dept_no, count(*)::int as n from app_user where user_status = 'normal' and employee_status = 'on_job' group by dept_no)
    select p.dept_no, p.dept_name, p.parent_dept_no as parent_no, coalesce(c.n, 0) as user_count,
      (select coalesce(sum(b.n), 0)::int from placed q join counted b on b.dept_no = q.dept_no where p.dept_no = any(q.path)) as user_count_below
    from placed p left join counted c on c.dept_no = p.dept_no order by p.place`),
}))

/** The tree of departments. */
export const deptModule = (): Module => ({ served: [tree] })

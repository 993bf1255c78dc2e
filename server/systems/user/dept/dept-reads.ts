import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { DeptNode, DeptRow } from '../../../../core/contract/user/dept.ts'
import { type LimitType, limitRank } from '../../../../core/contract/user/role.ts'
import { isKey, text } from '../../../../core/i18n/server.ts'
import { type Nested, nested } from '../../../../core/rules/tree.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { selected } from '../../../lists/list.ts'
import { listed } from '../../../lists/listed.ts'
import { deptScope } from '../../../rights/dept-scope.ts'
import type { Session } from '../../../session/session.ts'
import { deptBlocks } from './dept-blocks.ts'
import { deptColumns } from './dept-source.ts'

type Frag = RawBuilder<unknown>
const { dept, people } = contract
const pagePerm = dept.page.perm as string
const like = (words: string) => `%${words.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** The departments that a reader lists. */
export const depts = listed({
  list: dept.page,
  source: ({ session }) => ({
    from: sql`dept d`,
    where: deptScope(session, pagePerm),
    alias: 'd',
    key: sql`d.dept_no`,
    columns: deptColumns,
    filters: {
      parentNo: (no: string) => sql`d.parent_dept_no = ${no}`,
      search: (words: string) => sql`(lower(d.dept_name) like ${like(words)} or lower(d.dept_no) like ${like(words)})`,
      orgNo: (no: string) => sql`d.org_no in (
        with recursive below as (select org_no from org where org_no = ${no} union select o.org_no from org o join below on o.parent_org_no = below.org_no)
        select org_no from below)`,
    },
  }),
  blocked: (at, rows) =>
    deptBlocks.of(
      at,
      rows.map(row => row.deptNo),
    ),
})

/** Under which code a tree is asked for: what is not held gives way to the other. */
const treePerm = (session: Session, of: 'departments' | 'people'): string => {
  const [first, second] = of === 'people' ? [people.page.perm, pagePerm] : [pagePerm, people.page.perm]
  return session.perms.has(first as string) ? (first as string) : (second as string)
}

type Found = Omit<DeptRow, 'blockedBy'> & { reached: boolean }
const names = Object.keys(dept.page.row.shape).filter(name => name !== 'blockedBy')

/** Departments that are reached, and those above them for their place. */
const readTree = (rule: Frag): RawBuilder<Found> => sql<Found>`
  with recursive seen as (
    select d.dept_no, d.parent_dept_no from dept d where ${rule}
    union select up.dept_no, up.parent_dept_no from dept up join seen on up.dept_no = seen.parent_dept_no)
  select ${sql.join(selected({ from: sql``, where: sql``, alias: 'd', key: sql``, columns: deptColumns }, names))}, (${rule}) as reached
  from dept d where d.dept_no in (select dept_no from seen) order by d.sort, d.dept_name, d.dept_no`

const sumOf = (nodes: readonly DeptNode[], of: (node: DeptNode) => number): number =>
  nodes.reduce((sum, node) => sum + of(node), 0)

/** A department as it is answered; of one that is out of reach nothing is counted but what lies within. */
const named = (node: Nested<Omit<DeptNode, 'childList' | 'name'>>): DeptNode => {
  const childList = node.childList.map(named)
  const whole = { ...node, name: node.deptName, childList }
  if (node.reached) return whole
  return {
    ...whole,
    ...{ leaderNo: null, leaderName: null, userCount: 0, subCount: childList.length },
    subCountBelow: sumOf(childList, child => 1 + child.subCountBelow),
    userCountBelow: sumOf(childList, child => child.userCountBelow),
  }
}

const tree = serve(dept.tree, async ({ tx, session, input }) => {
  const rows = await tx.rows(readTree(deptScope(session, treePerm(session, input.of))))
  const said = await deptBlocks.of(
    { tx, session },
    rows.map(row => row.deptNo),
  )
  const known = rows.map((row, at) => ({ ...row, blockedBy: said[at] ?? {} }))
  return {
    list: nested(
      known,
      row => row.deptNo,
      row => row.parentNo,
    ).map(named),
  }
})

type Page = { menuNo: string; menuName: string; roleName: string; limitType: LimitType; memberCount: number }

const detail = serve(dept.detail, async ({ tx, session, input: { deptNo } }) => {
  const found = await tx.maybe(
    sql<{
      deptName: string
    }>`select d.dept_name from dept d where d.dept_no = ${deptNo} and ${deptScope(session, pagePerm)}`,
  )
  if (!found) throw notFound()
  const pages = await tx.rows(sql<Page>`
    select m.menu_no, m.menu_name, r.role_name, rm.limit_type, count(distinct u.user_no)::int as member_count
    from app_user u join user_role using (user_no) join role r using (role_no) join role_menu rm using (role_no) join live_menu m using (menu_no)
    where u.dept_no = ${deptNo} and m.menu_type = 'page' and rm.limit_type in ('dept', 'dept_below')
    group by 1, 2, 3, 4 order by m.menu_no, r.role_name`)
  return {
    deptNo,
    deptName: found.deptName,
    pages: pages
      .map(page => ({
        ...page,
        menuName: isKey(page.menuName) ? text(session.language, page.menuName) : page.menuName,
      }))
      .sort((a, b) => limitRank(a.limitType) - limitRank(b.limitType)),
  }
})

export const deptReads = [tree, detail]

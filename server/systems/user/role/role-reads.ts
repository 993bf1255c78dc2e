import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { routeOf } from '../../../../core/contract/routes.ts'
import { sensitiveKind } from '../../../../core/contract/sensitive-kinds.ts'
import { cappedLimit, type LimitType, limitTypes, type RoleNature } from '../../../../core/contract/user/role.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { menuNameIn } from '../../../rights/menus.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import { flagsOf, nameOf } from './codes.ts'
import { allNodes, permOf, type Role, rightsOfRole } from './rights-of-role.ts'

const { role } = contract
const most = 200

const detail = serve(role.detail, async ({ tx, input: { roleNo } }) => {
  const found = await tx.maybe(sql<Role>`
    select role_no, role_nature, sensitive_perms, version from role where role_no = ${roleNo}`)
  if (!found) throw notFound()
  const { nodes, rules, kinds } = await rightsOfRole(tx, found)
  const held = await allNodes(tx, sql`menu_no = any(${[...nodes]})`)
  const gone = new Set(held.flatMap(node => (node.gone ? [node.menuNo] : [])))
  return {
    roleNo,
    roleNature: found.roleNature,
    permissions: [...nodes].filter(menuNo => !gone.has(menuNo)),
    dataRules: [...rules].flatMap(([menuNo, limitType]) => (gone.has(menuNo) ? [] : [{ menuNo, limitType }])),
    sensitivePerms: [...kinds],
    orphans: held.flatMap(({ menuNo, perms, gone: isGone }) => (isGone ? [{ menuNo, code: perms ?? menuNo }] : [])),
    version: found.version,
  }
})

const catalogue = serve(role.catalogue, async ({ tx, session }) => ({
  nodes: (await allNodes(tx, sql`gone_time is null and deleted_time is null`)).map(
    ({ gone: _, nameZh, nameEn, nameSw, ...node }) => {
      const isButton = node.menuType === 'button'
      const code = node.perms ?? ''
      const flags = isButton ? flagsOf(code) : { money: false, stepUp: false, checked: false }
      const named = { menuName: node.menuName, nameZh, nameEn, nameSw }
      return {
        ...node,
        ...flags,
        menuName: menuNameIn(session.language, named, isButton ? language => nameOf(language, code) : undefined),
        reads: isButton && node.parentMenuNo !== null && routeOf(node.parentMenuNo)?.perm === node.perms,
        limitTypes: node.menuType === 'page' ? node.limitTypes : [],
      }
    },
  ),
  kinds: [...sensitiveKind.values],
}))

type Holder = {
  roleNo: string
  roleName: string
  roleNature: RoleNature
  limits: LimitType[]
  memberCount: number
}

const whoMay = serve(role.whoMay, async ({ tx, session, input: { code } }) => {
  const kind = sensitiveKind.values.find(one => one === code || permOf(one) === code)
  const holding = kind
    ? sql`select role_no, '{}'::text[] as limits from role where ${permOf(kind)} = any(sensitive_perms)`
    : sql`select rm.role_no, array_agg(coalesce(page.limit_type, 'own')) as limits
        from role_menu rm join live_menu m using (menu_no)
        left join role_menu page on page.role_no = rm.role_no and page.menu_no = m.parent_menu_no
        where m.perms = ${code} group by rm.role_no`
  const holders = await tx.rows(sql<Holder>`
    select r.role_no, r.role_name, r.role_nature, h.limits,
      (select count(*)::int from user_role ur where ur.role_no = r.role_no) as member_count
    from (${holding}) h join role r using (role_no) order by r.role_name`)
  const widestOf = (limits: readonly (LimitType | null | undefined)[]) =>
    limitTypes.values.findLast(limit => limits.includes(limit)) ?? null
  const roles = holders.map(({ roleNature, limits, ...one }) => {
    const widest = widestOf(limits)
    return { ...one, limitType: widest && cappedLimit(widest, roleNature) }
  })
  const limitOf = new Map(roles.map(one => [one.roleNo, one.limitType]))
  const found = await tx.rows(sql<{
    userNo: string
    realName: string
    deptName: string
    roleNos: string[]
    roleNames: string[]
  }>`
    select u.user_no, u.real_name, d.dept_name, array_agg(r.role_no order by r.role_name) as role_nos, array_agg(r.role_name order by r.role_name) as role_names
    from app_user u join dept d on d.dept_no = u.dept_no join user_role ur on ur.user_no = u.user_no join role r on r.role_no = ur.role_no
    where ur.role_no = any(${[...limitOf.keys()]}) and u.user_status = 'normal' and u.employee_status = 'on_job'
      and ${peopleScope(session, role.whoMay.perm as string)}
    group by u.user_no, u.real_name, d.dept_name order by u.real_name, u.user_no`)
  return {
    roles,
    people: found
      .slice(0, most)
      .map(({ roleNos, ...one }) => ({ ...one, limitType: widestOf(roleNos.map(no => limitOf.get(no))) })),
    total: found.length,
  }
})

const candidates = serve(role.candidates, async ({ tx, session, input: { roleNo, text: words } }) => {
  const like = `${words.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return {
    list: await tx.rows(sql<{ userNo: string; realName: string; deptName: string }>`
      select u.user_no, u.real_name, d.dept_name from app_user u join dept d on d.dept_no = u.dept_no
      where (lower(u.real_name) like ${like} or lower(u.login_id) like ${like} or lower(u.user_no) like ${like})
        and u.user_status = 'normal' and u.employee_status = 'on_job' and u.user_no <> ${session.userNo}
        and not exists (select 1 from user_role ur where ur.user_no = u.user_no and ur.role_no = ${roleNo})
        and ${peopleScope(session, role.candidates.perm as string)}
      order by u.real_name, u.user_no limit 20`),
  }
})

export const roleReads = [detail, catalogue, whoMay, candidates]

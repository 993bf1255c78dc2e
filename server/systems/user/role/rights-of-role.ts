import { type RawBuilder, sql } from 'kysely'
import { type SensitiveKindName, sensitiveKind } from '../../../../core/contract/sensitive-kinds.ts'
import {
  cappedLimit,
  type DataRule,
  type LimitType,
  limitRank,
  type RoleNature,
} from '../../../../core/contract/user/role.ts'
import type { Tx } from '../../../db/database.ts'
import { flagsOf } from './codes.ts'

const reveal = 'pii:reveal:'
/** A sensitive kind as roles keep it. */
export const permOf = (kind: SensitiveKindName): string => (kind === 'unmask' ? 'pii:unmask' : `${reveal}${kind}`)
export const kindsOf = (perms: readonly string[]): SensitiveKindName[] =>
  sensitiveKind.values.filter(kind => perms.includes(permOf(kind)))

/** An entry of the menu that can be granted. */
export type Node = {
  menuNo: string
  parentMenuNo: string | null
  menuName: string
  menuType: 'catalog' | 'page' | 'button' | 'external'
  perms: string | null
  sort: number
  gone: boolean
  nameZh: string | null
  nameEn: string | null
  nameSw: string | null
  dataEntity: string
  /** Data rules that the page allows, and the one that it begins with. */
  limitTypes: LimitType[]
  defaultLimitType: LimitType
  live: boolean
}

export const allNodes = (tx: Tx, where: RawBuilder<unknown> = sql`true`): Promise<Node[]> =>
  tx.rows(sql<Node>`
    select menu_no, parent_menu_no, menu_name, menu_type, perms, sort, gone_time is not null or deleted_time is not null as gone,
      name_zh, name_en, name_sw, data_entity, limit_types, default_limit_type, menu_no in (select menu_no from live_menu) as live
    from menu where ${where} order by sort, menu_no`)

export type Role = {
  roleNo: string
  roleName: string
  roleNature: RoleNature
  post: string | null
  remark: string | null
  sensitivePerms: string[]
  version: number
}

/** What a role has: entries of the menu, the data rule of each page, sensitive kinds. */
export type Rights = {
  nodes: ReadonlySet<string>
  rules: ReadonlyMap<string, LimitType>
  kinds: ReadonlySet<SensitiveKindName>
}

/** The rights of a role, catalogs left out: they are shown for what lies in them. */
export const rightsOfRole = async (tx: Tx, { roleNo, sensitivePerms }: Pick<Role, 'roleNo' | 'sensitivePerms'>) => {
  const rows = await tx.rows(sql<{ menuNo: string; menuType: Node['menuType']; limitType: LimitType | null }>`
    select rm.menu_no, m.menu_type, rm.limit_type from role_menu rm join menu m using (menu_no)
    where rm.role_no = ${roleNo} and m.menu_type <> 'catalog' order by rm.menu_no`)
  return {
    nodes: new Set(rows.map(row => row.menuNo)),
    rules: new Map(
      rows.flatMap(row => (row.menuType === 'page' ? [[row.menuNo, row.limitType ?? 'own'] as const] : [])),
    ),
    kinds: new Set(kindsOf(sensitivePerms)),
  } satisfies Rights
}

/** Whether a page holds a code on money. */
const moneyPages = (nodes: readonly Node[]): ReadonlySet<string> =>
  new Set(
    nodes.flatMap(({ menuType, parentMenuNo, perms, gone }) =>
      menuType === 'button' && parentMenuNo && perms && !gone && flagsOf(perms).money ? [parentMenuNo] : [],
    ),
  )

/** What a role gains: at once, or when a second person agrees. */
export type Gain = { permissions: string[]; dataRules: DataRule[]; sensitivePerms: SensitiveKindName[] }
export type Difference = {
  now: Gain
  waiting: Gain
  lost: { permissions: string[]; dataRules: DataRule[]; sensitivePerms: SensitiveKindName[] }
}

const nothing = (): Gain => ({ permissions: [], dataRules: [], sensitivePerms: [] })
export const sizeOf = ({ permissions, dataRules, sensitivePerms }: Gain): number =>
  permissions.length + dataRules.length + sensitivePerms.length

/**
 * What changes between the rights of a role and those wanted (user.md, section 7). With `own`, the role is one of the caller's: whatever
 * it gains waits for a second person.
 */
export const difference = (
  nodes: readonly Node[],
  held: Rights,
  wanted: Rights,
  { nature, own }: { nature: RoleNature; own: boolean },
): Difference => {
  const by = new Map(nodes.map(node => [node.menuNo, node]))
  const money = moneyPages(nodes)
  const [now, waiting, lost] = [nothing(), nothing(), nothing()]
  for (const menuNo of wanted.nodes) {
    if (held.nodes.has(menuNo)) continue
    const { menuType, perms } = by.get(menuNo) as Node
    const checked = menuType === 'button' && flagsOf(perms ?? '').checked
    ;(own || checked ? waiting : now).permissions.push(menuNo)
  }
  for (const menuNo of held.nodes) if (!wanted.nodes.has(menuNo)) lost.permissions.push(menuNo)
  for (const [menuNo, limitType] of wanted.rules) {
    const before = held.rules.get(menuNo) ?? 'own'
    if (before === limitType) continue
    const wider = limitRank(cappedLimit(limitType, nature)) > limitRank(cappedLimit(before, nature))
    const into = !wider ? lost : own || money.has(menuNo) ? waiting : now
    into.dataRules.push({ menuNo, limitType })
  }
  for (const kind of wanted.kinds) if (!held.kinds.has(kind)) waiting.sensitivePerms.push(kind)
  for (const kind of held.kinds) if (!wanted.kinds.has(kind)) lost.sensitivePerms.push(kind)
  return { now, waiting, lost }
}

/** Writes what a role gains and loses. */
export const writeRights = async (
  tx: Tx,
  role: Pick<Role, 'roleNo'>,
  { gained, lost }: { gained: Gain; lost: Gain },
): Promise<void> => {
  const { roleNo } = role
  await tx.exec(sql`
    delete from role_menu rm using menu m where rm.role_no = ${roleNo} and m.menu_no = rm.menu_no
      and (m.menu_type = 'catalog' or m.menu_no = any(${lost.permissions}))`)
  if (lost.permissions.length)
    await tx.exec(sql`update role set every_code = false where role_no = ${roleNo} and every_code`)
  if (gained.permissions.length)
    await tx.exec(sql`
      insert into role_menu (role_no, menu_no, limit_type)
      select ${roleNo}, menu_no, case menu_type when 'page' then 'own' end from menu where menu_no = any(${gained.permissions})
      on conflict do nothing`)
  for (const { menuNo, limitType } of [...lost.dataRules, ...gained.dataRules])
    await tx.exec(sql`update role_menu set limit_type = ${limitType} where role_no = ${roleNo} and menu_no = ${menuNo}`)
  const [more, less] = [gained.sensitivePerms.map(permOf), lost.sensitivePerms.map(permOf)]
  if (more.length || less.length)
    await tx.exec(sql`
      update role set sensitive_perms = array(
        select distinct one from unnest(sensitive_perms || ${more}::text[]) one where one <> all(${less}::text[]) order by 1)
      where role_no = ${roleNo}`)
}

import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { routes } from '../../../../core/contract/routes.ts'
import {
  cappedLimit,
  limitRank,
  notOutsourced,
  type RoleNature,
  widestLimit,
} from '../../../../core/contract/user/role.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { askGrant } from './grant.ts'
import { keepsAdministrator } from './last-holder.ts'
import {
  allNodes,
  difference,
  type Gain,
  type Node,
  type Rights,
  type Role,
  rightsOfRole,
  sizeOf,
  writeRights,
} from './rights-of-role.ts'
import { isMember, isWaiting, lockRole, touch } from './role-store.ts'

type Wanted = Pick<ParsedOf<typeof contract.role.permissions>, 'permissions' | 'dataRules' | 'sensitivePerms'>

/** The button that a page opens with. */
const readOf = (page: Node, nodes: readonly Node[]): Node | undefined => {
  const { perm } = routes.find(route => route.path === page.perms) ?? {}
  return perm ? nodes.find(node => node.parentMenuNo === page.menuNo && node.perms === perm) : undefined
}

/** The rights that were sent, each in its place: a button stands on its page, and a page opens with its read code. */
const placed = (nodes: readonly Node[], held: Rights, wanted: Wanted, nature: RoleNature): Rights => {
  const by = new Map(nodes.map(node => [node.menuNo, node]))
  const chosen = new Set(wanted.permissions)
  for (const menuNo of wanted.permissions) {
    const node = by.get(menuNo)
    const isThere = node && !node.gone && node.menuType !== 'catalog'
    if (!isThere && !held.nodes.has(menuNo)) throw invalid('permissions', 'errors.roleUnknown', { code: menuNo })
    if (!node || node.gone) continue
    if (node.menuType === 'button' && node.parentMenuNo && !chosen.has(node.parentMenuNo))
      throw invalid('permissions', 'errors.rolePage', { code: node.perms ?? menuNo })
    const read = node.menuType === 'page' ? readOf(node, nodes) : undefined
    if (read) chosen.add(read.menuNo)
  }
  const rules = new Map(
    [...chosen].flatMap(menuNo =>
      by.get(menuNo)?.menuType === 'page'
        ? [[menuNo, held.rules.get(menuNo) ?? cappedLimit(by.get(menuNo)?.defaultLimitType ?? 'own', nature)] as const]
        : [],
    ),
  )
  for (const { menuNo, limitType } of wanted.dataRules) {
    if (!rules.has(menuNo)) throw invalid('dataRules', 'errors.rolePage', { code: menuNo })
    const isNew = held.rules.get(menuNo) !== limitType
    if (isNew && limitRank(limitType) > limitRank(widestLimit[nature])) throw invalid('dataRules', 'errors.roleCap')
    if (isNew && !by.get(menuNo)?.limitTypes.includes(limitType)) throw invalid('dataRules', 'errors.roleLimit')
    rules.set(menuNo, limitType)
  }
  const never = nature === 'outsourced' ? wanted.sensitivePerms.find(kind => notOutsourced.includes(kind)) : undefined
  if (never) throw invalid('sensitivePerms', 'errors.roleOutsourced', { kind: `dict.SENSITIVE_KIND.${never}` })
  return { nodes: chosen, rules, kinds: new Set(wanted.sensitivePerms) }
}

const logged = ({ permissions, dataRules, sensitivePerms }: Gain) => ({ permissions, dataRules, sensitivePerms })

/** Puts the rights of a role in force as far as one person may, and asks a second one for the rest. Call it with the role locked. */
export const changeRights = async (
  call: Pick<Call, 'tx' | 'session' | 'actor' | 'audit'>,
  role: Role,
  wanted: Wanted,
): Promise<{ version: number; approvalNo: string | null; added: number; removed: number; waiting: number }> => {
  const { tx, session, actor } = call
  const nodes = await allNodes(tx)
  const held = await rightsOfRole(tx, role)
  const own = await isMember(tx, session, role.roleNo)
  const rights = placed(nodes, held, wanted, role.roleNature)
  const { now, waiting, lost } = difference(nodes, held, rights, { nature: role.roleNature, own })
  const [added, removed, waits] = [sizeOf(now), sizeOf(lost), sizeOf(waiting)]
  if (added + waits > 0 && (await isWaiting(tx, role.roleNo))) throw new Fault('stateConflict', 'errors.approvalWaits')
  if (added + removed > 0) {
    await writeRights(tx, role, { gained: now, lost })
    if (removed > 0) await keepsAdministrator(tx)
  }
  const version = await touch(tx, role.roleNo, actor)
  const approvalNo = waits > 0 ? await askGrant(call, { ...role, version }, waiting) : null
  call.audit({
    objectType: 'role',
    objectNo: role.roleNo,
    before: { lost: logged(lost) },
    after: { added: logged(now), ...(approvalNo ? { approvalNo, waiting: logged(waiting) } : {}) },
  })
  return { version, approvalNo, added: added + waits, removed, waiting: waits }
}

export const permissions = serve(contract.role.permissions, async call => {
  const { roleNo, version, ...wanted } = call.input
  return changeRights(call, await lockRole(call.tx, roleNo, version), wanted)
})

/** Everything that a role has, as a call would send it. */
export const wantedOf = async (tx: Call['tx'], role: Role): Promise<Wanted> => {
  const { nodes, rules, kinds } = await rightsOfRole(tx, role)
  const gone = await tx.rows(sql<{ menuNo: string }>`
    select menu_no from menu where (gone_time is not null or deleted_time is not null) and menu_no = any(${[...nodes]})`)
  const orphans = new Set(gone.map(row => row.menuNo))
  return {
    permissions: [...nodes].filter(menuNo => !orphans.has(menuNo)),
    dataRules: [...rules].flatMap(([menuNo, limitType]) => (orphans.has(menuNo) ? [] : [{ menuNo, limitType }])),
    sensitivePerms: [...kinds],
  }
}

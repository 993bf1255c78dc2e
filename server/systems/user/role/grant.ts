import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { SensitiveKindName } from '../../../../core/contract/sensitive-kinds.ts'
import type { RoleNature } from '../../../../core/contract/user/role.ts'
import { requestApproval, type SummaryLine } from '../../../approval/approval.ts'
import { Fault } from '../../../http/fault.ts'
import type { Call } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import { writeAudit } from '../../../rights/audit-rows.ts'
import { allNodes, type Gain, type Node, type Role, writeRights } from './rights-of-role.ts'
import { lockRole, touch } from './role-store.ts'

const perm = contract.role.permissions.perm as string
const action = 'role.grant'
const none: Gain = { permissions: [], dataRules: [], sensitivePerms: [] }

type Asked = Gain & { roleNature?: RoleNature }

const named = (nodes: readonly Node[]) => {
  const by = new Map(nodes.map(node => [node.menuNo, node]))
  return (menuNo: string) => by.get(menuNo)?.menuName ?? menuNo
}

const listed = (label: string, words: readonly string[]): SummaryLine[] =>
  words.length ? [{ label, before: null, after: words.join(', ') }] : []

const summaryOf = (role: Role, nodes: readonly Node[], asked: Asked): SummaryLine[] => {
  const nameOf = named(nodes)
  return [
    { label: 'fields.roleName', before: null, after: role.roleName },
    ...(asked.roleNature
      ? [
          {
            label: 'fields.roleNature',
            before: `dict.ROLE_NATURE.${role.roleNature}`,
            after: `dict.ROLE_NATURE.${asked.roleNature}`,
          },
        ]
      : []),
    ...listed('fields.permissions', asked.permissions.map(nameOf)),
    ...asked.dataRules.map(({ menuNo, limitType }) => ({
      label: nameOf(menuNo),
      before: null,
      after: `dict.LIMIT_TYPE.${limitType}`,
    })),
    ...asked.sensitivePerms.map(kind => ({
      label: 'fields.sensitivePerms',
      before: null,
      after: `dict.SENSITIVE_KIND.${kind}`,
    })),
  ]
}

/** Asks a second person for what a role is to gain. Call it with the role locked; `version` is the one that the caller will see. */
export const askGrant = async (call: Pick<Call, 'tx' | 'session' | 'actor'>, role: Role, asked: Asked) =>
  requestApproval(call, {
    action,
    perm,
    objectType: 'role',
    objectNo: role.roleNo,
    version: role.version,
    payload: asked,
    summary: summaryOf(role, await allNodes(call.tx), asked),
  })

/** What was agreed to still has its place: the codes exist, and the role has the pages they stand on. */
const checkPlaces = async (tx: Call['tx'], roleNo: string, { permissions, dataRules }: Gain) => {
  const named = [...permissions, ...dataRules.map(rule => rule.menuNo)]
  const nodes = await allNodes(tx, sql`menu_no = any(${named})`)
  const by = new Map(nodes.map(node => [node.menuNo, node]))
  const held = new Set(
    (await tx.rows(sql<{ menuNo: string }>`select menu_no from role_menu where role_no = ${roleNo}`)).map(
      row => row.menuNo,
    ),
  )
  const has = (menuNo: string) => held.has(menuNo) || permissions.includes(menuNo)
  const lost = named.find(menuNo => {
    const node = by.get(menuNo)
    if (!node || node.gone) return true
    return node.menuType === 'button' && node.parentMenuNo ? !has(node.parentMenuNo) : !has(menuNo)
  })
  if (lost) throw new Fault('stateConflict', 'errors.roleGrantOver', { code: by.get(lost)?.perms ?? lost })
}

/** What a role gains when a second person agrees. */
export const grantAction: ApprovalAction = {
  action,
  perm,
  money: true,
  async execute(tx, { objectNo, payload, maker, checker }) {
    const role = await lockRole(tx, objectNo)
    const asked = payload as unknown as Asked
    const gained: Gain = { ...none, ...asked, sensitivePerms: asked.sensitivePerms as SensitiveKindName[] }
    await checkPlaces(tx, objectNo, gained)
    if (asked.roleNature)
      await tx.exec(sql`update role set role_nature = ${asked.roleNature} where role_no = ${objectNo}`)
    await writeRights(tx, role, { gained, lost: none })
    await touch(tx, objectNo, maker)
    writeAudit(tx, { action: 'role.granted', path: '', actor: checker }, [
      {
        objectType: 'role',
        objectNo,
        before: asked.roleNature ? { roleNature: role.roleNature } : null,
        after: { ...asked, makerNo: maker.no },
      },
    ])
  },
}

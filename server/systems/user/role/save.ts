import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import type { SensitiveKindName } from '../../../../core/contract/sensitive-kinds.ts'
import { cappedLimit, type DataRule, notOutsourced, type RoleNature } from '../../../../core/contract/user/role.ts'
import { text } from '../../../../core/i18n/server.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import { askGrant } from './grant.ts'
import { changeRights, wantedOf } from './permissions.ts'
import { allNodes, type Role, rightsOfRole, writeRights } from './rights-of-role.ts'
import { isWider, lockRole, named, refuseWaiting, touch } from './role-store.ts'

type Save = Call<ParsedOf<typeof contract.role.save>>
const nothing = { permissions: [], dataRules: [], sensitivePerms: [] }

const basicsOf = ({ roleName, post, remark }: Save['input']) => ({
  roleName,
  post: post ?? null,
  remark: remark || null,
})

const make = async (call: Save) => {
  const { tx, actor, input, audit } = call
  const roleNo = newNo('RL', tx.now)
  const { roleName, post, remark } = basicsOf(input)
  await named(() =>
    tx.exec(sql`
      insert into role (role_no, role_name, role_nature, post, remark, updated_by, updated_time)
      values (${roleNo}, ${roleName}, ${input.roleNature}, ${post}, ${remark}, ${actor.no}, ${tx.now})`),
  )
  audit({ objectType: 'role', objectNo: roleNo, after: { ...basicsOf(input), roleNature: input.roleNature } })
  if (!input.copyOf) return { roleNo, version: 0, approvalNo: null }
  const source = await lockRole(tx, input.copyOf)
  const made = await lockRole(tx, roleNo)
  const wanted = await wantedOf(tx, source)
  const allowed = {
    ...wanted,
    dataRules: wanted.dataRules.map(({ menuNo, limitType }) => ({
      menuNo,
      limitType: cappedLimit(limitType, input.roleNature),
    })),
    sensitivePerms: wanted.sensitivePerms.filter(kind => isAllowed(kind, input.roleNature)),
  }
  const { version, approvalNo } = await changeRights(call, made, allowed)
  return { roleNo, version, approvalNo }
}

const isAllowed = (kind: SensitiveKindName, nature: RoleNature) =>
  nature !== 'outsourced' || !notOutsourced.includes(kind)

/** Rights of a role that a narrower nature does not allow. */
const beyond = async (tx: Call['tx'], role: Role, nature: RoleNature) => {
  const { rules, kinds } = await rightsOfRole(tx, role)
  const dataRules = [...rules].flatMap(([menuNo, limit]): DataRule[] => {
    const limitType = cappedLimit(limit, nature)
    return limitType === limit ? [] : [{ menuNo, limitType }]
  })
  return { permissions: [], dataRules, sensitivePerms: [...kinds].filter(kind => !isAllowed(kind, nature)) }
}

/** Takes what a narrower nature does not allow, once the caller has seen it. */
const narrow = async ({ tx, session, input }: Save, role: Role) => {
  const lost = await beyond(tx, role, input.roleNature)
  if (lost.dataRules.length + lost.sensitivePerms.length === 0) return
  if (!input.confirmNarrow) {
    const nodes = new Map((await allNodes(tx)).map(node => [node.menuNo, node]))
    const say = (key: string) => text(session.language, key as never)
    const names = [
      ...lost.dataRules.map(rule => say(nodes.get(rule.menuNo)?.menuName ?? rule.menuNo)),
      ...lost.sensitivePerms.map(kind => say(`dict.SENSITIVE_KIND.${kind}`)),
    ]
    throw new Fault(
      'needsConfirmation',
      'errors.roleNarrow',
      { names: names.join(', ') },
      { confirm: ['confirmNarrow'] },
    )
  }
  await writeRights(tx, role, { gained: nothing, lost })
}

const edit = async (call: Save, roleNo: string) => {
  const { tx, session, actor, input, audit } = call
  if (input.version === undefined) throw invalid('version', 'validation.infoComplete')
  const role = await lockRole(tx, roleNo, input.version)
  const { roleName, post, remark } = basicsOf(input)
  const to = input.roleNature
  const widens = to !== role.roleNature && isWider(to, role.roleNature)
  if (to !== role.roleNature) await refuseWaiting(tx, roleNo)
  if (to !== role.roleNature && !widens) await narrow(call, role)
  const nature = widens ? role.roleNature : to
  await named(() =>
    tx.exec(sql`
      update role set role_name = ${roleName}, role_nature = ${nature}, post = ${post}, remark = ${remark} where role_no = ${roleNo}`),
  )
  const version = await touch(tx, roleNo, actor)
  const approvalNo = widens
    ? await askGrant({ tx, session, actor }, { ...role, version }, { ...nothing, roleNature: to })
    : null
  audit({
    objectType: 'role',
    objectNo: roleNo,
    before: { roleName: role.roleName, roleNature: role.roleNature, post: role.post, remark: role.remark },
    after: { roleName, roleNature: nature, post, remark, ...(approvalNo ? { approvalNo } : {}) },
  })
  return { roleNo, version, approvalNo }
}

export const save = serve(contract.role.save, async call => {
  const { roleNo } = call.input
  return roleNo === undefined ? make(call) : edit(call, roleNo)
})

export const remove = serve(contract.role.remove, async ({ tx, input: { roleNo, version }, audit }) => {
  const role = await lockRole(tx, roleNo, version)
  await refuseWaiting(tx, roleNo)
  const { n } = await tx.one(sql<{ n: number }>`select count(*)::int as n from user_role where role_no = ${roleNo}`)
  if (n > 0) throw new Fault('stateConflict', 'errors.roleMembers', { n })
  await tx.exec(sql`delete from role_menu where role_no = ${roleNo}`)
  await tx.exec(sql`delete from role where role_no = ${roleNo}`)
  audit({ objectType: 'role', objectNo: roleNo, before: { roleName: role.roleName } })
  return {}
})

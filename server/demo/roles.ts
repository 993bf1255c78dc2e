import { sql } from 'kysely'
import { pathOf } from '../../core/contract/pages.ts'
import { menuItem } from '../../core/contract/user/menu.ts'
import type { Tx } from '../db/database.ts'
import { writeAudit } from '../rights/audit-rows.ts'
import type { Limit } from '../rights/held-rights.ts'
import { rightsOfPerson } from '../session/session.ts'
import { create, transition } from '../states/transition.ts'
import { askGrant, lockRole } from '../systems/user/role/index.ts'
import { userNoOf } from './staff.ts'

type Extra = {
  roleNo: string
  roleName: string
  roleNature: 'headquarters' | 'outsourced'
  post: string
  /** The role whose entries it has. */
  like: string
  limit: Limit
  kinds?: readonly string[]
  remark?: string
}

const shortPath = pathOf('AuditSystem', 'OrderManagementAbridgment')
const orders = 'mkopo-audit-order-management'
const payouts = 'mkopo-after-loan-loan-management'

/** Posts that nobody of the demo has yet, beside those of its people. */
const extras: readonly Extra[] = [
  {
    roleNo: 'collectorNew',
    roleName: 'Collector, new stage',
    roleNature: 'headquarters',
    post: 'collectorNew',
    like: 'collector',
    limit: 'own_merchants',
    kinds: ['pii:reveal:phone'],
  },
  {
    roleNo: 'collectorLate',
    roleName: 'Later-stage collector',
    roleNature: 'headquarters',
    post: 'collector',
    like: 'collector',
    limit: 'own_merchants',
    kinds: ['pii:reveal:phone', 'pii:reveal:contacts'],
    remark: 'From day 31',
  },
  {
    roleNo: 'teleLead',
    roleName: 'Telemarketing lead',
    roleNature: 'headquarters',
    post: 'telemarketer',
    like: 'telemarketer',
    limit: 'dept_below',
  },
  {
    roleNo: 'risk',
    roleName: 'Risk',
    roleNature: 'headquarters',
    post: 'finance',
    like: 'customerService',
    limit: 'all',
    kinds: ['pii:reveal:idNumber', 'pii:reveal:device'],
  },
  {
    roleNo: 'operations',
    roleName: 'Operations',
    roleNature: 'headquarters',
    post: 'traffic',
    like: 'customerService',
    limit: 'all',
    remark: 'Wants to confirm payouts',
  },
  {
    roleNo: 'agencyCollector',
    roleName: 'Agency collector',
    roleNature: 'outsourced',
    post: 'collector',
    like: 'collector',
    limit: 'own_merchants',
    kinds: ['pii:reveal:phone'],
    remark: 'Kampala Recoveries',
  },
]

const posts: Readonly<Record<string, string>> = {
  administrator: 'administrator',
  auditLead: 'auditor',
  auditor: 'auditor',
  financeMaker: 'finance',
  financeChecker: 'finance',
  collectionLead: 'collector',
  collector: 'collector',
  customerService: 'customerService',
  telemarketer: 'telemarketer',
}

/** Sixteen roles: one with a code on money that waits for a second person, one with a code of an older version. */
export const writeRoles = async (tx: Tx): Promise<void> => {
  const admin = userNoOf('admin')
  for (const [roleNo, post] of Object.entries(posts))
    await tx.exec(
      sql`update role set post = ${post}, updated_by = ${admin}, updated_time = ${tx.now} where role_no = ${roleNo}`,
    )
  for (const { roleNo, roleName, roleNature, post, like, limit, kinds = [], remark = null } of extras) {
    await tx.exec(sql`
      insert into role (role_no, role_name, role_nature, post, remark, sensitive_perms, updated_by, updated_time)
      values (${roleNo}, ${roleName}, ${roleNature}, ${post}, ${remark}, ${kinds as string[]}, ${admin}, ${tx.now})`)
    await tx.exec(sql`
      insert into role_menu (role_no, menu_no, limit_type)
      select ${roleNo}, menu_no, case when limit_type is not null then ${limit} end from role_menu where role_no = ${like}`)
  }
  await tx.exec(sql`
    insert into menu (menu_no, parent_menu_no, menu_name, menu_type, perms, sort, builtin, gone_time)
    values (${`${orders}.audit:order:reopen`}, ${orders}, 'audit:order:reopen', 'button', 'audit:order:reopen', 99, true, ${tx.now})`)
  await tx.exec(sql`insert into role_menu (role_no, menu_no) values ('teleLead', ${`${orders}.audit:order:reopen`})`)
  const wanted = [payouts, `${payouts}.fund:payout:page`, `${payouts}.fund:payout:confirm`]
  await tx.exec(sql`insert into role_menu (role_no, menu_no, limit_type) values ('operations', ${payouts}, 'own')`)
  const actor = { no: admin, name: 'Grace Nakato', requestId: 'demo roles', ip: null }
  writeAudit(tx, { action: 'role.permissions', path: '', actor }, [{ objectType: 'role', objectNo: 'operations' }])
  await askGrant({ tx, session: await rightsOfPerson(tx, admin, 'en'), actor }, await lockRole(tx, 'operations'), {
    permissions: wanted.slice(1),
    dataRules: [],
    sensitivePerms: [],
  })
}

/** A link to the system of a partner, and an entry that is switched off. */
export const writeMenuExtras = async (tx: Tx): Promise<void> => {
  const by = userNoOf('admin')
  const actor = { no: by, name: 'Grace Nakato', requestId: 'demo menu', ip: null }
  const touched = { placed: true, updatedBy: by, updatedTime: tx.now }
  const entries = ['MNCRM', 'MNOLD'].map(objectNo => ({ objectType: 'menu', objectNo }))
  writeAudit(tx, { action: 'menu.save', path: '', actor }, entries)
  const crm = {
    menuNo: 'MNCRM',
    parentMenuNo: 'UserSystem',
    menuType: 'external',
    externalUrl: 'https://crm.example/start',
    icon: 'link',
  }
  const crmNames = {
    menuName: '客户关系系统',
    nameZh: '客户关系系统',
    nameEn: 'Customer relations',
    nameSw: 'Mahusiano ya wateja',
  }
  await create(tx, menuItem, { ...crm, ...crmNames, ...touched, sort: 900 }, { event: 'item.create' }, actor)
  const at = { menuNo: 'MNCRM', enabled: 'disabled', version: 0 }
  await transition(tx, menuItem, at, { event: 'item.enable' }, actor)
  await tx.exec(sql`insert into role_menu (role_no, menu_no) values ('administrator', 'MNCRM')`)
  const old = { menuNo: 'MNOLD', parentMenuNo: 'UserSystem', menuType: 'page', perms: shortPath }
  const oldNames = {
    menuName: '订单简表（旧）',
    nameZh: '订单简表（旧）',
    nameEn: 'Orders in short (old)',
    nameSw: 'Maombi kwa ufupi (ya zamani)',
  }
  await create(tx, menuItem, { ...old, ...oldNames, ...touched, sort: 950 }, { event: 'item.create' }, actor)
}

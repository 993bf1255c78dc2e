import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { system } from '../rights/actor.ts'
import type { Limit } from '../rights/held-rights.ts'
import { menuRows } from '../rights/menus.ts'
import { writeMenus } from '../rights/write-menus.ts'
import { freezePerson, leavePerson, lockState, writePerson } from '../session/person.ts'
import { type DemoAccount, demoAccounts } from './accounts.ts'

type Role = DemoAccount['role']
type Post = {
  name: string
  nature: 'headquarters' | 'merchant'
  limit: Limit
  dept: string
  sensitive: readonly string[]
  may: (code: string, page: string) => boolean
}

const reveals = ['pii:reveal:phone', 'pii:reveal:idNumber', 'pii:reveal:walletAccount', 'pii:reveal:bankCardNo']
/** What auditors decide by, besides: whom a customer talks with, where and on what phone. */
const evidence = ['contacts', 'operator', 'appList', 'location', 'device', 'bvn', 'face'].map(
  kind => `pii:reveal:${kind}`,
)
/** Those who call whom a customer named. */
const calls = [...reveals, 'pii:reveal:contacts']
/** Codes of Home that leads have. */
const leading: readonly string[] = ['view:share', 'schedule:leave:audit']
/** What the people of finance work in. */
const financePages = [
  'mkopo-after-loan-loan-management',
  'mkopo-after-loan-repayment-management',
  'mkopo-after-loan-repayment-management-new',
  'mkopo-after-loan-loaner-management',
  'mkopo-after-loan-loan-routing',
  'mkopo-after-loan-automatic-loan-cancel-config',
  'mkopo-after-loan-auto-settlement-config',
  'mkopo-after-loan-auto-write-off-amount-config',
  'mkopo-after-loan-repayment-account-management',
  'mkopo-after-loan-wallet-records',
  'mkopo-after-loan-flow-record-supplement',
  'mkopo-after-loan-reconciliation-management',
  'mkopo-after-loan-balance-management',
  'mkopo-audit-order-management',
  'mkopo-operation-employee-phone-bill-recharge',
]

/** Codes of Home that not everybody has: only administrators end the access of partners and take authenticators away. */
const notForAll = [...leading, 'embed:revoke', 'user:resetMfa', 'user:resetMfa:check']
const home = 'mkopo-portal-home'
const orderPages = ['mkopo-order-order-detail', home]
/** Orders, whole and in short. */
const readers = ['mkopo-audit-order-management', 'mkopo-audit-order-management-abridgment']
const isNotForReaders = (code: string) =>
  ['audit:order:cancel', 'audit:order:export', 'log:audit:page'].includes(code) || code.startsWith('common:')
const inPages =
  (pages: readonly string[], without: (code: string) => boolean = () => false) =>
  (code: string, page: string) =>
    [...orderPages, ...pages].includes(page) && !notForAll.includes(code) && !without(code)
/** Leads share their views with the whole company and decide on leave. */
const lead =
  (may: Post['may']): Post['may'] =>
  (code, page) =>
    leading.includes(code) || may(code, page)
const isCheck = (code: string) => code.endsWith(':check')

/** What each post may do; pages and codes are those of the menu. */
const posts: Record<Role, Post> = {
  administrator: {
    name: 'Administrator',
    nature: 'headquarters',
    limit: 'all',
    dept: 'D0',
    sensitive: ['pii:unmask', ...reveals, ...evidence],
    may: () => true,
  },
  auditLead: {
    name: 'Audit lead',
    nature: 'headquarters',
    limit: 'all',
    dept: 'D1',
    sensitive: ['pii:unmask', ...reveals, ...evidence],
    may: lead(
      inPages(
        [
          'mkopo-audit-order-allocation',
          'mkopo-audit-order-management',
          'mkopo-audit-my-audit',
          'mkopo-audit-audit-personnel',
          'mkopo-audit-audit-configuration',
          'mkopo-audit-machine-review-retrieval',
          'mkopo-audit-reject-order-review-config',
          'mkopo-audit-reject-order-review',
          'mkopo-order-order-audit',
        ],
        code => code === 'audit:order:handle',
      ),
    ),
  },
  auditor: {
    name: 'Auditor',
    nature: 'headquarters',
    limit: 'own_merchants',
    dept: 'D1',
    sensitive: ['pii:unmask', ...reveals, ...evidence],
    may: inPages(
      ['mkopo-audit-my-audit', 'mkopo-order-order-audit'],
      code => isCheck(code) || ['audit:order:handleAny', 'log:audit:page', 'common:attach:delete'].includes(code),
    ),
  },
  financeMaker: {
    name: 'Finance',
    nature: 'headquarters',
    limit: 'all',
    dept: 'D2',
    sensitive: ['pii:unmask', ...reveals],
    may: inPages(
      [...financePages, 'mkopo-charge-client-refund-management', 'mkopo-charge-cash-transfer-apply-for'],
      code => isCheck(code) || ['refund:check', 'audit:order:cancel', 'ops:phoneBill:audit'].includes(code),
    ),
  },
  financeChecker: {
    name: 'Finance checker',
    nature: 'headquarters',
    limit: 'all',
    dept: 'D2',
    sensitive: ['pii:unmask', ...reveals],
    may: inPages(
      [
        ...financePages,
        'mkopo-charge-client-refund-management',
        'mkopo-charge-client-refund-audit-management',
        'mkopo-charge-cash-transfer-apply-for',
        'mkopo-charge-cash-transfer-audit',
      ],
      code => code === 'audit:order:cancel',
    ),
  },
  collectionLead: {
    name: 'Collection lead',
    nature: 'headquarters',
    limit: 'all',
    dept: 'D3',
    sensitive: ['pii:unmask', ...calls],
    may: lead(
      inPages(
        ['mkopo-after-loan-repayment-management', 'mkopo-operation-employee-phone-bill-recharge'],
        code =>
          !['repay:order:page', 'order:detail:view', 'repay:flow:list', 'fund:payout:confirm'].includes(code) &&
          (!code.startsWith('ops:phoneBill:') || ['ops:phoneBill:page', 'ops:phoneBill:submit'].includes(code)),
      ),
    ),
  },
  collector: {
    name: 'Collector',
    nature: 'headquarters',
    limit: 'own_merchants',
    dept: 'D31',
    sensitive: ['pii:unmask', 'pii:reveal:phone'],
    may: inPages(
      ['mkopo-after-loan-repayment-management'],
      code => !['repay:order:page', 'order:detail:view'].includes(code),
    ),
  },
  customerService: {
    name: 'Customer service',
    nature: 'headquarters',
    limit: 'all',
    dept: 'D4',
    sensitive: ['pii:unmask', 'pii:reveal:phone'],
    may: inPages(
      [...readers, 'mkopo-audit-reject-order-review', 'mkopo-service-my-customer-service-coupon-apply'],
      isNotForReaders,
    ),
  },
  telemarketer: {
    name: 'Telemarketer',
    nature: 'headquarters',
    limit: 'own_merchants',
    dept: 'D5',
    sensitive: [],
    may: inPages(['mkopo-audit-order-management'], isNotForReaders),
  },
  merchantViewer: {
    name: 'Merchant staff',
    nature: 'merchant',
    limit: 'own_merchants',
    dept: 'D6',
    sensitive: [],
    may: inPages(readers, isNotForReaders),
  },
}

type Person = DemoAccount & {
  group?: string
  cap?: number
  shift?: 'on' | 'off'
  ai?: boolean
  /** Registered, and not given any merchant yet. */
  unplaced?: boolean
  /** Reviews first loans alone. */
  firstOnly?: boolean
}

const more: readonly Person[] = [
  ...[
    'Agnes Apio',
    'Brian Kato',
    'Carol Nansubuga',
    'Daniel Opio',
    'Eva Kyomuhendo',
    'Fred Byaruhanga',
    'Gloria Achieng',
    'Henry Ssebuliba',
  ].map(
    (realName, index): Person => ({
      loginId: `auditor${index + 4}`,
      realName,
      post: 'login.post.auditor',
      role: 'auditor',
      group: index < 4 ? 'G2' : 'G3',
      cap: index === 6 ? 3 : 25,
      shift: index === 7 ? 'off' : 'on',
      firstOnly: index === 4,
      unplaced: index === 3 || index === 5,
    }),
  ),
  { loginId: 'auditor.ai', realName: 'Mkopo AI', post: 'login.post.auditor', role: 'auditor', group: 'G3', ai: true },
  ...['Harriet Nabwire', 'Joel Mutebi', 'Lydia Amongi', 'Peter Ochieng'].map(
    (realName, index): Person => ({
      loginId: `finance${index + 3}`,
      realName,
      post: 'login.post.financeMaker',
      role: index % 2 ? 'financeChecker' : 'financeMaker',
    }),
  ),
  ...['Alice Kisakye', 'Charles Odongo', 'Diana Nakimuli', 'Geoffrey Lule', 'Hope Asiimwe'].map(
    (realName, index): Person => ({
      loginId: `collector${index + 4}`,
      realName,
      post: 'login.post.collector',
      role: 'collector',
    }),
  ),
  ...['Joan Birungi', 'Kevin Sentongo', 'Mercy Akoth'].map(
    (realName, index): Person => ({
      loginId: `cs${index + 2}`,
      realName,
      post: 'login.post.customerService',
      role: 'customerService',
    }),
  ),
  ...['Norah Tendo', 'Simon Kiggundu', 'Teddy Namirembe'].map(
    (realName, index): Person => ({
      loginId: `tele${index + 2}`,
      realName,
      post: 'login.post.telemarketer',
      role: 'telemarketer',
    }),
  ),
  { loginId: 'admin2', realName: 'Stephen Mukasa', post: 'login.post.administrator', role: 'administrator' },
]

export const people: readonly Person[] = [...demoAccounts, ...more]
export const userNoOf = (loginId: string) =>
  `U${String(people.findIndex(person => person.loginId === loginId) + 1).padStart(3, '0')}`
export const loginOf = (userNo: string) => people[Number(userNo.slice(1)) - 1]?.loginId ?? ''
export const auditors: readonly string[] = people
  .filter(
    person => person.role === 'auditor' && !person.state && !person.ai && !person.unplaced && person.shift !== 'off',
  )
  .map(person => person.loginId)

const writeRights = async (tx: Tx) => {
  const rows = menuRows()
  await writeMenus(tx, rows)
  for (const [role, post] of Object.entries(posts)) {
    await tx.exec(
      sql`insert into role (role_no, role_name, role_nature, sensitive_perms, every_code) values (${role}, ${post.name}, ${post.nature}, ${post.sensitive as string[]}, ${role === 'administrator'})`,
    )
    const granted = rows.filter(row => row.menuType === 'button' && post.may(row.perms ?? '', row.parentMenuNo ?? ''))
    const reads = (page: string) =>
      rows.some(
        row => row.parentMenuNo === page && row.menuType === 'button' && row.sort === 1 && !granted.includes(row),
      )
    const pages = rows.filter(
      row =>
        row.menuType === 'page' &&
        (row.menuNo === home || granted.some(button => button.parentMenuNo === row.menuNo)) &&
        !reads(row.menuNo),
    )
    const kept = granted.filter(button => pages.some(page => page.menuNo === button.parentMenuNo))
    const catalogs = rows.filter(
      row => row.menuType === 'catalog' && pages.some(page => page.parentMenuNo === row.menuNo),
    )
    for (const row of [...catalogs, ...pages, ...kept])
      await tx.exec(
        sql`insert into role_menu (role_no, menu_no, limit_type) values (${role}, ${row.menuNo}, ${row.menuType === 'page' ? post.limit : null})`,
      )
  }
}

const merchantsOf = (person: Person, index: number) =>
  person.loginId === 'merchant1'
    ? ['M1']
    : person.role === 'auditor' && index % 5 === 4
      ? ['M3', 'M2']
      : ['M1', 'M2', 'M3']

/** Who leads which department. */
const leaders = [
  ['D0', 'admin'],
  ['D1', 'audit.lead'],
  ['D2', 'finance1'],
  ['D3', 'collect.lead'],
  ['D11', 'auditor1'],
  ['D12', 'auditor2'],
  ['D4', 'cs1'],
  ['D5', 'tele1'],
] as const

/** Auditors work in two teams of the review floor, in turn. */
const placeOf = ({ role }: Person, index: number) => (role === 'auditor' ? ['D11', 'D12'][index % 2] : posts[role].dept)

/** Writes the menu, a role for each post, and about forty people. */
export const writeStaff = async (tx: Tx, passwordHash: string): Promise<void> => {
  await writeRights(tx)
  const actor = system('demo staff')
  for (const [index, person] of people.entries()) {
    const userNo = userNoOf(person.loginId)
    const [principal, ...others] = merchantsOf(person, index)
    const values = {
      userNo,
      loginId: person.loginId,
      userName: person.loginId,
      realName: person.realName,
      deptNo: placeOf(person, index),
      principalMerchantNo: principal,
      merchantNos: [principal as string, ...others],
      passwordHash,
      passwordUpdateStatus: person.state === 'initial' ? 1 : 0,
      jobNo: `NC${String(1000 + index)}`,
      // Ends in digits for which the simulated vendor delivers.
      phone: `25678${String(4_000_031 + index * 140)}`,
      phoneVerified: person.state !== 'initial',
      email: `${person.loginId}@nilecredit.example`,
      emailVerified: person.state !== 'initial',
      extensionNo: String(200 + index),
    }
    await writePerson(tx, values, actor)
    if (person.state === 'frozen') await freezePerson(tx, await lockState(tx, userNo), { reason: 'manual' }, actor)
    if (person.state === 'left') await leavePerson(tx, await lockState(tx, userNo), tx.today, actor)
    await tx.exec(sql`insert into user_role values (${userNo}, ${person.role})`)
    if (person.role === 'auditor' && person.state !== 'initial')
      await tx.exec(sql`
        insert into audit_person (user_no, group_no, queue_cap, approval_cap, shift_override, ai_employee, auto_allocation, accept_repeat, principal_merchant_no, associated_merchant_nos, created_time, updated_time)
        values (${userNo}, ${person.group ?? 'G1'}, ${person.cap ?? 40}, 2000000, ${person.shift ?? 'on'}, ${person.ai ?? false}, ${!person.unplaced}, ${!person.firstOnly},
          ${person.unplaced ? null : principal}, ${person.unplaced ? [] : others}, ${tx.now}, ${tx.now})`)
  }
  for (const [deptNo, loginId] of leaders)
    await tx.exec(sql`update dept set leader_no = ${userNoOf(loginId)} where dept_no = ${deptNo}`)
}

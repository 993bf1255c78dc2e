import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { alwaysAllowed } from '../../../../core/contract/pages.ts'
import { routes } from '../../../../core/contract/routes.ts'
import type { MenuNode, Self } from '../../../../core/contract/user/user.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { text } from '../../../../core/i18n/server.ts'
import { isExternalLink } from '../../../../core/rules/text/external-link.ts'
import type { Tx } from '../../../db/database.ts'
import { demoAccounts, demoPassword } from '../../../demo/accounts.ts'
import { demoCodeAt } from '../../../demo/authenticators.ts'
import { serve, servePublic } from '../../../http/serve.ts'
import type { Deps, Module } from '../../../module.ts'
import { rightsOf } from '../../../rights/held-rights.ts'
import { type MenuNames, menuNameIn } from '../../../rights/menus.ts'
import type { Session } from '../../../session/session.ts'
import { businessValue, languageRows } from '../../common/index.ts'
import { publishedWords } from '../dictionary/index.ts'

type MenuRow = Omit<MenuNode, 'childList'> & MenuNames & { parentMenuNo: string | null }

/** Every menu node that a role of the user holds, with the nodes above it. */
const menuRows = (tx: Tx, userNo: string): Promise<MenuRow[]> =>
  tx.rows(sql<MenuRow>`
    with recursive held as (
      select m.* from user_role ur join role_menu rm using (role_no) join live_menu m using (menu_no) where ur.user_no = ${userNo}
      union
      select above.* from held join live_menu above on above.menu_no = held.parent_menu_no
    )
    select menu_no, parent_menu_no, menu_name, name_zh, name_en, name_sw, menu_type, perms, external_url, icon, sort from held order by sort, menu_no`)

const leadsOn = ({ externalUrl }: MenuRow) => externalUrl === null || isExternalLink(externalUrl)

/** What leads out by anything but `https` is no entry. */
const treeOf = (all: readonly MenuRow[], language: Language): MenuNode[] => {
  const rows = all.filter(leadsOn)
  const childrenOf = new Map<string | null, MenuRow[]>()
  for (const row of rows) childrenOf.set(row.parentMenuNo, [...(childrenOf.get(row.parentMenuNo) ?? []), row])
  const below = (parent: string | null): MenuNode[] =>
    (childrenOf.get(parent) ?? []).map(({ parentMenuNo, nameZh, nameEn, nameSw, ...row }) => ({
      ...row,
      menuName: menuNameIn(language, { ...row, nameZh, nameEn, nameSw }),
      childList: below(row.menuNo),
    }))
  return below(null)
}

/** The sign-in before one, so that people notice a stranger's. */
const signInBefore = (tx: Tx, userNo: string, sessionNo: string) =>
  tx.maybe(sql<{ time: string; ip: string | null }>`
    select created_time as time, ip from session
    where user_no = ${userNo} and created_time < (select created_time from session where session_no = ${sessionNo})
    order by created_time desc limit 1`)

export const lastLoginOf = async (
  tx: Tx,
  userNo: string,
  sessionNo: string,
): Promise<{ time: string | null; ip: string | null }> =>
  (await signInBefore(tx, userNo, sessionNo)) ?? { time: null, ip: null }

type UserRow = Omit<Self['userInfo'], 'isDesensitization' | 'lastLoginTime' | 'lastLoginIp'> & {
  passwordUpdateStatus: number
}

/** What a browser keeps about its user: who they are, their menu in their language, where they may go and what they may see. */
export const selfOf = async (tx: Tx, userNo: string, sessionNo: string, language: Language): Promise<Self> => {
  const { passwordUpdateStatus, ...user } = await tx.one(sql<UserRow>`
    select u.user_no, u.user_name, u.real_name, u.login_id, u.dept_no, d.dept_name, d.org_no as organ_no, u.principal_merchant_no, u.extension_no, u.password_update_status,
      array(select merchant_no from user_merchant um where um.user_no = u.user_no and um.merchant_no <> u.principal_merchant_no order by merchant_no) as associated_merchant_nos
    from app_user u join dept d using (dept_no) where u.user_no = ${userNo}`)
  const { sensitive } = await rightsOf(tx, userNo)
  const last = await lastLoginOf(tx, userNo, sessionNo)
  const rows = await menuRows(tx, userNo)
  const words = (await publishedWords(tx))[language]
  const watermark = (await businessValue(tx, 'WATERMARK'))?.watermark
  return {
    userInfo: {
      ...user,
      isDesensitization: !sensitive.has('pii:unmask'),
      lastLoginTime: last.time,
      lastLoginIp: last.ip,
    },
    userMenu: treeOf(rows, language),
    allowedPaths: [
      ...new Set(rows.flatMap(row => (row.menuType === 'page' && row.perms ? [row.perms.toLowerCase()] : []))),
    ],
    sensitivePerms: [...sensitive].sort(),
    passwordUpdateStatus,
    ...(Object.keys(words).length ? { words } : {}),
    ...(watermark ? { watermark } : {}),
  }
}

const isShown = (node: MenuNode): boolean => node.menuType !== 'catalog' || node.childList.length > 0

/** The menu of a partner's page: the pages that its elements are, with the codes that its token has. */
const menuFor = (nodes: readonly MenuNode[], paths: ReadonlySet<string>, perms: ReadonlySet<string>): MenuNode[] =>
  nodes
    .filter(({ menuType, perms: own }) =>
      menuType === 'page' ? paths.has(own?.toLowerCase() ?? '') : menuType === 'catalog' || perms.has(own ?? ''),
    )
    .map(node => ({ ...node, childList: menuFor(node.childList, paths, perms) }))
    .filter(isShown)

/** A code that stands under a page which is no element of the token is held all the same. */
const heldApart = (perms: ReadonlySet<string>, menu: readonly MenuNode[]): MenuNode[] => {
  const shown = new Set<string | null>()
  const collect = (nodes: readonly MenuNode[]) => {
    for (const node of nodes) {
      shown.add(node.perms)
      collect(node.childList)
    }
  }
  collect(menu)
  return [...perms]
    .filter(code => !shown.has(code))
    .map(code => ({
      menuNo: code,
      menuName: code,
      menuType: 'button',
      perms: code,
      externalUrl: null,
      icon: null,
      sort: 0,
      childList: [],
    }))
}

/** The same for a token of a partner's page, cut down to what it was given. */
const embeddedSelf = (self: Self, { perms, sensitive, desensitized, embed }: Session, now: Date): Self => {
  if (!embed) return self
  const granted = routes.filter(({ tag }) => embed.widgets.includes(tag))
  const open = granted.filter(
    ({ name, path }) => alwaysAllowed.includes(name) || self.allowedPaths.includes(path.toLowerCase()),
  )
  const allowedPaths = open.map(({ path }) => path.toLowerCase())
  const userMenu = menuFor(self.userMenu, new Set(allowedPaths), perms)
  return {
    ...self,
    userInfo: { ...self.userInfo, isDesensitization: desensitized, lastLoginTime: null, lastLoginIp: null },
    userMenu: [...userMenu, ...heldApart(perms, userMenu)],
    allowedPaths,
    sensitivePerms: [...sensitive].sort(),
    embedded: {
      expiresIn: Math.max(0, Math.round((embed.expires.getTime() - now.getTime()) / 1000)),
      renewable: embed.refreshUntil > embed.expires,
      moneyCommands: [...embed.moneyCommands],
    },
  }
}

/** Who I am, and what the sign-in page asks before anybody is. */
export const selfModule = ({ demo, inbox }: Pick<Deps, 'demo' | 'inbox'>): Module => ({
  served: [
    serve(contract.user.self, async ({ tx, session }) =>
      embeddedSelf(await selfOf(tx, session.userNo, session.sessionNo, session.language), session, tx.now),
    ),
    servePublic(contract.user.languages, async ({ tx }) => ({
      list: await languageRows(tx),
    })),
    servePublic(contract.user.demoAccounts, async ({ tx, request }) => ({
      list: demo
        ? demoAccounts.map(({ loginId, realName, post }) => ({
            loginId,
            realName,
            post: text(request.language, post),
            password: demoPassword,
          }))
        : [],
      mfa: demo ? demoCodeAt(tx.now) : null,
      messages: demo && inbox ? inbox : null,
    })),
  ],
})

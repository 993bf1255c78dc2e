import { createHash, randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Language } from '../core/i18n/language.ts'
import type { Actor } from './actor.ts'
import type { Tx } from './db/database.ts'
import { Fault } from './fault.ts'

export const limits = ['own', 'dept', 'dept_below', 'own_merchants', 'org_below', 'all'] as const
export type Limit = (typeof limits)[number]

/** The rights of one signed-in member of staff, read anew for every call. */
export type Session = {
  sessionNo: string
  userNo: string
  loginId: string
  realName: string
  deptNo: string
  language: Language
  perms: ReadonlySet<string>
  sensitive: ReadonlySet<string>
  /** Data rule of each page, by the read codes and actions that hang below it. */
  limitOf: ReadonlyMap<string, Limit>
  widest: Limit
  merchants: readonly string[]
  orgMerchants: readonly string[]
  deptsBelow: readonly string[]
  desensitized: boolean
  passwordUpdateStatus: number
  /** Rows of other merchants do not exist, whatever the data rule says; absent: no such limit. */
  onlyMerchants?: readonly string[]
  /** Present where a partner's page acts for this person. */
  embed?: Embed
}

/** What a token of a partner's page is bound to. */
export type Embed = {
  tokenNo: string
  /** The token that was minted, whose life the renewed ones prolong. */
  chainNo: string
  partnerNo: string
  origin: string
  widgets: readonly string[]
  expires: Date
  refreshUntil: Date
}

const idleMinutes = 30
const lifeHours = 10
const maxSessions = 3

export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
export const signedOut = () => new Fault('signedOut', 'errors.sessionEnded')

type PersonRow = {
  sessionNo: string
  userNo: string
  loginId: string
  realName: string
  deptNo: string
  orgNo: string
  principalMerchantNo: string
  passwordUpdateStatus: number
  merchants: string[]
}
type SessionRow = PersonRow & { lastSeenTime: string; isLive: boolean }

const personColumns = sql`u.user_no, u.login_id, u.real_name, u.dept_no, d.org_no, u.principal_merchant_no, u.password_update_status,
  array(select merchant_no from user_merchant um where um.user_no = u.user_no) as merchants`

type Right = { perms: string; limitType: Limit | null; roleNature: 'headquarters' | 'merchant' | 'outsourced' }
const caps: Record<Right['roleNature'], Limit> = {
  headquarters: 'all',
  merchant: 'org_below',
  outsourced: 'own_merchants',
}
const rank = (limit: Limit) => limits.indexOf(limit)
const widest = (a: Limit, b: Limit) => (rank(a) >= rank(b) ? a : b)
const capped = (right: Right): Limit => {
  const limit = right.limitType ?? 'own'
  return rank(limit) <= rank(caps[right.roleNature]) ? limit : caps[right.roleNature]
}

/** Rights of a user: codes of every menu node of the roles, each with the data rule of its page. */
export const rightsOf = async (tx: Tx, userNo: string) => {
  const reading = tx.rows(sql<Right>`
    select m.perms, coalesce(rm.limit_type, page.limit_type) as limit_type, r.role_nature
    from user_role ur join role r using (role_no) join role_menu rm using (role_no) join menu m using (menu_no)
    left join role_menu page on page.role_no = rm.role_no and page.menu_no = m.parent_menu_no
    where ur.user_no = ${userNo} and m.perms is not null`)
  const readingRoles = tx.rows(
    sql<{
      sensitivePerms: string[]
    }>`select r.sensitive_perms from user_role ur join role r using (role_no) where ur.user_no = ${userNo}`,
  )
  const [rows, roles] = await Promise.all([reading, readingRoles])
  const limitOf = new Map<string, Limit>()
  for (const right of rows) limitOf.set(right.perms, widest(limitOf.get(right.perms) ?? 'own', capped(right)))
  return {
    perms: new Set(limitOf.keys()),
    limitOf,
    widest: [...limitOf.values()].reduce(widest, 'own' as Limit),
    sensitive: new Set(roles.flatMap(role => role.sensitivePerms)),
  }
}

/** Whether session `s` of user `u` is good: neither ended nor over, and its user may still work. */
const isLive = (tx: Tx): RawBuilder<boolean> => sql<boolean>`(
  s.ended_time is null and u.user_status = 'normal' and u.employee_status = 'on_job'
  and s.last_seen_time >= ${new Date(tx.now.getTime() - idleMinutes * 60_000)}
  and s.created_time >= ${new Date(tx.now.getTime() - lifeHours * 3_600_000)})`

/** Those of some sessions that are still good. */
export const liveSessions = async (tx: Tx, sessionNos: readonly string[]): Promise<Set<string>> => {
  const rows = await tx.rows(sql<{ sessionNo: string }>`
    select s.session_no from session s join app_user u using (user_no) where s.session_no = any(${[...sessionNos]}) and ${isLive(tx)}`)
  return new Set(rows.map(row => row.sessionNo))
}

const sessionOf = async (tx: Tx, row: PersonRow, language: Language): Promise<Session> => {
  const reading = tx.one(sql<{ merchants: string[]; depts: string[] }>`
    with recursive orgs as (select org_no from org where org_no = ${row.orgNo} union all select o.org_no from org o join orgs on o.parent_org_no = orgs.org_no),
      depts as (select dept_no from dept where dept_no = ${row.deptNo} union all select d.dept_no from dept d join depts on d.parent_dept_no = depts.dept_no)
    select array(select merchant_no from merchant where org_no in (select org_no from orgs)) as merchants, array(select dept_no from depts) as depts`)
  const [rights, below] = await Promise.all([rightsOf(tx, row.userNo), reading])
  return {
    ...rights,
    sessionNo: row.sessionNo,
    userNo: row.userNo,
    loginId: row.loginId,
    realName: row.realName,
    deptNo: row.deptNo,
    language,
    passwordUpdateStatus: row.passwordUpdateStatus,
    merchants: [...new Set([row.principalMerchantNo, ...row.merchants])],
    orgMerchants: below.merchants,
    deptsBelow: below.depts,
    desensitized: !rights.sensitive.has('pii:unmask'),
  }
}

/** The rights that somebody has now, for work done in their name while they are away; null when they may not work any more. */
export const rightsNow = async (tx: Tx, userNo: string, language: Language): Promise<Session | null> => {
  const row = await tx.maybe(sql<PersonRow>`
    select '' as session_no, ${personColumns} from app_user u join dept d using (dept_no)
    where u.user_no = ${userNo} and u.user_status = 'normal' and u.employee_status = 'on_job'`)
  return row ? sessionOf(tx, row, language) : null
}

/** The rights of somebody who need not have signed in; they have no session. */
export const rightsOfPerson = async (tx: Tx, userNo: string, language: Language): Promise<Session> =>
  sessionOf(
    tx,
    await tx.one(
      sql<PersonRow>`select '' as session_no, ${personColumns} from app_user u join dept d using (dept_no) where u.user_no = ${userNo}`,
    ),
    language,
  )

/**
 * The session behind a token, or -10: missing, unknown, expired, revoked, or a user who may not work any more.
 * A call keeps the session alive; a stream that only listens does not.
 */
export const authenticate = async (
  tx: Tx,
  token: string | undefined,
  language: Language,
  o: { listens?: boolean } = {},
): Promise<Session> => {
  if (!token) throw signedOut()
  const row = await tx.maybe(sql<SessionRow>`
    select s.session_no, s.last_seen_time, ${isLive(tx)} as is_live, ${personColumns}
    from session s join app_user u using (user_no) join dept d using (dept_no) where s.token_hash = ${hashToken(token)}`)
  if (!row?.isLive) throw signedOut()
  if (!o.listens && tx.now.getTime() - Date.parse(row.lastSeenTime) > 60_000)
    await tx.exec(sql`update session set last_seen_time = ${tx.now} where session_no = ${row.sessionNo}`)
  return sessionOf(tx, row, language)
}

/** Opens a session; at most three live, the oldest goes. Answers the token, which is kept nowhere. */
export const openSession = async (
  tx: Tx,
  userNo: string,
  from: { ip: string | null; browser: string | null },
): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  await tx.exec(sql`
    update session set ended_time = ${tx.now}, ended_reason = 'replaced' where session_no in (
      select session_no from session where user_no = ${userNo} and ended_time is null order by created_time desc offset ${maxSessions - 1})`)
  await tx.exec(sql`
    insert into session (session_no, token_hash, user_no, created_time, last_seen_time, ip, browser)
    values (${`S${randomBytes(10).toString('hex')}`}, ${hashToken(token)}, ${userNo}, ${tx.now}, ${tx.now}, ${from.ip}, ${from.browser})`)
  return token
}

export const actorOf = (session: Session, request: { requestId: string; ip: string | null }): Actor => ({
  no: session.userNo,
  name: session.realName,
  requestId: request.requestId,
  ip: request.ip,
  ...(session.embed ? { partnerNo: session.embed.partnerNo } : {}),
})

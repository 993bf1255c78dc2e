import { createHash, randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { SensitiveKind } from '../../core/contract/fields.ts'
import type { Displaced } from '../../core/contract/user/session.ts'
import type { Language } from '../../core/i18n/language.ts'
import { browserName } from '../../core/rules/text/browser-name.ts'
import { eatDateTime } from '../../core/rules/time.ts'
import type { Database, Tx } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { Actor } from '../rights/actor.ts'
import { type Limit, rightsUnder } from '../rights/held-rights.ts'
import { fullyMasked } from '../rights/sensitive-fields.ts'

/** The rights of one signed-in member of staff, as they are at each call. */
export type Session = {
  sessionNo: string
  userNo: string
  loginId: string
  realName: string
  deptNo: string
  language: Language
  perms: ReadonlySet<string>
  sensitive: ReadonlySet<string>
  /** Holds a role of our own office: only they change what is for all merchants. */
  headquarters: boolean
  /** Data rule of each page, by the read codes and actions that hang below it. */
  limitOf: ReadonlyMap<string, Limit>
  widest: Limit
  merchants: readonly string[]
  orgMerchants: readonly string[]
  deptsBelow: readonly string[]
  desensitized: boolean
  /** Kinds of which lists show no letter, as they are set at this call. */
  fullyMasked: ReadonlySet<SensitiveKind>
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
  /** Commands on money that the partner's grant names, by their audit names; all others are refused. */
  moneyCommands: readonly string[]
  expires: Date
  refreshUntil: Date
}

const idleMinutes = 30
const lifeHours = 10
const maxSessions = 3

/** How a token is stored: SHA-256 as hex. A copy of the table signs nobody in. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
/** The session is unknown, expired or ended (code -10): the console asks for a new sign-in. */
export const signedOut = () => new Fault('signedOut', 'errors.sessionEnded')

type PersonRow = {
  sessionNo: string
  userNo: string
  loginId: string
  realName: string
  deptNo: string
  orgNo: string
  rightsVersion: string
  principalMerchantNo: string
  passwordUpdateStatus: number
  merchants: string[]
  fullyMasked: SensitiveKind[]
}
type SessionRow = PersonRow & { lastSeenTime: string; isLive: boolean }

const personColumns = sql`u.user_no, u.login_id, u.real_name, u.dept_no, d.org_no,
  (select version::text from rights_version) as rights_version, u.principal_merchant_no, u.password_update_status,
  array(select merchant_no from user_merchant um where um.user_no = u.user_no) as merchants, ${fullyMasked} as fully_masked`

/** Whether user `u` may be in the console: neither frozen nor gone, and a person. An AI employee works without signing in. */
export const mayEnter: RawBuilder<boolean> = sql<boolean>`(
  u.user_status = 'normal' and u.employee_status = 'on_job'
  and not exists (select 1 from audit_person robot where robot.user_no = u.user_no and robot.ai_employee))`

/** Whether session `s` of user `u` is good: neither ended nor over, and its user may still work. */
const isLive = (tx: Tx): RawBuilder<boolean> => sql<boolean>`(
  s.ended_time is null and ${mayEnter}
  and s.last_seen_time >= ${new Date(tx.now.getTime() - idleMinutes * 60_000)}
  and s.created_time >= ${new Date(tx.now.getTime() - lifeHours * 3_600_000)})`

/** Those of some sessions that are still good. */
export const liveSessions = async (tx: Tx, sessionNos: readonly string[]): Promise<Set<string>> => {
  const rows = await tx.rows(sql<{ sessionNo: string }>`
    select s.session_no from session s join app_user u using (user_no) where s.session_no = any(${[...sessionNos]}) and ${isLive(tx)}`)
  return new Set(rows.map(row => row.sessionNo))
}

const sessionOf = async (tx: Tx, row: PersonRow, language: Language): Promise<Session> => {
  const rights = await rightsUnder(tx, row)
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
    desensitized: !rights.sensitive.has('pii:unmask'),
    fullyMasked: new Set(row.fullyMasked),
  }
}

/** The present rights of a person, for jobs in their name; null when they may not work any more. */
export const rightsNow = async (tx: Tx, userNo: string, language: Language): Promise<Session | null> => {
  const row = await tx.maybe(sql<PersonRow>`
    select '' as session_no, ${personColumns} from app_user u join dept d using (dept_no)
    where u.user_no = ${userNo} and ${mayEnter}`)
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

/** Says to the person of a session that another sign-in of theirs took its place: when, and from where. */
const displaced = async (tx: Tx, sessionNo: string): Promise<Fault | null> => {
  const by = await tx.maybe(sql<{ time: string; ip: string | null; browser: string | null }>`
    select n.created_time as time, n.ip, n.browser from session s join session n on n.session_no = s.replaced_by
    where s.session_no = ${sessionNo} and s.ended_reason = 'replaced'`)
  if (!by) return null
  const browser = by.browser ? browserName(by.browser) : null
  const from = [by.ip, browser].filter(Boolean).join(' · ') || '-'
  const data: Displaced = { reason: 'replaced', time: by.time, from }
  return new Fault('signedOut', 'errors.sessionReplaced', { time: eatDateTime(by.time), from }, data)
}

const found = async (tx: Tx, token: string | undefined, language: Language) => {
  if (!token) throw signedOut()
  const row = await tx.maybe(sql<SessionRow>`
    select s.session_no, s.last_seen_time, ${isLive(tx)} as is_live, ${personColumns}
    from session s join app_user u using (user_no) join dept d using (dept_no) where s.token_hash = ${hashToken(token)}`)
  if (!row) throw signedOut()
  if (!row.isLive) throw (await displaced(tx, row.sessionNo)) ?? signedOut()
  return {
    session: await sessionOf(tx, row, language),
    isSeenLately: tx.now.getTime() - Date.parse(row.lastSeenTime) <= 60_000,
  }
}

const seen = (tx: Tx, { sessionNo, language }: Session) =>
  tx.exec(sql`update session set last_seen_time = ${tx.now}, language = ${language} where session_no = ${sessionNo}`)

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
  const { session, isSeenLately } = await found(tx, token, language)
  if (!o.listens && !isSeenLately) await seen(tx, session)
  return session
}

/** {@link authenticate} for a call: it writes once a minute at most, and otherwise only reads. */
export const admitted = async (
  db: Database,
  token: string | undefined,
  language: Language,
  o: { listens?: boolean } = {},
): Promise<Session> => {
  const { session, isSeenLately } = await db.read(tx => found(tx, token, language))
  if (!o.listens && !isSeenLately) await db.withTx(tx => seen(tx, session))
  return session
}

/** Opens a session; of more than three the oldest ends. @returns the token, which is not stored */
export const openSession = async (
  tx: Tx,
  userNo: string,
  from: { ip: string | null; browser: string | null; deviceMark?: string },
): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  const sessionNo = `S${randomBytes(10).toString('hex')}`
  await tx.exec(sql`select 1 from app_user where user_no = ${userNo} for update`)
  await tx.exec(sql`
    update session set ended_time = ${tx.now}, ended_reason = 'replaced', replaced_by = ${sessionNo} where session_no in (
      select session_no from session where user_no = ${userNo} and ended_time is null order by created_time desc offset ${maxSessions - 1})`)
  await tx.exec(sql`
    insert into session (session_no, token_hash, user_no, created_time, last_seen_time, ip, browser, device)
    values (${sessionNo}, ${hashToken(token)}, ${userNo}, ${tx.now}, ${tx.now}, ${from.ip}, ${from.browser}, ${from.deviceMark ? hashToken(from.deviceMark) : null})`)
  return token
}

/** The actor of a signed-in person's call. */
export const actorOf = (session: Session, request: { requestId: string; ip: string | null }): Actor => ({
  no: session.userNo,
  name: session.realName,
  requestId: request.requestId,
  ip: request.ip,
  ...(session.embed ? { partnerNo: session.embed.partnerNo } : {}),
})

import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Language } from '../../core/i18n/language.ts'
import type { Tx } from '../db/database.ts'
import { newNo } from '../money/numbers.ts'
import type { Actor } from '../rights/actor.ts'
import { hashToken, rightsNow, type Session, signedOut } from '../session/session.ts'
import { create, transition } from '../states/transition.ts'
import { isGrantable } from './coverage.ts'
import { isOpen } from './partner.ts'

const prefix = 'mkopo_embed_tok_'
const lifeMs = 15 * 60_000
const chainMs = 8 * 3_600_000
const overlapMs = 30_000

/** Its first sixteen letters are always the same, so that no style sheet can guess them one by one. */
export const isEmbedToken = (token: string | undefined): token is string => token?.startsWith(prefix) === true

/** A token of a partner's page with the person and the partner behind it. */
export type EmbedRow = {
  embedTokenNo: string
  embedTokenStatus: string
  chainNo: string
  partnerNo: string
  userNo: string
  origin: string
  widgets: string[]
  perms: string[]
  merchantNos: string[]
  language: Language | null
  expiresTime: string
  refreshUntil: string
  version: number
}
type Bound = Pick<EmbedRow, 'partnerNo' | 'userNo' | 'origin' | 'widgets' | 'perms' | 'merchantNos' | 'language'>

const columns = sql`t.embed_token_no, t.embed_token_status, t.chain_no, t.partner_no, t.user_no, t.origin, t.widgets, t.perms, t.merchant_nos,
  t.language, t.expires_time, t.refresh_until, t.version`

/** Writes a token down and gives it away, once. A renewed one goes on with the chain of the one before. */
export const issue = async (
  tx: Tx,
  bound: Bound,
  actor: Actor,
  chain?: { chainNo: string; refreshUntil: string },
): Promise<{ token: string; embedTokenNo: string; expireTime: string; expiresIn: number; refreshUntil: string }> => {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`
  const embedTokenNo = newNo('ET', tx.now)
  const refreshUntil = chain ? new Date(chain.refreshUntil) : new Date(tx.now.getTime() + chainMs)
  const expires = new Date(Math.min(tx.now.getTime() + lifeMs, refreshUntil.getTime()))
  const { partnerNo, userNo, origin, widgets, perms, merchantNos, language } = bound
  const values = {
    embedTokenNo,
    tokenHash: hashToken(token),
    chainNo: chain?.chainNo ?? embedTokenNo,
    partnerNo,
    userNo,
    origin,
    widgets,
    perms,
    merchantNos,
    language,
    issuedTime: tx.now,
    expiresTime: expires,
    refreshUntil,
  }
  await create(tx, 'embedToken', values, { event: 'embed.mint' }, actor)
  return {
    token,
    embedTokenNo,
    expireTime: expires.toISOString(),
    expiresIn: Math.round((expires.getTime() - tx.now.getTime()) / 1000),
    refreshUntil: refreshUntil.toISOString(),
  }
}

/** Whether token `t` of partner `p` and user `u` is good: a renewed one answers half a minute more. */
const isLive = (tx: Tx): RawBuilder<boolean> => sql<boolean>`(
  (t.embed_token_status = 'active' and t.expires_time > ${tx.now}
    or t.embed_token_status = 'rotated' and t.ended_time > ${new Date(tx.now.getTime() - overlapMs)})
  and u.user_status = 'normal' and u.employee_status = 'on_job' and ${isOpen(tx)})`

const both = (mine: readonly string[], theirs: readonly string[]) => mine.filter(one => theirs.includes(one))

/** A person's rights, cut down to what a token was given: codes, sensitive kinds, merchants. */
const cutDown = (session: Session, row: EmbedRow & { moneyCommands: string[] }): Session => {
  const granted = new Set(row.perms.filter(isGrantable))
  const sensitive = new Set([...session.sensitive].filter(kind => granted.has(kind)))
  return {
    ...session,
    perms: new Set([...session.perms].filter(perm => granted.has(perm))),
    sensitive,
    desensitized: !sensitive.has('pii:unmask'),
    merchants: both(session.merchants, row.merchantNos),
    orgMerchants: both(session.orgMerchants, row.merchantNos),
    onlyMerchants: row.merchantNos,
    /** What holds for all merchants is not a page's to change. */
    headquarters: false,
    embed: {
      tokenNo: row.embedTokenNo,
      chainNo: row.chainNo,
      partnerNo: row.partnerNo,
      origin: row.origin,
      widgets: row.widgets,
      moneyCommands: row.moneyCommands,
      expires: new Date(row.expiresTime),
      refreshUntil: new Date(row.refreshUntil),
    },
  }
}

/** The session behind an embed token, or -10. Where it may be used, and for which calls, is asked by {@link admitter}. */
export const authenticateEmbed = async (tx: Tx, token: string, language: Language): Promise<Session> => {
  const row = await tx.maybe(sql<EmbedRow & { isLive: boolean; moneyCommands: string[] }>`
    select ${columns}, p.money_commands, ${isLive(tx)} as is_live
    from embed_token t join app_user u using (user_no) join partner_grant p using (partner_no) where t.token_hash = ${hashToken(token)}`)
  const session = row?.isLive ? await rightsNow(tx, row.userNo, language) : null
  if (!row || !session || session.passwordUpdateStatus === 1) throw signedOut()
  await tx.exec(sql`
    update embed_token set last_seen_time = ${tx.now}
    where embed_token_no = ${row.embedTokenNo} and (last_seen_time is null or last_seen_time < ${new Date(tx.now.getTime() - 60_000)})`)
  return cutDown(session, row)
}

/** Locks a token by its number. */
export const lockToken = (tx: Tx, embedTokenNo: string): Promise<EmbedRow> =>
  tx.one(sql<EmbedRow>`select ${columns} from embed_token t where t.embed_token_no = ${embedTokenNo} for update`)

/**
 * Ends the live tokens of a person or of a partner. Code that freezes a person, or changes how they prove who they are, calls this
 * in the same transaction. @returns how many there were
 */
export const endTokens = async (
  tx: Tx,
  of: { userNo?: string; partnerNo?: string },
  reason: string,
  actor: Actor,
): Promise<number> => {
  const rows = await tx.rows(sql<EmbedRow>`
    select ${columns} from embed_token t where t.embed_token_status = 'active'
      and ${of.userNo === undefined ? sql`true` : sql`t.user_no = ${of.userNo}`}
      and ${of.partnerNo === undefined ? sql`true` : sql`t.partner_no = ${of.partnerNo}`}
    order by t.embed_token_no for update`)
  for (const row of rows)
    await transition(
      tx,
      'embedToken',
      row,
      { event: 'embed.revoke', set: { endedTime: tx.now, endedReason: reason }, payload: { reason } },
      actor,
    )
  return rows.length
}

/** Closes the tokens whose time is over. */
export const expireTokens = async (tx: Tx, actor: Actor): Promise<number> => {
  const rows = await tx.rows(sql<EmbedRow>`
    select ${columns} from embed_token t where t.embed_token_status = 'active' and t.expires_time <= ${tx.now}
    order by t.embed_token_no limit 500 for update skip locked`)
  for (const row of rows)
    await transition(tx, 'embedToken', row, { event: 'clock.ttl', set: { endedTime: tx.now } }, actor)
  return rows.length
}

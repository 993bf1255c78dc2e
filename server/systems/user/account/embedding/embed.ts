import { sql } from 'kysely'
import { contract } from '../../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../../core/contract/endpoint.ts'
import { type PartnerPage, renewableMs } from '../../../../../core/contract/user/embed.ts'
import type { Tx } from '../../../../db/database.ts'
import { isEmbeddable, isGrantable } from '../../../../embed/coverage.ts'
import { claimedPartner, type Partner, partnerOf } from '../../../../embed/partner.ts'
import { endTokens, expireTokens, issue, lockToken } from '../../../../embed/token.ts'
import { type Limit, limitOf } from '../../../../http/defence/limit.ts'
import { Fault, notFound } from '../../../../http/fault.ts'
import { type PublicCall, serve, servePublic } from '../../../../http/serve.ts'
import type { Module } from '../../../../module.ts'
import { type Actor, system } from '../../../../rights/actor.ts'
import { rightsNow, type Session } from '../../../../session/session.ts'
import { transition } from '../../../../states/transition.ts'
import { handoffServed } from './handoff.ts'

type Wanted = ParsedOf<typeof contract.embed.mint>

const both = (mine: readonly string[], theirs: readonly string[] | undefined) =>
  theirs ? mine.filter(one => theirs.includes(one)) : [...mine]

/** A person's merchants: all of the partner's for a person who may see all. */
const reachable = (session: Session, merchantNos: readonly string[]) =>
  session.widest === 'all'
    ? [...merchantNos]
    : merchantNos.filter(no => session.merchants.includes(no) || session.orgMerchants.includes(no))

/** What a token may do: no more than the person, the partner and the request have in common. */
const granted = (session: Session, partner: Partner, wanted: Wanted) => {
  const held = [...session.perms, ...session.sensitive].filter(isGrantable)
  return {
    widgets: both(partner.widgets, wanted.widgets).filter(isEmbeddable),
    perms: both(both(held, partner.perms), wanted.perms).sort(),
    merchantNos: both(reachable(session, partner.merchantNos), wanted.merchantNos),
    origin: both(partner.origins, [wanted.origin])[0],
  }
}

const personOf = async (tx: Tx, loginId: string): Promise<Session | null> => {
  const user = await tx.maybe(
    sql<{ userNo: string }>`select user_no from app_user where lower(login_id) = ${loginId.toLowerCase()}`,
  )
  return user ? rightsNow(tx, user.userNo, 'en') : null
}

/** The partner, as the one who does it: its name stands in every log. */
export const asPartner = async (call: PublicCall): Promise<Partner> => {
  const partner = await partnerOf(call.tx, call.request.headers)
  const { partnerNo, partnerName } = partner
  call.actor = { ...call.actor, no: `partner:${partnerNo}`, name: partnerName, partnerNo }
  return partner
}

/** An address that guesses at the key of a partner waits; other partners at that address do not. */
export const guarded =
  (failures: Limit) =>
  async (call: PublicCall): Promise<Partner> => {
    const key = [call.request.ip, claimedPartner(call.request.headers)]
    const over = await failures.over(...key)
    if (over) throw over
    try {
      return await asPartner(call)
    } catch (error) {
      throw (error instanceof Fault && (await failures.take(...key))) || error
    }
  }

/** Gives the back end of a partner a token for one of its people. */
const mintServed = (partnerBehind: ReturnType<typeof guarded>) =>
  servePublic(contract.embed.mint, async call => {
    const { tx, input } = call
    const partner = await partnerBehind(call)
    const session = await personOf(tx, input.loginId)
    const { origin, ...grant } = session
      ? granted(session, partner, input)
      : { origin: undefined, widgets: [], perms: [], merchantNos: [] }
    if (session && origin === undefined) throw new Fault('forbidden', 'errors.embedOrigin', { origin: input.origin })
    const isNothing = !grant.widgets.length || !grant.perms.length || !grant.merchantNos.length
    if (!session || session.passwordUpdateStatus === 1 || origin === undefined || isNothing)
      throw new Fault('forbidden', 'errors.embedNothing')
    const { partnerNo } = partner
    const bound = { ...grant, origin, partnerNo, userNo: session.userNo, language: input.language ?? null }
    const { embedTokenNo, ...answer } = await issue(tx, bound, call.actor)
    await tx.exec(sql`update partner_grant set last_mint_time = ${tx.now} where partner_no = ${partnerNo}`)
    const after = { partnerNo, userNo: session.userNo, origin, ...grant, expireTime: answer.expireTime }
    call.audit({ objectType: 'embedToken', objectNo: embedTokenNo, after })
    return answer
  })

const refresh = serve(contract.embed.refresh, async ({ tx, session: { embed }, request }) => {
  if (!embed) throw new Fault('forbidden', 'errors.forbidden')
  const old = await lockToken(tx, embed.tokenNo)
  const left = Date.parse(old.expiresTime) - tx.now.getTime()
  if (old.embedTokenStatus !== 'active') throw new Fault('stateConflict', 'errors.embedOver')
  if (left > renewableMs) throw new Fault('stateConflict', 'errors.embedNotYet')
  if (Date.parse(old.refreshUntil) <= Date.parse(old.expiresTime)) throw new Fault('stateConflict', 'errors.embedOver')
  const { partnerNo } = old
  const actor: Actor = {
    no: `partner:${partnerNo}`,
    name: partnerNo,
    requestId: request.requestId,
    ip: request.ip,
    partnerNo,
  }
  await transition(tx, 'embedToken', old, { event: 'embed.refresh', set: { endedTime: tx.now } }, actor)
  const { embedTokenNo: _, ...answer } = await issue(tx, old, actor, old)
  return answer
})

/** Partners belong to no merchant: who may end their access sees all of them. */
const partners = serve(contract.embed.partners, async ({ tx }) => ({
  list: await tx.rows(sql<PartnerPage>`
    select p.partner_no, p.partner_name, p.enabled, p.origins, p.widgets, p.perms, p.merchant_nos, p.expire_time, p.last_mint_time,
      coalesce((select json_agg(json_build_object('userNo', e.user_no, 'realName', u.real_name, 'issuedTime', e.issued_time,
        'lastSeenTime', e.last_seen_time, 'expiresTime', e.expires_time) order by e.issued_time desc)
        from embed_token e join app_user u using (user_no)
        where e.partner_no = p.partner_no and e.embed_token_status = 'active' and e.expires_time > ${tx.now}), '[]') as tokens
    from partner_grant p order by p.partner_name, p.partner_no`),
}))

const revoke = serve(contract.embed.revoke, async ({ tx, input, actor, audit }) => {
  const { partnerNo, userNo, disable } = input
  const partner = await tx.maybe(
    sql<{ enabled: boolean }>`select enabled from partner_grant where partner_no = ${partnerNo} for update`,
  )
  if (!partner) throw notFound()
  if (disable)
    await tx.exec(sql`update partner_grant set enabled = false, version = version + 1 where partner_no = ${partnerNo}`)
  const ended = await endTokens(tx, { partnerNo, userNo }, disable ? 'partner.disabled' : 'revoked', actor)
  audit({
    objectType: 'partner',
    objectNo: partnerNo,
    before: { enabled: partner.enabled },
    after: { enabled: partner.enabled && !disable, tokensEnded: ended, ...(userNo ? { userNo } : {}) },
  })
  return { ended }
})

/** Tokens for the pages of partners: minted by their back ends, renewed by the elements, ended from here. */
export const embedModule = (failures = 30): Module => {
  const partnerBehind = guarded(limitOf(failures, 600))

  return {
    served: [mintServed(partnerBehind), refresh, partners, revoke, ...handoffServed(partnerBehind)],
    scheduled: [
      {
        job: 'embed-expire',
        every: { seconds: 60 },
        run: async tx => ({ expired: await expireTokens(tx, system(`embed.expire ${tx.now.toISOString()}`)) }),
      },
    ],
  }
}

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { isEmbeddable, moneyCommands as known } from './coverage.ts'
import { hashSecret } from './partner.ts'

/** What a token of a partner's page may be used for. */
export type Grant = {
  partnerNo: string
  partnerName: string
  clientId: string
  origins: readonly string[]
  widgets: readonly string[]
  perms: readonly string[]
  merchantNos: readonly string[]
  /** Commands that move or forgive money, by their audit names; without a name the page has none of them, whatever its codes. */
  moneyCommands?: readonly string[]
  expireTime?: string
}

/** Exactly what a browser sends as `Origin`: scheme and host, a port that is not the usual one, nothing more. */
export const isOrigin = (text: string): boolean =>
  /^https?:\/\/[\w.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text

const flawOf = ({ origins, widgets, moneyCommands = [] }: Grant): string | null => {
  const origin = origins.find(one => !isOrigin(one))
  const widget = widgets.find(one => !isEmbeddable(one))
  if (origin !== undefined || !origins.length)
    return `${origin ?? 'no origin'} is not an origin such as https://crm.example`
  if (widget !== undefined) return `${widget} cannot be embedded`
  const unknown = moneyCommands.find(one => !known.has(one))
  return unknown === undefined ? null : `${unknown} is no command on money; there are ${[...known].sort().join(', ')}`
}

/** Enters a partner. Its secret is answered here and kept nowhere. @throws what is wrong with the grant */
export const addPartner = async (
  tx: Tx,
  grant: Grant,
  secret = randomBytes(32).toString('base64url'),
): Promise<string> => {
  const flaw = flawOf(grant)
  if (flaw) throw new Error(flaw)
  const {
    partnerNo,
    partnerName,
    clientId,
    origins,
    widgets,
    perms,
    merchantNos,
    moneyCommands = [],
    expireTime,
  } = grant
  await tx.exec(sql`
    insert into partner_grant (partner_no, partner_name, client_id, secret_hash, origins, widgets, perms, merchant_nos, money_commands, expire_time, created_time)
    values (${partnerNo}, ${partnerName}, ${clientId}, ${hashSecret(secret)}, ${[...origins]}, ${[...widgets]}, ${[...perms]}, ${[...merchantNos]},
      ${[...moneyCommands]}, ${expireTime ?? null}, ${tx.now})`)
  return secret
}

import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { Fault } from '../http/fault.ts'

/** A partner as the database keeps it. */
export type Partner = {
  partnerNo: string
  partnerName: string
  secretHash: string
  origins: string[]
  widgets: string[]
  perms: string[]
  merchantNos: string[]
}

/** The secret has 256 bits of chance, so a plain hash keeps it. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const nobody = hashSecret('nobody')

/** Client id and secret of an `Authorization: Basic` header; empty where there is none. */
const credentialsOf = (headers: Headers): { clientId: string; secret: string } => {
  const given = /^Basic ([\w+/=]+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
  const text = Buffer.from(given, 'base64').toString('utf8')
  const at = text.indexOf(':')
  return at < 0 ? { clientId: '', secret: '' } : { clientId: text.slice(0, at), secret: text.slice(at + 1) }
}

/** The partner that a call says it comes from, whether or not it does. */
export const claimedPartner = (headers: Headers): string => credentialsOf(headers).clientId.slice(0, 64)

/** Whether partner `p` may be used now. */
export const isOpen = (tx: Tx) => sql<boolean>`(p.enabled and (p.expire_time is null or p.expire_time > ${tx.now}))`

/** The partner whose back end calls; unknown, wrong, disabled and over get the same words in the same time. */
export const partnerOf = async (tx: Tx, headers: Headers): Promise<Partner> => {
  const { clientId, secret } = credentialsOf(headers)
  const found = clientId.includes('\0')
    ? undefined
    : await tx.maybe(sql<Partner & { isOpen: boolean }>`
        select p.partner_no, p.partner_name, p.secret_hash, p.origins, p.widgets, p.perms, p.merchant_nos, ${isOpen(tx)} as is_open
        from partner_grant p where p.client_id = ${clientId}`)
  const isTheirs = timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(found?.secretHash ?? nobody))
  if (!found?.isOpen || !isTheirs) throw new Fault('forbidden', 'errors.partner')
  return found
}

import { sql } from 'kysely'
import { routes } from '../../core/contract/routes.ts'
import type { Tx } from '../db/database.ts'
import { isEmbeddable } from '../embed/coverage.ts'
import { addPartner } from '../embed/grant.ts'
import { merchants } from './world.ts'

/** The key of the demo's partner, published: the examples mint their tokens with it, and no other installation knows it. */
export const demoPartner = { clientId: 'demo-partner', secret: 'demo-partner-key-that-everybody-knows' }

/** Lets the pages of the examples, served on `port`, show every element, with values revealed one by one. */
export const writeDemoPartner = async (tx: Tx, port: number): Promise<void> => {
  const origins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
  const known = await tx.maybe(
    sql<object>`update partner_grant set origins = ${origins} where client_id = ${demoPartner.clientId} returning 1 as there`,
  )
  if (known) return
  const shown = routes.filter(({ tag }) => isEmbeddable(tag))
  const codes = shown.flatMap(({ perm, actions }) => [...(perm ? [perm] : []), ...actions])
  const grant = {
    partnerNo: 'PGDEMO',
    partnerName: 'Demo partner',
    clientId: demoPartner.clientId,
    origins,
    widgets: shown.map(({ tag }) => tag),
    perms: [...new Set(codes), 'pii:reveal:phone', 'pii:reveal:walletAccount'],
    merchantNos: merchants.map(({ merchantNo }) => merchantNo),
  }
  await addPartner(tx, grant, demoPartner.secret)
}

import { sql } from 'kysely'
import { routes } from '../../core/contract/routes.ts'
import type { Tx } from '../db/database.ts'
import { isEmbeddable } from '../embed/coverage.ts'
import { addPartner } from '../embed/grant.ts'
import { merchants } from './world.ts'

/** The key of the demo's partner, published: the examples mint their tokens with it, and no other installation knows it. */
export const demoPartner = { clientId: 'demo-partner', secret: 'demo-partner-key-that-everybody-knows' }
const port = 8090

/** Lets the pages of the examples show every element, with values revealed one by one. */
export const writeDemoPartner = async (tx: Tx): Promise<void> => {
  const known = await tx.maybe(
    sql<object>`select 1 as there from partner_grant where client_id = ${demoPartner.clientId}`,
  )
  if (known) return
  const shown = routes.filter(({ tag }) => isEmbeddable(tag))
  const codes = shown.flatMap(({ perm, actions }) => [...(perm ? [perm] : []), ...actions])
  const grant = {
    partnerNo: 'PGDEMO',
    partnerName: 'Demo partner',
    clientId: demoPartner.clientId,
    origins: [`http://localhost:${port}`, `http://127.0.0.1:${port}`],
    widgets: shown.map(({ tag }) => tag),
    perms: [...new Set(codes), 'pii:reveal:phone', 'pii:reveal:walletAccount'],
    merchantNos: merchants.map(({ merchantNo }) => merchantNo),
  }
  await addPartner(tx, grant, demoPartner.secret)
}

import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { serve } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { blockFlaws, blockListSource, checkMerchant, noteSearch, putBlock } from '../../merchant/contact-block/index.ts'
import { withdrawOffers } from '../../operation/message-engine/index.ts'

const { optOuts } = contract

/** Entries of the do-not-contact list that say what the holder of a number asked for. */
const list = listed({
  list: optOuts.page,
  source: ({ session }) => {
    const source = blockListSource(session, 'contact')
    return { ...source, where: sql`${source.where} and b.block_reason = 'asked_to_stop'` }
  },
  check: (call, _) => noteSearch(call, call.input.phone),
  blocked: async (at, rows) => rows.map(row => blockFlaws(at, row)),
})

const add = serve(optOuts.add, async ({ tx, session, actor, input, audit }) => {
  const { phone, blockScope, merchantNo, remark } = input
  await checkMerchant(tx, session, merchantNo, 'contact')
  const said = { blockReason: 'asked_to_stop', blockSource: 'agent', merchantNo: merchantNo ?? null }
  const values = { book: 'contact' as const, phone, blockScope, remark: remark || null, ...said }
  const blockNo = await putBlock(tx, values, 'person', actor)
  if (blockScope !== 'telemarketing') await withdrawOffers(tx, phone, merchantNo ?? null)
  if (blockNo) audit({ objectType: 'contact_block', objectNo: blockNo, after: { blockScope } })
  return { added: blockNo !== null }
})

/** Who asked for no more offers. */
export const optOutModule = (): Module => ({ served: [serveListed(list), add], lists: [list] })

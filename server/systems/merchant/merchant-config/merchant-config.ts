import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { merchantConfigs } from '../../../../core/contract/merchant/merchant-config.ts'
import { lt } from '../../../../core/rules/amount.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import { invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module, NetworkHandler } from '../../../module.ts'
import { type PostOnce, postPublic } from '../../../outgoing/open-link.ts'
import { merchantSecrets } from '../../common/index.ts'
import { merchantUses } from '../../operation/merchant/index.ts'
import { callbackSender, collectCallbacks } from './callback-send.ts'
import { callbackApproval, callbackCalls, callbackList } from './callbacks.ts'
import { lockConfig, put } from './held.ts'
import { forgetUses, keyCalls } from './keys.ts'
import { configReads } from './reads.ts'
import { configSource, seenBy } from './source.ts'
import { merchantWarnings } from './warnings.ts'

const { merchantConfig } = contract

const config = serveConfig(merchantConfigs, {
  prefix: 'MG',
  unique: 'contractNo',
  async made({ tx, session }, form) {
    const { merchantNo } = form
    const seen = await tx.maybe(sql`
      select 1 from merchant m where m.merchant_no = ${merchantNo} and m.deleted_time is null and ${seenBy(session, 'm.merchant_no')}`)
    if (!seen) throw invalid('merchantNo', 'validation.wrongValue')
    // What was deleted, and never used, makes room for another one.
    await tx.exec(sql`delete from merchant_config where merchant_no = ${merchantNo} and deleted_time is not null`)
    if (await tx.maybe(sql`select 1 from merchant_config where merchant_no = ${merchantNo}`))
      throw invalid('merchantNo', 'errors.dataExists')
    return { rows: [form], existing: 0 }
  },
  // A merchant that sends orders already goes on: that it is written down how does not close it.
  startsEnabled: () => true,
  // What lets a merchant owe more, and whether its calls are taken at all, is agreed to by two.
  needsChecker: (item, change) =>
    'to' in change ||
    lt(String(change.form.creditFloor), String(item.creditFloor)) ||
    (change.form.settlementMode === 'postpaid' && item.settlementMode !== 'postpaid'),
  uses: merchantUses,
  source: configSource,
})

const cardSave = serve(merchantConfig.cardSave, async call => {
  const { merchantNo, version: seen, ...cards } = call.input
  const row = await lockConfig(call, merchantNo, seen)
  const before = Object.fromEntries(Object.keys(cards).map(name => [name, row[name] ?? null]))
  const version = await put(call, row, cards)
  call.audit({ objectType: merchantConfigs.table, objectNo: merchantNo, before, after: cards })
  return { version }
})

/** How merchants are connected: contract, keys, callbacks, cards and wallet. */
export const merchantConfigModule = (
  { secretKey }: Pick<Deps, 'secretKey'>,
  { post = postPublic }: { post?: PostOnce } = {},
): Module => {
  const secrets = merchantSecrets(secretKey)
  return {
    ...config,
    served: [
      ...config.served,
      serveListed(callbackList),
      ...configReads,
      ...keyCalls(secrets),
      ...callbackCalls(secrets, post),
      cardSave,
    ],
    lists: [...config.lists, callbackList],
    approvals: [...config.approvals, callbackApproval],
    warnings: merchantWarnings,
    queues: [callbackSender(secrets, post) as unknown as NetworkHandler<never, never>],
    scheduled: [...config.scheduled, collectCallbacks, forgetUses],
  }
}

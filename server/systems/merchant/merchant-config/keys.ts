import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import {
  type ApiKey,
  maxLiveKeys,
  merchantConfigs,
  usedLatelyMinutes,
} from '../../../../core/contract/merchant/merchant-config.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Scheduled } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import type { MerchantSecrets } from '../../common/index.ts'
import { lockConfig, put } from './held.ts'

const { merchantConfig } = contract
const secretBytes = 32

/** Keys of a merchant with their use, the newest first. */
export const keysOf = (tx: Tx, merchantNo: string): Promise<ApiKey[]> =>
  tx.rows(sql<ApiKey>`
    select k.api_key_id, k.environment, coalesce(p.real_name, k.created_by) as created_by, k.created_time, k.ended_time as key_ended_time, u.last_used_time,
      coalesce(u.calls, 0) as calls_today, coalesce(u.last_used_time > ${new Date(tx.now.getTime() - usedLatelyMinutes * 60_000)}, false) as used_within_hour
    from merchant_credential k left join app_user p on p.user_no = k.created_by
      left join lateral (
        select max(c.used_time) as last_used_time, count(*) filter (where c.used_time >= ${startOfEatDay(tx.today)})::int as calls
        from merchant_credential_use c where c.api_key_id = k.api_key_id) u on true
    where k.merchant_no = ${merchantNo} order by k.ended_time is null desc, k.created_time desc, k.api_key_id desc limit 20`)

/** A second key beside the one in use: both are taken, so that no order is lost while a partner changes over. */
const create = (secrets: MerchantSecrets) =>
  serve(merchantConfig.credentialCreate, async call => {
    const { tx, input, actor, audit } = call
    const { merchantNo, environment } = input
    const row = await lockConfig(call, merchantNo, input.version)
    const { n } = await tx.one(sql<{ n: number }>`
      select count(*)::int as n from merchant_credential where merchant_no = ${merchantNo} and ended_time is null`)
    if (n >= maxLiveKeys) throw new Fault('stateConflict', 'errors.twoKeys')
    const apiKeyId = newNo('MK', tx.now)
    const apiSecret = randomBytes(secretBytes).toString('base64url')
    const secret = secrets.seal(apiSecret, merchantNo)
    tx.append('merchantCredential', {
      apiKeyId,
      merchantNo,
      environment,
      secret,
      createdBy: actor.no,
      createdTime: tx.now,
    })
    const version = await put(call, row, {}, { noted: { apiKeyId, environment } })
    audit({ objectType: merchantConfigs.table, objectNo: merchantNo, after: { apiKeyId, environment } })
    return { apiKeyId, apiSecret, version }
  })

const end = serve(merchantConfig.credentialEnd, async call => {
  const { tx, input, actor, audit } = call
  const { merchantNo, apiKeyId, typedKeyId } = input
  // A key that leaked ends now, whatever waits; what waits is asked for again.
  const row = await lockConfig(call, merchantNo, input.version, { evenWaiting: true })
  const key = (await keysOf(tx, merchantNo)).find(one => one.apiKeyId === apiKeyId && one.keyEndedTime === null)
  if (!key) throw notFound()
  if (key.usedWithinHour && typedKeyId !== apiKeyId) throw invalid('typedKeyId', 'validation.typeKeyId')
  await tx.exec(sql`
    update merchant_credential set ended_by = ${actor.no}, ended_time = ${tx.now} where api_key_id = ${apiKeyId} and ended_time is null`)
  const version = await put(call, row, {}, { noted: { keyEnded: apiKeyId } })
  audit({ objectType: merchantConfigs.table, objectNo: merchantNo, after: { keyEnded: apiKeyId } })
  return { version }
})

/** How long each use of a key is kept; the last one is kept for good. */
const keptDays = 30

/** Single uses are forgotten in time. */
export const forgetUses: Scheduled = {
  job: 'merchantConfig.forgetUses',
  every: { dailyAt: '03:20' },
  run: async tx => ({
    forgotten: await tx.exec(sql`
      delete from merchant_credential_use u where u.used_time < ${new Date(tx.now.getTime() - keptDays * 86_400_000)}
        and exists (select 1 from merchant_credential_use later where later.api_key_id = u.api_key_id and later.use_no > u.use_no)`),
  }),
}

export const keyCalls = (secrets: MerchantSecrets) => [create(secrets), end]

import { sql } from 'kysely'
import { tempQuota } from '../../../../core/contract/operation/temp-quota.ts'
import { noteReveal } from '../../../http/defence/sensitive-reads.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { sensitiveSettings } from '../../../rights/sensitive-fields.ts'
import { grantSeen } from './lists.ts'

const kind = 'phone'

/** The phone of one customer for one pair of eyes: the access log has it before the answer does. */
export const grantPhone = serve(tempQuota.phone, async ({ tx, session, actor, input, proven }) => {
  const { grantNo, reason } = input
  const [settings] = await sensitiveSettings(tx, [kind])
  if (settings?.reasonRequired && !reason) throw invalid('reason', 'validation.revealReason')
  if (settings?.codeRequired) await proven(`pii:reveal:${kind}`)
  const found = await tx.maybe(sql<{ phone: string }>`
    select c.phone from temp_quota_grant g join order_customer c on c.customer_no = g.customer_no and c.merchant_no = g.merchant_no
    where g.grant_no = ${grantNo} and ${grantSeen(session)}`)
  if (!found) throw notFound()
  const of = { objectType: 'tempQuotaGrant', objectNo: grantNo, field: 'phone', kind, reason } as const
  return (await noteReveal(tx, actor, of, !found.phone)) ?? found.phone
})

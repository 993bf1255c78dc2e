import { sql } from 'kysely'
import { businessConfigs, type QuotaCaps } from '../../../../core/contract/common/business-config.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import type { quotaFails } from '../../../../core/contract/operation/temp-quota.ts'
import { gt, type Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { businessValue } from '../../common/index.ts'
import { contactBlocksOf } from '../../merchant/contact-block/index.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { holderOf } from '../coupon/index.ts'

/** Why a customer gets no higher limit. */
export type QuotaFail = ValueOf<typeof quotaFails>

/** What is asked for whom. */
export type Asked = { merchantNo: string; quotaAmount: Money }

const { TEMP_QUOTA_MAX, LIMIT_RAISE_CONSENT } = businessConfigs

/** Whether customers must agree before a higher limit counts. */
export const asksConsent = async (tx: Tx): Promise<boolean> =>
  ((await businessValue(tx, 'LIMIT_RAISE_CONSENT')) ?? LIMIT_RAISE_CONSENT.plain).raiseConsent

/** The most by which a limit of a merchant may be raised, by member level. */
export const capsOf = async (tx: Tx, merchantNo: string): Promise<Readonly<Record<string, Money>>> => {
  const { merchantCaps = [], ...caps }: QuotaCaps = (await businessValue(tx, 'TEMP_QUOTA_MAX')) ?? TEMP_QUOTA_MAX.plain
  const own = merchantCaps.filter(one => one.merchantNo === merchantNo)
  return { ...caps, ...Object.fromEntries(own.map(one => [one.memberLevel, one.quotaAmount])) }
}

const running = ['waiting', 'waiting_consent', 'effective']

/** A customer of the merchant by number or phone, and why they would get nothing now; null where they would. */
export const lookUp = async (
  tx: Tx,
  lists: ListValues,
  { merchantNo, quotaAmount }: Asked,
  caps: Readonly<Record<string, Money>>,
  named: string,
): Promise<{ customerNo: string | null; fail: QuotaFail | null }> => {
  const holder = await holderOf(tx, { merchantNos: [merchantNo] }, named)
  if (!holder) return { customerNo: null, fail: 'not_found' }
  const { customerNo } = holder
  const no = (fail: QuotaFail) => ({ customerNo, fail })
  if (holder.barred) return no('barred')
  if (holder.overdue) return no('overdue')
  const { phone, memberLevel, holds } = await tx.one(sql<{ phone: string; memberLevel: string; holds: boolean }>`
    select c.phone, c.member_level, exists (
      select 1 from temp_quota_grant g where g.customer_no = c.customer_no and g.grant_status = any(${running})) as holds
    from order_customer c where c.customer_no = ${customerNo} and c.merchant_no = ${merchantNo}`)
  if (holds) return no('running')
  if (gt(quotaAmount, caps[memberLevel] ?? '0.00')) return no('over_cap')
  const blocked = await contactBlocksOf(tx, lists, { phones: [phone], merchantNo, kind: 'marketing', medium: 'text' })
  return { customerNo, fail: blocked.length > 0 ? 'opted_out' : null }
}

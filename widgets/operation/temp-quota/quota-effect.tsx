import { useRead } from '../../../core/client/providers.tsx'
import { tempQuota } from '../../../core/contract/operation/temp-quota.ts'
import { useText } from '../../../core/element/i18n.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Callout } from '../../../core/ui/basics.ts'

/** What a task comes to: how many customers, how much more lending, who is left out and why, and what the merchant may still pay out. */
export const QuotaEffect = (values: Readonly<Record<string, unknown>>) => {
  const t = useText()
  const { merchantNo, quotaAmount, customers } = values
  const whole = tempQuota.effect.input.safeParse({ merchantNo, quotaAmount, customers })
  const { data } = useRead(tempQuota.effect, whole.success ? whole.data : null)
  if (!data) return null
  const list = data.leftOut.map(({ failReason, count }) => `${t(`dict.QUOTA_FAIL.${failReason}`)} ${count}`).join(', ')
  return (
    <Callout.Root size="1" color={data.found === 0 ? 'amber' : 'gray'} role="status">
      <Callout.Text>
        {t('quota.effect', { n: data.found, total: formatMoney(data.totalAmount) })}
        {list && ` · ${t('quota.leftOut', { list })}`}
        {data.limitLeft !== null && ` · ${t('quota.effectLeft', { left: formatMoney(data.limitLeft) })}`}
      </Callout.Text>
    </Callout.Root>
  )
}

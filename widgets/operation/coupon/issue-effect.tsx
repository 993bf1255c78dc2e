import { useRead } from '../../../core/client/providers.tsx'
import { coupon } from '../../../core/contract/operation/coupon.ts'
import { useText } from '../../../core/element/i18n.ts'
import { formatMoney, gt } from '../../../core/rules/amount.ts'
import { Callout } from '../../../core/ui/basics.ts'

/** What an issue comes to: how many customers, how much at most, and who is left out and why. */
export const IssueEffect = (values: Readonly<Record<string, unknown>>) => {
  const t = useText()
  const { couponTemplateNo, customers } = values
  const whole = coupon.effect.input.safeParse({ couponTemplateNo, customers })
  const { data } = useRead(coupon.effect, whole.success ? whole.data : null)
  if (!data) return null
  const left = data.leftOut.map(({ failReason, count }) => `${count} ${t(`dict.COUPON_FAIL.${failReason}`)}`)
  const over = gt(data.totalAmount, data.budgetLeft)
  return (
    <Callout.Root size="1" color={over ? 'amber' : 'gray'}>
      <Callout.Text>
        {t('coupon.issueEffect', {
          n: data.found,
          name: data.couponName,
          face: formatMoney(data.faceAmount),
          total: formatMoney(data.totalAmount),
          days: data.validityDays,
          spent: formatMoney(data.spentAmount),
          left: formatMoney(data.budgetLeft),
        })}
        {left.length > 0 && ` ${t('coupon.leftOut', { list: left.join(', ') })}`}
        {over && ` ${t('coupon.overBudget')}`}
      </Callout.Text>
    </Callout.Root>
  )
}

/** What codes may come to at most. */
export const CodesEffect = ({ codeCount, maxUses }: Readonly<Record<string, unknown>>) => {
  const t = useText()
  const uses = Number(codeCount ?? 0) * Number(maxUses ?? 0)
  if (!Number.isInteger(uses) || uses <= 0) return null
  return (
    <Callout.Root size="1" color="gray">
      <Callout.Text>{t('coupon.codesEffect', { n: Number(codeCount), uses })}</Callout.Text>
    </Callout.Root>
  )
}

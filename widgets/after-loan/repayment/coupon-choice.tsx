import type { Trial } from '../../../core/contract/after-loan/repayment.ts'
import { useText } from '../../../core/element/i18n.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { eatDate } from '../../../core/rules/time.ts'
import { Select } from '../../../core/ui/choose/select.tsx'
import { Labelled } from '../../../core/ui/labelled.tsx'

const none = '-'

/** The coupon that a repayment is made with, of those that fit its kind. */
export const CouponChoice = ({
  list = [],
  value,
  choose,
}: {
  list: Trial['coupons'] | undefined
  value: string
  choose: (couponNo: string) => void
}) => {
  const t = useText()
  if (list.length === 0 && !value) return null
  const words = (one: Trial['coupons'][number]) => {
    const name = one.couponName ?? one.couponNo
    const said = t('afterLoan.couponChoice', {
      name,
      amount: formatMoney(one.faceAmount),
      date: eatDate(one.expireTime),
    })
    return one.bound ? `${said} · ${t('fields.bound')}` : said
  }
  return (
    <Labelled label={t('fields.couponAmount')}>
      {tied => (
        <Select.Root value={value || none} onValueChange={next => choose(next === none ? '' : next)}>
          <Select.Trigger {...tied} />
          <Select.Content>
            <Select.Item value={none}>{t('afterLoan.noCoupon')}</Select.Item>
            {list.map(one => (
              <Select.Item key={one.couponNo} value={one.couponNo}>
                {words(one)}
              </Select.Item>
            ))}
          </Select.Content>
        </Select.Root>
      )}
    </Labelled>
  )
}

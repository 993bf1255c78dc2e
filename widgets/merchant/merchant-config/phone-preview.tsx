import { useRead } from '../../../core/client/providers.tsx'
import { paymentDisplay } from '../../../core/contract/merchant/payment-display.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'

const directions = ['payout', 'repay'] as const

/** What a customer of the merchant sees, in the order in which the app shows it. */
export const PhonePreview = ({ merchantNo }: { merchantNo: string }) => {
  const t = useText()
  const read = useRead(paymentDisplay.page, {
    merchantNo: [merchantNo],
    enabled: ['enabled'],
    sort: 'sort',
    pageSize: 50,
  })
  return (
    <Loaded read={read}>
      {({ list }) =>
        directions.map(direction => {
          const shown = list.filter(one => one.direction === direction)
          return (
            <Section key={direction} title={t(`dict.PAY_DIRECTION.${direction}`)}>
              {shown.length === 0 && (
                <Text size="2" color="gray">
                  {t('paymentDisplay.nothing')}
                </Text>
              )}
              {shown.map(one => (
                <div key={one.displayNo}>
                  <Text as="p" size="2" weight="bold">
                    {one.displayName.en}
                  </Text>
                  <Text as="p" size="1" color="gray" mb="2">
                    {t('paymentDisplay.from', { min: formatMoney(one.minAmount), max: formatMoney(one.maxAmount) })}
                    {one.hint ? ` · ${one.hint.en}` : ''}
                  </Text>
                </div>
              ))}
            </Section>
          )
        })
      }
    </Loaded>
  )
}

import { useRead } from '../../../../core/client/providers.tsx'
import { orderCollected } from '../../../../core/contract/order/collected.ts'
import { useText } from '../../../../core/element/i18n.ts'
import { Facts, Section } from '../../../../core/engine/drawer/facts.tsx'
import { Flex, Text } from '../../../../core/ui/basics.ts'
import { Empty } from '../../../../core/ui/states.tsx'
import { Loaded } from '../../../shared/loaded.tsx'
import { CodePair } from '../../../shared/paper/code-pair.tsx'

/** What the customer types to pay, and what is due with it today. */
export const RepayCodeTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(orderCollected.repayCode, { orderNo })}>
      {of =>
        of.dueToday === null ? (
          <Empty title={t('order.noCode')} />
        ) : (
          <div className="mk-cards">
            <Section title={t('order.tab.repayCode')} wide>
              <Flex gap="4" align="start" wrap="wrap">
                <CodePair
                  code={of.payCode}
                  labels={{
                    qr: t('order.qrOf', { code: of.payCode }),
                    barcode: t('order.barcodeOf', { code: of.payCode }),
                  }}
                />
                <div className="mk-stack">
                  <Facts
                    schema={orderCollected.repayCode.output}
                    value={of}
                    names={['dueToday', 'settleToday', 'dueDate', 'validDate']}
                  />
                  <Text size="1" color="gray">
                    {t('order.codeHint')}
                  </Text>
                </div>
              </Flex>
            </Section>
          </div>
        )
      }
    </Loaded>
  )
}

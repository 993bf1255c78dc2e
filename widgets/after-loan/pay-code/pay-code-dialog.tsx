import { useRef } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { repay } from '../../../core/contract/after-loan/repayment.ts'
import type { RepayOrderRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Button, Flex, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { print } from '../../../core/ui/print.ts'
import { Empty } from '../../../core/ui/states.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { CodePair } from '../../shared/paper/code-pair.tsx'

type Order = Pick<RepayOrderRow, 'orderNo' | 'customerName'>

/** What the customer of an order pays with: the code as a phone, a till and a person read it, with what is due; to copy and to print. */
export const PayCodeDialog = ({ rows: [{ orderNo, customerName }], close }: DialogProps<Order>) => {
  const t = useText()
  const sheet = useRef<HTMLDivElement>(null)
  const read = useRead(repay.payCode, { orderNo })
  const title = `${t('actions.payCode')} ${orderNo}`
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={
        <>
          {t('actions.payCode')} <span className="mk-key">{orderNo}</span> {customerName}
        </>
      }
      differs={false}
      footer={
        <>
          <DialogCancel />
          <Button
            disabled={!read.data?.payCode}
            onClick={() => sheet.current && print(sheet.current, title, 'svg{display:block;margin:14px 0}')}
          >
            {t('actions.print')}
          </Button>
        </>
      }
    >
      <Loaded read={read}>
        {({ payCode, ...of }) =>
          payCode ? (
            <Flex ref={sheet} gap="5" align="start" wrap="wrap">
              <CodePair
                code={payCode}
                labels={{
                  qr: t('payCode.qrOf', { code: payCode }),
                  barcode: t('payCode.barcodeOf', { code: payCode }),
                }}
              />
              <div className="mk-stack">
                <Text as="p" weight="bold">
                  {customerName}
                </Text>
                <Text as="p" size="5" weight="bold">
                  UGX {formatMoney(of.amount)}
                </Text>
                <Facts schema={repay.payCode.output} value={of} names={['dueDate']} />
                <Text as="p" size="1" color="gray">
                  {t('payCode.hint')}
                </Text>
              </div>
            </Flex>
          ) : (
            <Empty title={t('payCode.none')} />
          )
        }
      </Loaded>
    </ModalDialog>
  )
}

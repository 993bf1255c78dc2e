import { CallError } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import { repay, type Trial } from '../../../core/contract/after-loan/repayment.ts'
import type { RepayOrderRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney, sum } from '../../../core/rules/amount.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loading } from '../../../core/ui/states.tsx'
import { type AskedBill, OlderFirst } from './older-first.tsx'
import { OrderTitle } from './order-title.tsx'

type Offer = NonNullable<Trial['extension']>

const useOffer = (orderNo: string) => useRead(repay.trial, { orderNo, repayType: 'extension', flows: [] })

const Price = ({ offer }: { offer: Offer }) => {
  const t = useText()
  const { installmentNo, amount, extensionFee, due, dueDate, newDueDate, extensionCount, extensionsAllowed } = offer
  return (
    <>
      <Text as="p" size="3" weight="bold">
        {t('afterLoan.extensionPrice', {
          amount: formatMoney(amount),
          fee: formatMoney(extensionFee),
          due: formatMoney(sum(Object.values(due))),
        })}
      </Text>
      <Text as="p" size="2">
        {t('afterLoan.extendTo', { installmentNo, dueDate, newDueDate, n: extensionCount, max: extensionsAllowed })}
      </Text>
    </>
  )
}

const Failure = ({ error }: { error: unknown }) => {
  const t = useText()
  return (
    <Callout.Root color="red" size="1" role="alert">
      <Callout.Text>{error instanceof CallError ? error.message : t('common.noConnection')}</Callout.Text>
    </Callout.Root>
  )
}

/** What an extension of the oldest instalment costs today, above the money that is to pay for it. */
export const ExtensionPrice = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  const { data, error } = useOffer(orderNo)
  if (error) return <Failure error={error} />
  if (!data) return null
  if (!data.extension) return <Text color="red">{t('errors.extensionNotAllowed')}</Text>
  return (
    <div>
      <Price offer={data.extension} />
    </div>
  )
}

/** Quotes an extension for the customer who asks: nothing is typed, and nothing is booked before the money is there. */
export const QuoteDialog = ({
  rows: [order],
  bill,
  close,
}: DialogProps<Pick<RepayOrderRow, 'orderNo' | 'customerName'>> & { bill?: AskedBill }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const shown = useRead(repay.detail, { orderNo: order.orderNo })
  const { data, error } = useOffer(order.orderNo)
  const offer = data?.extension
  const version = shown.data?.order.version
  const quote = async () => {
    if (version === undefined) return
    const outcome = await send(
      repay.extensionQuote,
      { orderNo: order.orderNo, version },
      {
        ids: [order.orderNo],
        done: ({ amount, newDueDate }) => t('afterLoan.quoted', { amount: formatMoney(amount), newDueDate }),
      },
    )
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'refused') void shown.retry()
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={<OrderTitle label="actions.quoteExtension" order={order} />}
      description={t('afterLoan.quoteValid')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={!offer || version === undefined} onClick={() => void quote()}>
            {t('actions.quoteExtension')}
          </Button>
        </>
      }
    >
      {error ? (
        <Failure error={error} />
      ) : !data ? (
        <Loading rows={2} />
      ) : offer ? (
        <>
          <OlderFirst bill={bill} bills={shown.data?.bills ?? []} />
          <Price offer={offer} />
        </>
      ) : (
        <Text color="red">{t('errors.extensionNotAllowed')}</Text>
      )}
    </ModalDialog>
  )
}

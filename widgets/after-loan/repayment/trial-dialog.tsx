import { useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import { repay, type Trial } from '../../../core/contract/after-loan/repayment.ts'
import type { RepayOrderRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loading } from '../../../core/ui/states.tsx'
import { type AskedBill, OlderFirst } from './older-first.tsx'
import { OrderTitle } from './order-title.tsx'
import { TrialView } from './trial-view.tsx'

const dayFormat = /^\d{4}-\d{2}-\d{2}$/

const Answer = ({ trial }: { trial: Trial }) => {
  const t = useText()
  return (
    <>
      <Text as="p" size="4" weight="bold">
        {t('fields.settleAmount')} UGX {formatMoney(trial.settleAmount)}
      </Text>
      {trial.projected && (
        <Callout.Root color="amber" size="1">
          <Callout.Text>{t('afterLoan.projection')}</Callout.Text>
        </Callout.Root>
      )}
      <TrialView trial={trial} />
    </>
  )
}

/** What settles a loan on a day, for a customer who asks; nothing is posted. Without a choice it is today. */
export const TrialDialog = ({
  rows: [order],
  bill,
  close,
}: DialogProps<Pick<RepayOrderRow, 'orderNo' | 'customerName'>> & { bill?: AskedBill }) => {
  const shown = useRead(repay.detail, bill ? { orderNo: order.orderNo } : null)
  const t = useText()
  const [typed, setTyped] = useState<string | null>(null)
  const [valueDate, setValueDate] = useState<string>()
  const { data, error } = useRead(
    repay.trial,
    { orderNo: order.orderNo, repayType: 'settle', flows: [], ...(valueDate ? { valueDate } : {}) },
    { keepPreviousData: true },
  )
  const change = (next: unknown) => {
    const text = next === undefined ? '' : String(next)
    setTyped(text)
    if (dayFormat.test(text)) setValueDate(text)
  }
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={<OrderTitle label="actions.trial" order={order} />}
      description={t('afterLoan.trialOn')}
      footer={<DialogCancel />}
    >
      <Flex direction="column" gap="3">
        <Field
          name="valueDate"
          schema={repay.trial.output.shape.valueDate}
          value={typed ?? data?.valueDate ?? ''}
          onChange={change}
        />
        <OlderFirst bill={bill} bills={shown.data?.bills ?? []} />
        {error ? (
          <Callout.Root color="red" size="1" role="alert">
            <Callout.Text>{error instanceof CallError ? error.message : t('common.noConnection')}</Callout.Text>
          </Callout.Root>
        ) : data ? (
          <Answer trial={data} />
        ) : (
          <Loading rows={4} />
        )}
      </Flex>
    </ModalDialog>
  )
}

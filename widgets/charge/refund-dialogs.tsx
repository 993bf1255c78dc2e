import { useState } from 'react'
import { useRead } from '../../core/client/providers.tsx'
import { refund } from '../../core/contract/charge/refund.ts'
import type { CandidateRow, RefundRow } from '../../core/contract/charge/refund-rows.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { useText } from '../../core/element/i18n.ts'
import type { DialogProps } from '../../core/engine/screen.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Button, TextField } from '../../core/ui/basics.ts'
import { Labelled } from '../../core/ui/labelled.tsx'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../shared/loaded.tsx'
import { RefundForm } from './refund-form.tsx'

type Close = { close: (changed?: boolean) => void }
type Check = OutputOf<typeof refund.check>

/** What a form begins with of what is known of a customer. */
const proposed = ({ refundSource, proposedAmount, payee }: Check) => ({
  refundSource,
  refundAmount: proposedAmount,
  refundReason: 'customer_asked',
  ...(payee ?? {}),
})

const Known = ({ of, close }: Close & { of: { customerNo: string } | { orderNo: string } }) => {
  const t = useText()
  const read = useRead(refund.check, of)
  return (
    <Loaded read={read} skeleton={null}>
      {known => (
        <RefundForm
          command={refund.submit}
          title={t('actions.newRefund')}
          description={t('charge.newRefundOn', {
            customerName: known.customerName,
            refundable: formatMoney(known.refundableAmount),
          })}
          about={{ customerNo: known.customerNo, ...(known.orderNo ? { orderNo: known.orderNo } : {}) }}
          first={proposed(known)}
          known={known}
          close={close}
        />
      )}
    </Loaded>
  )
}

/** A refund of what is held for the customer of a row. */
export const CandidateDialog = ({ rows: [row], close }: DialogProps<CandidateRow>) => (
  <Known of={{ customerNo: row.customerNo }} close={close} />
)

const isOrder = (no: string) => no.startsWith('LO')

/** Somebody on the phone: by the number of a customer or an order the balance is found, then the form. */
export const NewRefundDialog = ({ close }: Close) => {
  const t = useText()
  const [typed, setTyped] = useState('')
  const [no, setNo] = useState('')
  if (no) return <Known of={isOrder(no) ? { orderNo: no } : { customerNo: no }} close={close} />
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('actions.newRefund')}
      footer={
        <>
          <DialogCancel />
          <Button disabled={!typed.trim()} onClick={() => setNo(typed.trim())}>
            {t('charge.loadCandidate')}
          </Button>
        </>
      }
    >
      <form
        className="mk-form"
        onSubmit={event => {
          event.preventDefault()
          setNo(typed.trim())
        }}
      >
        <Labelled label={t('charge.candidateHint')}>
          {tied => <TextField.Root {...tied} value={typed} onChange={event => setTyped(event.target.value)} />}
        </Labelled>
      </form>
    </ModalDialog>
  )
}

const about = ({ refundNo, version }: RefundRow) => ({ refundNo, version })

/** Its maker corrects a refund that came back. */
export const ResubmitDialog = ({ rows: [row], close }: DialogProps<RefundRow>) => {
  const t = useText()
  const detail = useRead(refund.detail, { refundNo: row.refundNo })
  const check = useRead(refund.check, { customerNo: row.customerNo })
  return (
    <Loaded read={check} skeleton={null}>
      {known => (
        <Loaded read={detail} skeleton={null}>
          {({ refund: full }) => (
            <RefundForm
              command={refund.resubmit}
              title={t('actions.resubmitRefund')}
              description={full.auditReason ?? undefined}
              about={about(full)}
              first={{
                refundSource: full.refundSource,
                refundAmount: full.refundAmount,
                channel: full.channel,
                payeeName: full.payeeName,
                payeeAccount: full.payeeAccount,
                ...(full.payeeBank ? { payeeBank: full.payeeBank } : {}),
                refundReason: full.refundReason,
                ...(full.remark ? { remark: full.remark } : {}),
              }}
              known={known}
              close={close}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

/** Another account for a refund whose payment failed. */
export const PayeeChangeDialog = ({ rows: [row], close }: DialogProps<RefundRow>) => {
  const t = useText()
  const check = useRead(refund.check, { customerNo: row.customerNo })
  return (
    <Loaded read={check} skeleton={null}>
      {known => (
        <RefundForm
          command={refund.editPayee}
          title={t('actions.changePayee')}
          description={t('charge.confirmChangePayee')}
          about={about(row)}
          first={{ channel: row.channel, payeeName: row.payeeName }}
          known={known}
          payeeOnly
          close={close}
        />
      )}
    </Loaded>
  )
}

import { useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { receipt } from '../../../core/contract/after-loan/receipt.ts'
import { repay } from '../../../core/contract/after-loan/repayment.ts'
import type { ExtensionRow, OpenRecord, RepayOrderRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { RowActions } from '../../../core/engine/form/actions.tsx'
import { Ask } from '../../../core/engine/form/ask.tsx'
import type { CallAction } from '../../../core/engine/screen.ts'
import type { Row } from '../../../core/engine/table/columns.ts'
import { listed } from '../../../core/engine/table/columns.ts'
import { Dict } from '../../../core/engine/table/value.tsx'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Button, Flex } from '../../../core/ui/basics.ts'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { AmountsTable } from '../../shared/amounts-table.tsx'
import { ApprovalCard } from '../../shared/approval-card.tsx'
import { Journals, LedgerAccount } from '../../shared/journals.tsx'
import { PaperDialog } from '../../shared/paper/paper-dialog.tsx'
import { RecordLog } from '../../shared/record-log.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Posted = OpenRecord & Row

/** Status and what is owed beside the order number. */
export const repaymentHead = (row: RepayOrderRow) => (
  <>
    <Dict dict="ORDER_STATUS" value={row.orderStatus} />
    <span>UGX {formatMoney(row.settleAmount)}</span>
  </>
)

const rollback: CallAction<Posted> = {
  run: repay.rollback,
  label: 'actions.rollBack',
  tone: 'danger',
  ask: ['rollbackAs', 'reason'],
  input: ([row]) => ({ repaymentNo: row?.repaymentNo, version: row?.version }),
  confirm: ([row]) => ({
    key: 'afterLoan.confirmRollback',
    params: { amount: formatMoney(row?.amount ?? '0.00'), date: row?.valueDate ?? '', n: row?.flows.length ?? 0 },
  }),
  done: 'afterLoan.sentForApproval',
}

const reuse: CallAction<RepayOrderRow & Row> = {
  run: repay.reuseOverflow,
  label: 'actions.useOverflow',
  ask: ['amount'],
  input: ([row]) => ({ orderNo: row?.orderNo, version: row?.version }),
  confirm: 'afterLoan.confirmReuse',
}

type Detail = OutputOf<typeof repay.detail>

const scrollHere = (place: HTMLElement | null) => place?.scrollIntoView({ block: 'nearest' })

const Bills = ({ bills, billNo }: Pick<Detail, 'bills'> & { billNo: string | undefined }) => {
  const t = useText()
  return (
    <>
      <Section title={t('afterLoan.bills')}>
        <SmallTable
          schema={repay.detail.output.shape.bills.element}
          rows={bills}
          rowKey="billNo"
          names={[
            ...(['installmentNo', 'dueDate', 'billStatus', 'billAmount', 'left'] as const),
            ...(bills.some(bill => bill.contestedPenalty !== '0.00') ? (['contestedPenalty'] as const) : []),
            ...(['overdueDays', 'settledTime'] as const),
          ]}
          empty=""
          quiet={bill => bill.billStatus === 'cancelled' || bill.billStatus === 'extended'}
        />
      </Section>
      {bills.map(bill => (
        <div key={bill.billNo} ref={bill.billNo === billNo ? scrollHere : undefined}>
          <Section title={t('afterLoan.billNo', { n: bill.installmentNo })}>
            <AmountsTable
              label={bill.dueDate}
              rows={[
                { key: 'due', label: t('fields.due'), amounts: bill.due },
                { key: 'paid', label: t('fields.paid'), amounts: bill.paid },
                { key: 'waived', label: t('fields.waived'), amounts: bill.waived },
              ]}
            />
          </Section>
        </div>
      ))}
    </>
  )
}

const Records = ({ records, rollBack }: { records: Posted[]; rollBack: () => void }) => {
  const t = useText()
  const may = useMay()
  const [repaymentNo, setReceipt] = useState<string>()
  return (
    <Section title={t('afterLoan.records')}>
      <SmallTable
        schema={repay.detail.output.shape.records.element}
        rows={records}
        rowKey="repaymentNo"
        empty={t('afterLoan.noRecord')}
        headers={{ actions: t('common.actions') }}
        names={[
          'repaymentNo',
          'repayType',
          'recordStatus',
          'amount',
          'reductionAmount',
          ...(records.some(row => row.extensionFee !== '0.00') ? ['extensionFee'] : []),
          'overflowAmount',
          'valueDate',
          'repaymentTime',
          'postedName',
          'flows',
          'actions',
        ]}
        quiet={row => row.recordStatus === 'rolled_back'}
        cells={{
          flows: row =>
            listed(
              t,
              row.flows.map(flow => flow.serialNo),
            ) || '–',
          actions: row => (
            <Flex gap="2" wrap="wrap">
              <Button size="1" variant="soft" color="gray" onClick={() => setReceipt(row.repaymentNo)}>
                {t('receipt.open')}
              </Button>
              {may.call(repay.rollback) && row.recordStatus === 'posted' && (
                <RowActions actions={[rollback as never]} row={row} press={rollBack} />
              )}
            </Flex>
          ),
        }}
      />
      {repaymentNo && (
        <PaperDialog
          title={t('receipt.open')}
          call={receipt.receipt}
          file={receipt.receiptFile}
          input={{ repaymentNo }}
          close={() => setReceipt(undefined)}
        />
      )}
    </Section>
  )
}

const cancelQuote: CallAction<ExtensionRow & Row> = {
  run: repay.extensionCancel,
  label: 'actions.cancelQuote',
  input: ([row]) => ({ billExtensionNo: row?.billExtensionNo, version: row?.version }),
  confirm: 'afterLoan.confirmCancelQuote',
}

const Extensions = ({ extensions, cancel }: Pick<Detail, 'extensions'> & { cancel: () => void }) => {
  const t = useText()
  const may = useMay()
  return (
    <Section title={t('fields.extensions')}>
      <SmallTable
        schema={repay.detail.output.shape.extensions.element}
        rows={extensions}
        rowKey="billExtensionNo"
        empty={t('afterLoan.noExtensions')}
        headers={{ actions: t('common.actions') }}
        names={[
          'installmentNo',
          'extensionStatus',
          'amount',
          'extensionFee',
          'dueDate',
          'newDueDate',
          'extensionCount',
          'createdName',
          'createdTime',
          'actions',
        ]}
        quiet={row => row.extensionStatus !== 'quoted' && row.extensionStatus !== 'effective'}
        cells={{
          actions: row =>
            may.call(repay.extensionCancel) &&
            row.extensionStatus === 'quoted' && (
              <RowActions actions={[cancelQuote as never]} row={row as never} press={cancel} />
            ),
        }}
      />
    </Section>
  )
}

const Flows = ({ flows }: Pick<Detail, 'flows'>) => {
  const t = useText()
  return (
    <Section title={t('afterLoan.flows')}>
      <SmallTable
        schema={repay.flows.row}
        rows={flows}
        rowKey="flowNo"
        names={['serialNo', 'paymentChannel', 'amount', 'remaining', 'payerName', 'entryTime', 'flowStatus']}
        empty={t('afterLoan.noFlow')}
      />
    </Section>
  )
}

const Overflow = ({ order, reuse: press }: { order: RepayOrderRow; reuse: () => void }) => {
  const t = useText()
  const may = useMay()
  return (
    <Section title={t('fields.overflowAmount')}>
      UGX {formatMoney(order.overflowAmount)}{' '}
      {may.call(repay.reuseOverflow) && <RowActions actions={[reuse as never]} row={order} press={press} />}
    </Section>
  )
}

const Books = ({ balances, journals }: Pick<Detail, 'balances' | 'journals'>) => {
  const t = useText()
  return (
    <>
      <Section title={t('afterLoan.balances')}>
        <SmallTable
          schema={repay.detail.output.shape.balances.element}
          rows={balances}
          rowKey="accountCode"
          names={['accountCode', 'balance', 'bills']}
          cells={{ accountCode: ({ accountCode }) => <LedgerAccount code={accountCode} /> }}
          empty=""
        />
      </Section>
      <Section title={t('afterLoan.ledger')}>
        <Journals list={journals} />
      </Section>
    </>
  )
}

const Strip = ({ order }: { order: RepayOrderRow }) => {
  const t = useText()
  return (
    <Section title={t('order.strip')}>
      <Facts
        schema={repay.page.row}
        value={order}
        names={[
          'thirdOrderNo',
          'merchantName',
          'productName',
          'loanKind',
          'loanAmount',
          'actualLoanAmount',
          'payoutTime',
          'paidAmount',
          'reductionAmount',
          'extensionCount',
          'repaymentTime',
          'settledTime',
        ]}
      />
    </Section>
  )
}

type Asked = 'rollback' | 'reuse' | 'quote'
type Subjects = { order: RepayOrderRow; newest: Posted | undefined; quote: ExtensionRow | undefined }

/** What each dialog asks about; nothing where its record is not there any more. */
const asksOf = ({ order, newest, quote }: Subjects): Record<Asked, Omit<Parameters<typeof Ask>[0], 'close'> | null> => {
  const { records, extensions } = repay.detail.output.shape
  return {
    rollback: newest
      ? { action: rollback as never, rows: [newest], rowKey: 'repaymentNo', fields: records.element }
      : null,
    reuse: { action: reuse as never, rows: [order], rowKey: 'orderNo', fields: repay.page.row },
    quote: quote
      ? { action: cancelQuote as never, rows: [quote], rowKey: 'billExtensionNo', fields: extensions.element }
      : null,
  }
}

/** That the loan was repaid, on paper. */
const Clearance = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <div>
      <Button variant="soft" onClick={() => setOpen(true)}>
        {t('receipt.clearanceTitle')}
      </Button>
      {open && (
        <PaperDialog
          title={t('receipt.clearanceTitle')}
          call={receipt.clearance}
          file={receipt.clearanceFile}
          input={{ orderNo }}
          close={() => setOpen(false)}
        />
      )}
    </div>
  )
}

/** Bills, records, receipts and journals of one order, and the way to take the newest record back. */
export const RepaymentDetail = ({
  orderNo,
  billNo,
  reload,
}: {
  orderNo: string
  /** The bill to begin at. */
  billNo?: string
  reload: () => void
}) => {
  const t = useText()
  const { data, error, retry } = useRead(repay.detail, { orderNo })
  const [asked, setAsked] = useState<Asked | null>(null)
  if (error) return <Failed message={t('common.noConnection')} onRetry={() => void retry()} />
  if (!data) return <Loading />
  const { order, bills, records } = data
  const newest = records.find(row => row.newest) as Posted | undefined
  const quote = data.extensions.find(row => row.extensionStatus === 'quoted')
  const changed = () => {
    void retry()
    reload()
  }
  const open = asked && asksOf({ order, newest, quote })[asked]
  const close = (done?: boolean) => {
    setAsked(null)
    if (done) changed()
  }
  return (
    <>
      {newest && <ApprovalCard objectType="repaymentRecord" objectNo={newest.repaymentNo} onChange={changed} />}
      {order.orderStatus === 'settled' && <Clearance orderNo={orderNo} />}
      <Bills bills={bills} billNo={billNo} />
      <Records records={records as Posted[]} rollBack={() => setAsked('rollback')} />
      {data.extensions.length > 0 && <Extensions extensions={data.extensions} cancel={() => setAsked('quote')} />}
      <Flows flows={data.flows} />
      {order.overflowAmount !== '0.00' && <Overflow order={order} reuse={() => setAsked('reuse')} />}
      <Books balances={data.balances} journals={data.journals} />
      <Strip order={order} />
      <RecordLog of={{ orderNo }} />
      {open && <Ask {...open} close={close} />}
    </>
  )
}

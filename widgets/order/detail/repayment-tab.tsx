import { useRead } from '../../../core/client/providers.tsx'
import { BillRow, RecordRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { order } from '../../../core/contract/order/order.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { listed } from '../../../core/engine/table/columns.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Empty } from '../../../core/ui/states.tsx'
import { BillAmounts } from '../../shared/bill-amounts.tsx'
import { Journals } from '../../shared/journals.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Repayment = OutputOf<typeof order.repayment>
const closed = (bill: BillRow) => bill.billStatus === 'cancelled' || bill.billStatus === 'extended'

/** The plan, each bill by component. */
export const Bills = ({ bills }: { bills: readonly BillRow[] }) => {
  const t = useText()
  const counted = bills.filter(bill => !closed(bill))
  return (
    <Section title={t('afterLoan.bills')}>
      <div className="mk-stack">
        <SmallTable
          schema={BillRow}
          rows={bills}
          rowKey="billNo"
          label={t('afterLoan.bills')}
          names={['installmentNo', 'dueDate', 'billStatus', 'billAmount', 'left', 'overdueDays', 'settledTime']}
          empty={t('order.noBills')}
          quiet={closed}
        />
        <BillAmounts bills={counted} label={t('order.byComponent')} />
        {counted.length > 1 &&
          counted.map(bill => (
            <details key={bill.billNo} className="mk-fold">
              <summary>
                {t('afterLoan.billNo', { n: bill.installmentNo })} · {bill.dueDate}
              </summary>
              <BillAmounts bills={[bill]} label={t('order.byComponent')} />
            </details>
          ))}
      </div>
    </Section>
  )
}

/** What was paid, as it was booked. */
export const Records = ({ records }: { records: Repayment['records'] }) => {
  const t = useText()
  return (
    <Section title={t('afterLoan.records')}>
      <SmallTable
        schema={RecordRow}
        rows={records}
        rowKey="repaymentNo"
        label={t('afterLoan.records')}
        names={[
          'repaymentNo',
          'repayType',
          'recordStatus',
          'amount',
          'reductionAmount',
          'overflowAmount',
          'couponAmount',
          'valueDate',
          'repaymentTime',
          'postedName',
          'flows',
          'remark',
        ]}
        empty={t('afterLoan.noRecord')}
        quiet={record => record.recordStatus === 'rolled_back'}
        cells={{
          flows: record =>
            listed(
              t,
              record.flows.map(flow => flow.serialNo),
            ) || '–',
        }}
      />
    </Section>
  )
}

/** What is owed and what was paid: bills by component, records with their flows, and the journals behind them. */
export const RepaymentTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(order.repayment, { orderNo })}>
      {({ bills, records, journals, overflowAmount }) => (
        <div className="mk-stack">
          {bills.length === 0 && records.length === 0 ? (
            <Empty title={t('order.noBills')} hint={t('order.noBillsHint')} />
          ) : (
            <>
              <Bills bills={bills} />
              <Records records={records} />
              {overflowAmount !== '0.00' && (
                <Section title={t('fields.overflowAmount')}>UGX {formatMoney(overflowAmount)}</Section>
              )}
            </>
          )}
          {journals.length > 0 && (
            <Section title={t('afterLoan.ledger')}>
              <Journals list={journals} />
            </Section>
          )}
        </div>
      )}
    </Loaded>
  )
}

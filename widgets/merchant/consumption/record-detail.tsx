import { useRead } from '../../../core/client/providers.tsx'
import { ConsumptionRow, consumption } from '../../../core/contract/merchant/consumption.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Bars } from '../../../core/ui/bars.tsx'
import { Callout } from '../../../core/ui/basics.ts'
import { Journals } from '../../shared/journals.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { Files } from '../../shared/record/files.tsx'
import { WaitingApproval } from '../../shared/record/waiting-approval.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const names = [
  'merchantName',
  'businessDate',
  'meter',
  'unit',
  'unitPrice',
  'quantity',
  'consumptionAmount',
  'reversedQuantity',
  'reversedAmount',
  'journalNo',
  'postedTime',
  'balanceAfter',
  'walletBalance',
]

const ByHour = ({ byHour }: { byHour: readonly { hour: number; quantity: number }[] }) => {
  const t = useText()
  return (
    <Section title={t('consumption.byHour')}>
      <Bars
        label={t('consumption.byHour')}
        every={3}
        bars={Array.from({ length: 24 }, (_, hour) => {
          const value = byHour.find(one => one.hour === hour)?.quantity ?? 0
          const name = `${String(hour).padStart(2, '0')}:00`
          return { name, value, label: `${name} ${value}` }
        })}
      />
    </Section>
  )
}

/** One record: what it is charged for, event by event, its journal, and what was given back of it. */
export const RecordDetail = ({ consumptionNo, reload }: { consumptionNo: string; reload: () => void }) => {
  const t = useText()
  const read = useRead(consumption.detail, { consumptionNo }, { follows: true })
  return (
    <Loaded read={read}>
      {({ record, byHour, reversals, journals }) => (
        <>
          {record.pendingApproval && (
            <WaitingApproval objectType="consumption_record" objectNo={consumptionNo} reload={reload} />
          )}
          {record.unpriced && (
            <Callout.Root size="1" mb="2" color="amber">
              <Callout.Text>{t('consumption.unpricedHint')}</Callout.Text>
            </Callout.Root>
          )}
          <Facts schema={ConsumptionRow} value={record} names={names} />
          <ByHour byHour={byHour} />
          <Section title={t('consumption.events')}>
            <PagedTable
              list={consumption.events}
              filters={{ consumptionNo }}
              size={10}
              batch={50}
              rowKey="eventNo"
              names={['eventTime', 'subjectNo', 'quantity', 'eventNo']}
              empty={t('consumption.noEvents')}
            />
          </Section>
          {reversals.length > 0 && (
            <Section title={t('consumption.givenBack')}>
              <SmallTable
                schema={consumption.detail.output.shape.reversals.element}
                rows={reversals}
                rowKey="reversalNo"
                names={['reversedTime', 'quantity', 'amount', 'reason', 'makerName', 'checkerName']}
                empty=""
              />
            </Section>
          )}
          <Files objectType="consumption_record" objectNo={consumptionNo} />
          <Section title={t('afterLoan.ledger')}>
            <Journals list={journals} />
          </Section>
        </>
      )}
    </Loaded>
  )
}

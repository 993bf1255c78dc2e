import { useRead } from '../../../core/client/providers.tsx'
import { PhoneBillRow, phoneBill } from '../../../core/contract/operation/phone-bill.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Journals } from '../../shared/journals.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { History, Sends } from '../../shared/record/parts.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const shown = [
  'realName',
  'jobNo',
  'deptName',
  'post',
  'phone',
  'phoneDiffers',
  'network',
  'purposeMonth',
  'amount',
  'monthUsed',
  'monthCap',
  'makerName',
  'createdTime',
  'checkerName',
  'auditTime',
  'auditReason',
  'serialNo',
  'finishTime',
  'failType',
  'failReason',
  'remark',
]

/** Status and amount beside the number. */
export const billHead = (row: Pick<PhoneBillRow, 'phoneBillStatus' | 'amount'>) => (
  <>
    <Dict dict="PHONE_RECHARGE_STATUS" value={row.phoneBillStatus} />
    <span>UGX {formatMoney(row.amount)}</span>
  </>
)

/** One airtime: whose it is, what the vendor said of each send, how it stands in the books, and the person's last twelve months. */
export const BillDetail = ({ phoneBillNo }: { phoneBillNo: string }) => {
  const t = useText()
  const read = useRead(phoneBill.detail, { phoneBillNo }, { follows: true })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <Facts schema={PhoneBillRow} value={data.phoneBill} names={shown} />
          <Sends
            title={t('phoneBill.attempts')}
            empty={t('phoneBill.notSentYet')}
            attempts={data.attempts}
            confirms={data.confirms}
          />
          <History
            title={t('phoneBill.log')}
            history={data.history}
            dictOf={machine => (machine === 'M23' ? 'CONFIRM_STATUS' : 'PHONE_RECHARGE_STATUS')}
          />
          <Section title={t('afterLoan.ledger')}>
            <Journals list={data.journals} />
          </Section>
          <Section title={t('fields.past')}>
            <SmallTable
              schema={phoneBill.detail.output.shape.past.element}
              rows={data.past}
              rowKey="phoneBillNo"
              names={['purposeMonth', 'phoneBillNo', 'amount', 'phoneBillStatus', 'finishTime']}
              empty={t('phoneBill.noPast')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

import { useRead } from '../../core/client/providers.tsx'
import { OwnAccount, TransferRow, transfer } from '../../core/contract/charge/transfer.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { useText } from '../../core/element/i18n.ts'
import { Facts, Section } from '../../core/engine/drawer/facts.tsx'
import { Dict } from '../../core/engine/table/value.tsx'
import { formatMoney } from '../../core/rules/amount.ts'
import { Callout } from '../../core/ui/basics.ts'
import { Journals } from '../shared/journals.tsx'
import { Loaded } from '../shared/loaded.tsx'
import { Files } from '../shared/record/files.tsx'
import { History, Sends } from '../shared/record/parts.tsx'
import { SmallTable } from '../shared/small-table.tsx'

type Detail = OutputOf<typeof transfer.detail>

/** Status and amount beside the transfer number. */
export const transferHead = (row: Pick<TransferRow, 'transferStatus' | 'transferAmount'>) => (
  <>
    <Dict dict="TRANSFER_STATUS" value={row.transferStatus} />
    <span>UGX {formatMoney(row.transferAmount)}</span>
  </>
)

/** How many agreed of those who must. */
export const ApprovalShare = ({ row }: { row: Pick<TransferRow, 'approvalCount' | 'approvalNeeded'> }) => {
  const t = useText()
  return t('transfer.approvalsOf', { count: row.approvalCount, needed: row.approvalNeeded })
}

const Balances = ({ data }: { data: Detail }) => {
  const t = useText()
  return (
    <Section title={t('transfer.balances')}>
      <SmallTable
        schema={OwnAccount}
        rows={data.accounts}
        rowKey="fundAccountNo"
        names={['accountName', 'balance', 'promised', 'available', 'needed', 'inFlight', 'minBalance']}
        headers={{ balance: t('transfer.before') }}
        cells={{ available: row => formatMoney(row.available) }}
        empty=""
      />
      <p className="mk-muted">
        {t('transfer.then')}:{' '}
        {data.balancesThen.map(one => `${one.accountName} ${formatMoney(one.balance)}`).join(' · ')}
      </p>
    </Section>
  )
}

const What = ({ data }: { data: Detail }) => {
  const t = useText()
  const { transfer: of } = data
  return (
    <Section title={t('fields.transfer')}>
      <Facts
        schema={TransferRow}
        value={of}
        names={[
          'fromAccountName',
          'toAccountName',
          'transferAmount',
          'transferPurpose',
          'makerName',
          'applyTime',
          'payTime',
          'arriveTime',
          'serialNo',
          'failReason',
          'auditReason',
          'remark',
        ]}
      />
    </Section>
  )
}

const Approvals = ({ approvals }: Pick<Detail, 'approvals'>) => {
  const t = useText()
  return (
    <Section title={t('fields.approvals')}>
      <SmallTable
        schema={transfer.detail.output.shape.approvals.element}
        rows={approvals}
        rowKey="approvedTime"
        names={['round', 'realName', 'approvedTime', 'remark']}
        empty={t('transfer.noApproval')}
      />
    </Section>
  )
}

/** Everything about one transfer; its checker sees the balances first. */
export const TransferDetail = ({ transferNo, review }: { transferNo: string; review?: true }) => {
  const t = useText()
  const read = useRead(transfer.detail, { transferNo }, { follows: true })
  return (
    <Loaded read={read}>
      {data => (
        <>
          {(data.transfer.notArrivedDays ?? 0) > 0 && (
            <Callout.Root size="1" mb="2" color="amber">
              <Callout.Text>{t('transfer.notArrivedFor', { days: data.transfer.notArrivedDays ?? 0 })}</Callout.Text>
            </Callout.Root>
          )}
          {review && <Balances data={data} />}
          <What data={data} />
          {!review && <Balances data={data} />}
          <Files objectType="transfer" objectNo={transferNo} />
          <Approvals approvals={data.approvals} />
          <Sends
            title={t('transfer.attempts')}
            empty={t('transfer.notSentYet')}
            attempts={data.attempts}
            confirms={data.confirms}
          />
          <History
            title={t('transfer.log')}
            history={data.history}
            dictOf={machine => (machine === 'M23' ? 'CONFIRM_STATUS' : 'TRANSFER_STATUS')}
          />
          <Section title={t('afterLoan.ledger')}>
            <Journals list={data.journals} />
          </Section>
        </>
      )}
    </Loaded>
  )
}

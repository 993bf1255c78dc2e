import { useRead } from '../../../core/client/providers.tsx'
import { WithdrawalRow, wallet } from '../../../core/contract/after-loan/wallet.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Journals } from '../../shared/journals.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { History, Sends } from '../../shared/record/parts.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const statement = wallet.statement.output

/** Status and amount beside the number of a withdrawal. */
export const withdrawalHead = (row: Pick<WithdrawalRow, 'withdrawStatus' | 'withdrawAmount'>) => (
  <>
    <Dict dict="WALLET_WITHDRAW_STATUS" value={row.withdrawStatus} />
    <span>UGX {formatMoney(row.withdrawAmount)}</span>
  </>
)

/** What a customer has in the wallet, and each change of it with the balance after it. */
export const WalletStatement = ({ customerNo }: { customerNo: string }) => {
  const t = useText()
  const read = useRead(wallet.statement, { customerNo }, { follows: true })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <Facts
            schema={statement}
            value={data}
            names={['customerNo', 'customerName', 'walletBalance', 'withdrawing']}
          />
          <Section title={t('wallet.statement')}>
            <SmallTable
              schema={statement.shape.entries.element}
              rows={data.entries}
              rowKey="entryNo"
              names={['entryTime', 'entryKind', 'entryAmount', 'walletBalance', 'reference', 'merchantName']}
              empty={t('wallet.noEntries')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** One withdrawal: what the channel said of each send, who confirmed it, and how it stands in the books. */
export const WithdrawalDetail = ({ withdrawNo }: { withdrawNo: string }) => {
  const t = useText()
  const read = useRead(wallet.withdrawal, { withdrawNo }, { follows: true })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <Facts
            schema={WithdrawalRow}
            value={data.withdrawal}
            names={[
              'customerName',
              'phone',
              'merchantName',
              'withdrawAmount',
              'walletAccount',
              'channel',
              'createdTime',
              'finishTime',
              'serialNo',
              'failType',
              'failReason',
              'cancelReason',
            ]}
          />
          <Sends
            title={t('wallet.attempts')}
            empty={t('wallet.notSentYet')}
            attempts={data.attempts}
            confirms={data.confirms}
          />
          <History
            title={t('wallet.log')}
            history={data.history}
            dictOf={machine => (machine === 'M23' ? 'CONFIRM_STATUS' : 'WALLET_WITHDRAW_STATUS')}
          />
          <Section title={t('afterLoan.ledger')}>
            <Journals list={data.journals} />
          </Section>
          <WalletStatement customerNo={data.withdrawal.customerNo} />
        </>
      )}
    </Loaded>
  )
}

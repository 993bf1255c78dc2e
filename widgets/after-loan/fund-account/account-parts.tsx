import { useRead } from '../../../core/client/providers.tsx'
import { type BalanceDay, fundAccount } from '../../../core/contract/after-loan/fund-account.ts'
import { useText } from '../../../core/element/i18n.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Bars } from '../../../core/ui/bars.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

/** The merchants that an account serves: the first, and how many more. */
export const MerchantNames = ({ names }: { names: readonly string[] }) => {
  const [first = '', ...others] = names
  return <span title={names.join(', ')}>{others.length ? `${first} +${others.length}` : first}</span>
}

const Line = ({ days }: { days: readonly BalanceDay[] }) => {
  const t = useText()
  const bars = days.map(({ date, ledgerBalance }) => ({
    name: date.slice(5),
    value: Math.max(0, Number(ledgerBalance)),
    label: `${date}: UGX ${formatMoney(ledgerBalance)}`,
    quiet: ledgerBalance.startsWith('-'),
  }))
  return <Bars label={t('fundAccount.line')} bars={bars} />
}

const Movement = fundAccount.movements.output.shape.list.element

/** What an account held day by day, and the last bookings on it. */
export const AccountMoves = ({ row: { fundAccountNo } }: { row: { fundAccountNo: string } }) => {
  const t = useText()
  const days = useRead(fundAccount.balanceLine, { fundAccountNo })
  const moves = useRead(fundAccount.movements, { fundAccountNo })
  return (
    <>
      <Loaded read={days}>{({ list }) => <Line days={list} />}</Loaded>
      <Loaded read={moves}>
        {({ list }) => (
          <SmallTable
            schema={Movement}
            rows={list}
            rowKey="lineNo"
            names={['postedTime', 'journalNo', 'postingCode', 'objectNo', 'amount']}
            empty={t('afterLoan.noJournal')}
          />
        )}
      </Loaded>
    </>
  )
}

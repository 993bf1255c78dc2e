import { BalanceCompany, balance } from '../../../core/contract/after-loan/balance.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Callout } from '../../../core/ui/basics.ts'
import { FiguresFailed, useFigures } from '../../shared/figures.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { Difference } from './difference.tsx'

const names = ['channel', 'accounts', 'entered', 'lastBalance', 'ledgerBalance', 'difference', 'neededToday'] as const

/** What each payment company holds for us beside the books, and whose balance nobody has entered today. */
export const Companies = () => {
  const t = useText()
  const read = useFigures(balance.companies, {})
  const list = read.data?.list ?? []
  const of = list.reduce((sum, one) => sum + one.accounts, 0)
  const missing = of - list.reduce((sum, one) => sum + one.entered, 0)
  return (
    <div style={{ flexBasis: '100%' }}>
      {missing > 0 && (
        <Callout.Root size="1" color="amber" role="status" mb="2">
          <Callout.Text>{t('balance.missing', { n: missing, m: of })}</Callout.Text>
        </Callout.Root>
      )}
      {list.length > 0 && (
        <SmallTable
          schema={BalanceCompany}
          rows={list}
          rowKey="channel"
          names={names}
          headers={{
            channel: t('balance.company'),
            accounts: t('balance.accounts'),
            entered: t('fields.enteredToday'),
          }}
          cells={{ difference: row => <Difference amount={row.difference} /> }}
          label={t('balance.byCompany')}
          empty={t('balance.noEntries')}
        />
      )}
      {read.error ? (
        <div style={{ padding: 8 }}>
          <FiguresFailed read={read} />
        </div>
      ) : null}
    </div>
  )
}

import type { z } from 'zod'
import type { Journal } from '../../core/contract/after-loan/loan.ts'
import { useText } from '../../core/element/i18n.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Text } from '../../core/ui/basics.ts'

type Row = z.output<typeof Journal>
const amount = (value: string) => (value === '0.00' ? '' : formatMoney(value))

/** An account of the ledger in words, its key beside it. */
export const LedgerAccount = ({ code }: { code: string }) => {
  const t = useText()
  const name = t.maybe(`dict.LEDGER_ACCOUNT.${code.split(':')[0]}`)
  return (
    <>
      {name} <span className="mk-key mk-muted">{code}</span>
    </>
  )
}

/** Journals with both dates, line by line, debit and credit. */
export const Journals = ({ list }: { list: readonly Row[] }) => {
  const t = useText()
  if (list.length === 0)
    return (
      <Text size="2" color="gray">
        {t('afterLoan.noJournal')}
      </Text>
    )
  return (
    <div className="mk-small" role="region" aria-label={t('afterLoan.ledger')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('fields.journalNo')}</th>
            <th scope="col">{t('fields.accountCode')}</th>
            <th scope="col">{t('fields.component')}</th>
            <th scope="col" className="mk-right">
              {t('fields.debit')}
            </th>
            <th scope="col" className="mk-right">
              {t('fields.credit')}
            </th>
          </tr>
        </thead>
        {list.map(journal => (
          <tbody key={journal.journalNo}>
            <tr className="mk-group">
              <td colSpan={5}>
                <b>{t.maybe(`dict.POSTING.${journal.postingCode}`)}</b> {journal.postingCode} #{journal.journalNo} ·{' '}
                {t('fields.businessDate')} {journal.businessDate} · {t('fields.valueDate')} {journal.valueDate}
                {journal.reversesJournalNo !== null &&
                  ` · ${t('afterLoan.reverses', { n: journal.reversesJournalNo })}`}
              </td>
            </tr>
            {journal.lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a journal never changes, and its lines may be alike
              <tr key={`${line.accountCode}${line.component}${index}`}>
                <td />
                <td>
                  <LedgerAccount code={line.accountCode} />
                </td>
                <td>{line.component && (t.maybe(`dict.COMPONENT.${line.component}`) ?? line.component)}</td>
                <td className="mk-right">{amount(line.debit)}</td>
                <td className="mk-right">{amount(line.credit)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

import { useRead } from '../../../core/client/providers.tsx'
import { ledger } from '../../../core/contract/after-loan/ledger.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import { Journals } from '../../shared/journals.tsx'
import { Loaded } from '../../shared/loaded.tsx'

const Posting = ({ code }: { code: string }) => {
  const t = useText()
  return (
    <>
      {t.maybe(`dict.POSTING.${code}`)} <span className="mk-muted">{code}</span>
    </>
  )
}

const JournalDetail = ({ journalNo }: { journalNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(ledger.journal, { journalNo })}>
      {({ journal, reversal }) => (
        <>
          <Section title={t('afterLoan.ledger')}>
            <Journals list={[journal]} />
          </Section>
          {reversal && (
            <Section title={t('recon.reversal')}>
              <Journals list={[reversal]} />
            </Section>
          )}
        </>
      )}
    </Loaded>
  )
}

/** Every posting with both dates, what caused it, and what took it back. */
export default listScreen({
  list: ledger.journals,
  rowKey: 'journalNo',
  start: { businessDate: 'last7' },
  presets: [{ label: 'recon.reversed', filters: { reversed: true, businessDate: 'last30' } }],
  filters: [
    'journalNo',
    'orderNo',
    'postingCode',
    'businessDate',
    'accountKind',
    'accountCode',
    'flowNo',
    'loanCode',
    'refundNo',
    'valueDate',
    'reversed',
  ],
  columns: [
    'journalNo',
    { id: 'postingCode', cell: row => <Posting code={row.postingCode} /> },
    'businessDate',
    'valueDate',
    'amount',
    'orderNo',
    'cause',
    'actorName',
  ],
  more: ['postedTime', 'reversesJournalNo', 'reversedBy'],
  detail: row => <JournalDetail journalNo={row.journalNo} />,
  also: [ledger.journal],
})

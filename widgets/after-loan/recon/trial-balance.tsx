import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { ledger, maxPeriodAccounts, type PeriodRow } from '../../../core/contract/after-loan/ledger.ts'
import type { FiltersOf, InputOf } from '../../../core/contract/endpoint.ts'
import { pathOf } from '../../../core/contract/pages.ts'
import { useHost } from '../../../core/element/context.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { Exports } from '../../../core/engine/files/exports.tsx'
import { Field } from '../../../core/engine/form/field.tsx'
import { type Listed, screen } from '../../../core/engine/screen.ts'
import { drawn } from '../../../core/engine/table/columns.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { eatDate } from '../../../core/rules/time.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { LedgerAccount } from '../../shared/journals.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const { shape } = ledger.trialBalance.input
type Given = InputOf<typeof ledger.trialBalance>
type Asked = { given: Given }
const row = ledger.trialBalance.output.shape.list.element
const amounts = ['opening', 'debit', 'credit', 'closing'] as const

/** Accounts of one kind; the postings of each are the journals of its period. */
const Accounts = ({ given, kind }: Asked & { kind: NonNullable<Given['accountKind']> }) => {
  const t = useText()
  const host = useHost()
  const read = useRead(ledger.trialBalance, { ...given, accountKind: kind })
  const open = ({ accountCode }: PeriodRow) => {
    const day = given.basis === 'as_was' ? 'businessDate' : 'valueDate'
    const query = {
      tab: 'journals',
      accountCode: String(accountCode),
      [day]: JSON.stringify([given.fromDate, given.toDate]),
    }
    host.emit('mkopo-navigate', {
      to: pathOf('AfterLoanSystem', 'ReconciliationManagement'),
      query,
      target: 'same',
    })
  }
  return (
    <Section title={dictText(t, 'LEDGER_ACCOUNT', kind)}>
      <Loaded read={read}>
        {({ list, count }) => (
          <>
            <SmallTable
              schema={row}
              rows={list as (PeriodRow & { accountCode: string })[]}
              rowKey="accountCode"
              names={['accountCode', ...amounts]}
              empty={t('afterLoan.noJournal')}
              cells={{
                accountCode: one => (
                  <Button variant="ghost" size="1" onClick={() => open(one)}>
                    <LedgerAccount code={String(one.accountCode)} />
                  </Button>
                ),
              }}
            />
            {count > maxPeriodAccounts && (
              <Text size="1" color="gray">
                {t('recon.moreAccounts', { shown: maxPeriodAccounts, all: count })}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

const Kinds = ({ given }: Asked) => {
  const t = useText()
  const [kind, setKind] = useState<Given['accountKind']>()
  const read = useRead(ledger.trialBalance, given, { keepPreviousData: true })
  return (
    <Loaded read={read}>
      {({ list, debit, credit, difference }) => (
        <>
          <SmallTable
            schema={row}
            rows={list}
            rowKey="accountKind"
            names={['accountKind', ...amounts]}
            empty={t('afterLoan.noJournal')}
            cells={{
              accountKind: one => (
                <Button
                  variant="ghost"
                  size="1"
                  aria-pressed={one.accountKind === kind}
                  onClick={() => setKind(one.accountKind)}
                >
                  {dictText(t, 'LEDGER_ACCOUNT', one.accountKind)}
                </Button>
              ),
            }}
          />
          <Callout.Root size="1" color={difference === '0.00' && debit === credit ? 'green' : 'red'} role="status">
            <Callout.Text>
              {t(difference === '0.00' && debit === credit ? 'recon.booksBalance' : 'recon.booksBroken', {
                debit: formatMoney(debit),
                credit: formatMoney(credit),
                difference: formatMoney(difference),
              })}
            </Callout.Text>
          </Callout.Root>
          {kind && <Accounts given={given} kind={kind} />}
        </>
      )}
    </Loaded>
  )
}

/** All accounts of the period in one file. */
const Files = ({ given: { fromDate, toDate, basis } }: Asked) => {
  const t = useText()
  const list = ledger.trialAccounts
  const filters: FiltersOf<typeof list> = { period: [fromDate, toDate], basis }
  const { data } = useRead(list, { ...filters, pageSize: 10 }, { background: true })
  return (
    <Exports
      list={list}
      command={list.exporting as NonNullable<Listed['exporting']>}
      columns={drawn(t, list, ['accountCode', 'accountKind', ...amounts])}
      state={{ filters, sort: list.defaultSort, pageNum: 1, pageSize: 10 }}
      total={data?.total}
    />
  )
}

const TrialBalance = () => {
  const today = eatDate(new Date())
  const [given, setGiven] = useState<Given>({ fromDate: `${today.slice(0, 8)}01`, toDate: today, basis: 'as_was' })
  return (
    <Flex direction="column" gap="3">
      <Flex gap="3" align="end" wrap="wrap">
        {(['fromDate', 'toDate', 'basis'] as const).map(name => (
          <Field
            key={name}
            name={name}
            schema={shape[name]}
            value={given[name]}
            onChange={value => shape[name].safeParse(value).success && setGiven({ ...given, [name]: value })}
          />
        ))}
        <Files given={given} />
      </Flex>
      <Kinds given={given} />
    </Flex>
  )
}

/** What every kind of account held before and after a period and what moved it, as it was known then or as it turned out. */
export default screen([ledger.trialBalance, ledger.trialAccounts], () => <TrialBalance />)

import { useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import {
  type BalanceDay,
  BalanceEntryRow,
  type BalanceRow,
  balance,
} from '../../../core/contract/after-loan/balance.ts'
import { pathOf } from '../../../core/contract/pages.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { RowActions } from '../../../core/engine/form/actions.tsx'
import { Ask } from '../../../core/engine/form/ask.tsx'
import type { CallAction } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Bars } from '../../../core/ui/bars.tsx'
import { Callout } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { WaitingApproval } from '../../shared/record/waiting-approval.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { Difference } from './difference.tsx'

const correction: CallAction<BalanceEntryRow> = {
  run: balance.correct,
  label: 'actions.correctBalance',
  ask: ['lastBalance', 'reason'],
  from: 'row',
  input: ([row]) => ({ balanceEntryNo: row?.balanceEntryNo, version: row?.version }),
  confirm: 'balance.confirmCorrect',
  done: 'config.sentForApproval',
}

/** The books day by day; a day whose balance says something else stands apart. */
const Line = ({ days }: { days: readonly BalanceDay[] }) => {
  const t = useText()
  const bars = days.map(({ date, ledgerBalance, typed, fetched }) => {
    const read = [
      typed === null ? null : `${t('fields.typed')} UGX ${formatMoney(typed)}`,
      fetched === null ? null : `${t('fields.fetched')} UGX ${formatMoney(fetched)}`,
    ]
    const books = `${t('fields.ledgerBalance')} UGX ${formatMoney(ledgerBalance)}`
    return {
      name: date.slice(5),
      value: Math.max(0, Number(ledgerBalance)),
      label: [date, books, ...read].filter(Boolean).join(' · '),
      quiet: typed === null && fetched === null,
    }
  })
  return <Bars label={t('balance.line')} bars={bars} />
}

/** What payouts of today need beyond the account, and the way to get it. */
const TopUp = ({ row }: { row: BalanceRow }) => {
  const t = useText()
  if (Number(row.shortBy) <= 0) return null
  return (
    <Callout.Root size="1" color="amber" mb="2">
      <Callout.Text>
        {t('balance.topUp', { amount: formatMoney(row.shortBy) })}{' '}
        <a className="mk-link" href={pathOf('ChargeToAnAccountSystem', 'CashTransferApplyFor')}>
          {t('balance.askTransfer')}
        </a>
      </Callout.Text>
    </Callout.Root>
  )
}

/** What was corrected by a line stands below it. */
const Remark = ({ entry: { remark, correctsNo, correctReason } }: { entry: BalanceEntryRow }) => {
  const t = useText()
  if (correctsNo) return <span>{t('balance.corrects', { no: correctsNo, reason: correctReason ?? '' })}</span>
  return <span>{remark ?? '–'}</span>
}

const entryNames = [
  'entryDate',
  'lastBalance',
  'balanceSource',
  'enteredName',
  'createdTime',
  'ledgerThen',
  'inFlightThen',
  'difference',
  'backfilled',
  'balanceEntryStatus',
  'remark',
] as const

const Entries = ({ list, changed }: { list: readonly BalanceEntryRow[]; changed: () => void }) => {
  const t = useText()
  const may = useMay()
  const [asked, setAsked] = useState<BalanceEntryRow | null>(null)
  return (
    <>
      {list
        .filter(entry => entry.pendingApproval !== null)
        .map(entry => (
          <WaitingApproval
            key={entry.balanceEntryNo}
            objectType="balanceEntry"
            objectNo={entry.balanceEntryNo}
            reload={changed}
          />
        ))}
      <SmallTable
        schema={BalanceEntryRow}
        rows={list}
        rowKey="balanceEntryNo"
        names={[...entryNames, ...(may.call(balance.correct) ? ['balanceEntryNo'] : [])]}
        headers={{ balanceEntryNo: t('common.actions') }}
        cells={{
          difference: entry => <Difference amount={entry.difference} />,
          remark: entry => <Remark entry={entry} />,
          balanceEntryNo: entry => (
            <RowActions actions={[correction as never]} row={entry} press={() => setAsked(entry)} />
          ),
        }}
        quiet={entry => entry.balanceEntryStatus === 'corrected'}
        empty={t('balance.noEntries')}
      />
      {asked && (
        <Ask
          action={correction as never}
          rows={[asked]}
          rowKey="balanceEntryNo"
          fields={BalanceEntryRow}
          close={did => {
            setAsked(null)
            if (did) changed()
          }}
        />
      )}
    </>
  )
}

/** One account: what payouts of today lack, its balances of a month, and each line that was entered or fetched. */
export const BalanceDetail = ({ row, reload }: { row: BalanceRow; reload: () => void }) => {
  const t = useText()
  const read = useRead(balance.history, { fundAccountNo: row.fundAccountNo }, { follows: true })
  const changed = () => {
    void read.retry()
    reload()
  }
  return (
    <>
      <TopUp row={row} />
      <Facts
        schema={balance.page.row}
        value={row}
        names={[
          'channel',
          'bankName',
          'accountNumber',
          'accountRole',
          'ledgerBalance',
          'channelBalance',
          'channelBalanceTime',
          'minBalance',
          'neededToday',
          'shortBy',
        ]}
      />
      <Loaded read={read}>
        {({ list, days }) => (
          <>
            <Section title={t('balance.line')} wide>
              <Line days={days} />
            </Section>
            <Section title={t('balance.history')} wide>
              <Entries list={list} changed={changed} />
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { ledger } from '../../../core/contract/after-loan/ledger.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { screen } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { eatDate } from '../../../core/rules/time.ts'
import { Callout, Flex } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const { shape } = ledger.trialBalance.input

const TrialBalance = () => {
  const t = useText()
  const today = eatDate(new Date())
  const [given, setGiven] = useState<InputOf<typeof ledger.trialBalance>>({ date: today, basis: 'as_was' })
  const read = useRead(ledger.trialBalance, given, { keepPreviousData: true })
  return (
    <Flex direction="column" gap="3">
      <Flex gap="3" align="end" wrap="wrap">
        {(['date', 'basis'] as const).map(name => (
          <Field
            key={name}
            name={name}
            schema={shape[name]}
            value={given[name]}
            onChange={value => shape[name].safeParse(value).success && setGiven({ ...given, [name]: value })}
          />
        ))}
      </Flex>
      <Loaded read={read}>
        {({ list, debit, credit, difference }) => (
          <>
            <SmallTable
              schema={ledger.trialBalance.output.shape.list.element}
              rows={list}
              rowKey="accountKind"
              names={['accountKind', 'debit', 'credit', 'balance']}
              empty={t('afterLoan.noJournal')}
            />
            <Callout.Root size="1" color={difference === '0.00' ? 'green' : 'red'} role="status">
              <Callout.Text>
                {t(difference === '0.00' ? 'recon.booksBalance' : 'recon.booksBroken', {
                  debit: formatMoney(debit),
                  credit: formatMoney(credit),
                  difference: formatMoney(difference),
                })}
              </Callout.Text>
            </Callout.Root>
          </>
        )}
      </Loaded>
    </Flex>
  )
}

/** What every kind of account held at the end of a day, as it was known then or as it turned out. */
export default screen([ledger.trialBalance], () => <TrialBalance />)

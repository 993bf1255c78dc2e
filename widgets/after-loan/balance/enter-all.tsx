import { type FormEvent, useRef, useState } from 'react'
import { CallError, fieldErrors, TransportError } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import { type BalanceRow, balance } from '../../../core/contract/after-loan/balance.ts'
import { blockOf } from '../../../core/contract/blocked.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { useAct } from '../../../core/engine/form/use-act.ts'
import { wrongWith } from '../../../core/engine/form/wrong.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'

const shape = balance.enter.input.shape
type Answers = Readonly<Record<string, string>>
/** What became of an account that was sent: its difference, or why it was refused. */
type Ended = Readonly<Record<string, { good: boolean; words: string }>>

/** One account after the other is sent under a key of its own: what is sent again after a lost answer is entered once. */
const useEntries = (close: (changed?: boolean) => void) => {
  const t = useText()
  const act = useAct()
  const keys = useRef(new Map<string, string>())
  const [answers, setAnswers] = useState<Answers>({})
  const [entryDate, setEntryDate] = useState<string>(() => new Date().toISOString())
  const [ended, setEnded] = useState<Ended>({})
  const [busy, setBusy] = useState(false)
  const filled = Object.entries(answers).filter(([no, text]) => text && !ended[no]?.good)

  const enter = async (fundAccountNo: string, lastBalance: string) => {
    const wrong = wrongWith(t, shape.lastBalance, lastBalance)
    if (wrong) return { good: false, words: wrong }
    const key = keys.current.get(fundAccountNo) ?? act.newKey()
    keys.current.set(fundAccountNo, key)
    try {
      const answer = await act.send(
        balance.enter,
        { fundAccountNo, lastBalance, entryDate },
        { key, ids: [fundAccountNo], done: () => null },
      )
      return { good: true, words: t('balance.entered', { difference: formatMoney(answer.difference) }) }
    } catch (error) {
      if (error instanceof TransportError) return { good: false, words: t('common.noAnswer') }
      keys.current.delete(fundAccountNo)
      if (!(error instanceof CallError)) throw error
      return { good: false, words: Object.values(fieldErrors(error))[0] ?? error.message }
    }
  }
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (busy || filled.length === 0) return
    setBusy(true)
    const said: Record<string, { good: boolean; words: string }> = { ...ended }
    for (const [no, text] of filled) {
      said[no] = await enter(no, text)
      setEnded({ ...said })
    }
    setBusy(false)
    if (filled.every(([no]) => said[no]?.good)) close(true)
  }
  const put = (no: string, value: unknown) => {
    setAnswers({ ...answers, [no]: String(value ?? '') })
    setEnded(Object.fromEntries(Object.entries(ended).filter(([name]) => name !== no)))
  }
  return { answers, put, entryDate, setEntryDate, ended, busy, submit, filled }
}

const Entries = ({ rows, close }: { rows: readonly BalanceRow[]; close: (changed?: boolean) => void }) => {
  const t = useText()
  const { answers, put, entryDate, setEntryDate, ended, busy, submit, filled } = useEntries(close)
  const done = Object.values(ended).filter(one => one.good).length
  return (
    <ModalDialog
      open
      onClose={() => close(done > 0)}
      title={t('actions.enterAllBalances')}
      description={t('balance.confirmEnterAll')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={filled.length === 0} onClick={() => void submit()}>
            {t('common.actionOn', { action: t('actions.enterBalance'), n: filled.length })}
          </Button>
        </>
      }
    >
      <form className="mk-form" noValidate onSubmit={event => void submit(event)}>
        <Field
          name="entryDate"
          schema={shape.entryDate}
          value={entryDate}
          onChange={value => setEntryDate(String(value ?? ''))}
        />
        {rows.map(row => (
          <div key={row.fundAccountNo}>
            <Field
              name="lastBalance"
              label={row.accountName}
              schema={shape.lastBalance}
              value={answers[row.fundAccountNo] ?? ''}
              {...(ended[row.fundAccountNo]?.good === false ? { error: ended[row.fundAccountNo]?.words ?? '' } : {})}
              onChange={value => put(row.fundAccountNo, value)}
            />
            {ended[row.fundAccountNo]?.good && (
              <Text as="p" size="1" color="green" role="status">
                {ended[row.fundAccountNo]?.words}
              </Text>
            )}
          </div>
        ))}
        {done > 0 && (
          <Callout.Root size="1">
            <Callout.Text>{t('balance.sentOf', { n: done, m: rows.length })}</Callout.Text>
          </Callout.Root>
        )}
        <Flex display="none">
          <button type="submit" tabIndex={-1} aria-hidden="true" />
        </Flex>
      </form>
    </ModalDialog>
  )
}

/** The balances of all accounts in one form, Tab from one to the next. */
export const EnterAll = ({ close }: { close: (changed?: boolean) => void }) => {
  const read = useRead(balance.page, { pageNum: 1, pageSize: 100, sort: 'accountName' })
  return (
    <Loaded read={read} skeleton={null}>
      {({ list }) => <Entries rows={list.filter(row => !blockOf(row, balance.enter))} close={close} />}
    </Loaded>
  )
}

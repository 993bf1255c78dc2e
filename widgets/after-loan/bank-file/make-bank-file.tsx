import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { bankBatch } from '../../../core/contract/after-loan/bank-batch.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney, sub } from '../../../core/rules/amount.ts'
import { eatDate } from '../../../core/rules/time.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { RadioGroup } from '../../../core/ui/more.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Failed, Loading } from '../../../core/ui/states.tsx'

type Account = OutputOf<typeof bankBatch.accounts>['list'][number]

/** The accounts of banks, each with what its file would hold now. */
const Accounts = ({
  list,
  chosen,
  choose,
}: {
  list: readonly Account[]
  chosen: string
  choose: (no: string) => void
}) => {
  const t = useText()
  return (
    <RadioGroup.Root size="2" value={chosen} onValueChange={choose} aria-label={t('fields.fundAccountNo')} mb="3">
      {list.map(({ fundAccountNo, accountName, paymentCount, amount }) => (
        <RadioGroup.Item key={fundAccountNo} value={fundAccountNo} disabled={paymentCount === 0}>
          {paymentCount === 0
            ? t('afterLoan.noPaymentsFor', { account: accountName })
            : t('afterLoan.paymentsFor', { account: accountName, n: paymentCount, amount: formatMoney(amount) })}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}

/** What would leave the account that is chosen, and sending it once. */
const useMaking = (close: (changed?: boolean) => void) => {
  const t = useText()
  const { send, busy } = useCommand()
  const read = useRead(bankBatch.accounts, {}, { keepPreviousData: false })
  const [no, choose] = useState('')
  const [executionDate, setDate] = useState<string>(() => eatDate(new Date()))
  const [note, setNote] = useState<string | null>(null)
  const list = read.data?.list ?? []
  const account = list.find(one => one.fundAccountNo === no) ?? list.find(one => one.paymentCount > 0)
  const make = async () => {
    if (!account) return
    const { fundAccountNo, paymentCount, amount } = account
    const outcome = await send(
      bankBatch.create,
      { fundAccountNo, executionDate, paymentCount, amount },
      { done: ({ batchNo }) => t('afterLoan.bankFileMade', { batchNo }) },
    )
    if (outcome.is === 'done') return close(true)
    setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
    void read.retry()
  }
  return { read, list, account, choose, executionDate, setDate, note, make, busy }
}

/** A file for a bank is made of what waits for one of its accounts; the numbers that are agreed to are those that are sent. */
export const MakeBankFile = ({ close }: DialogProps<never>) => {
  const t = useText()
  const { read, list, account, choose, executionDate, setDate, note, make, busy } = useMaking(close)
  const { data, error, retry } = read
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('actions.makeBankFile')}
      description={
        account &&
        t('afterLoan.confirmBankFile', {
          n: account.paymentCount,
          amount: formatMoney(account.amount),
          account: account.accountName,
          rest: formatMoney(sub(account.balance, account.amount)),
        })
      }
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={!account} onClick={() => void make()}>
            {t('actions.makeBankFile')}
          </Button>
        </>
      }
    >
      {error ? <Failed message={t('common.noConnection')} onRetry={() => void retry()} /> : null}
      {!data && !error && <Loading rows={3} />}
      {data && list.length === 0 && <Text size="2">{t('afterLoan.noBankAccounts')}</Text>}
      {list.length > 0 && <Accounts list={list} chosen={account?.fundAccountNo ?? ''} choose={choose} />}
      {account && (
        <Field
          name="executionDate"
          schema={bankBatch.create.input.shape.executionDate}
          value={executionDate}
          onChange={value => setDate(String(value ?? ''))}
        />
      )}
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}

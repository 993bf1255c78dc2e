import { type FormEvent, useState } from 'react'
import { fieldErrors } from '../../core/client/errors.ts'
import { useRead } from '../../core/client/providers.tsx'
import { type OwnAccount, type TransferRow, transfer } from '../../core/contract/charge/transfer.ts'
import type { InputOf } from '../../core/contract/endpoint.ts'
import { type Translate, useText } from '../../core/element/i18n.ts'
import { ConfirmAnyway } from '../../core/engine/form/confirm-anyway.tsx'
import { Field } from '../../core/engine/form/field.tsx'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { wrongWith } from '../../core/engine/form/wrong.ts'
import type { DialogProps } from '../../core/engine/screen.ts'
import { add, formatMoney, sub } from '../../core/rules/amount.ts'
import { Button, Flex, Text } from '../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../shared/loaded.tsx'
import { FilesField } from '../shared/record/files-field.tsx'

type Answers = Readonly<Record<string, unknown>>
type Errors = Readonly<Record<string, string>>
type Command = typeof transfer.submit | typeof transfer.resubmit

const shape = transfer.submit.input.shape
const names = ['fromAccountNo', 'toAccountNo', 'transferAmount', 'transferPurpose', 'remark'] as const

/** What an account lacks today, and the richest other one that has it. */
const suggested = (accounts: readonly OwnAccount[]): { from: OwnAccount; to: OwnAccount; amount: string } | null => {
  const short = accounts.find(one => Number(one.needed) > Number(one.available))
  if (!short) return null
  const amount = sub(short.needed, short.available)
  const rich = accounts
    .filter(one => one !== short && one.lenderName === short.lenderName)
    .filter(one => Number(one.available) - Number(one.needed) >= Number(amount))
    .sort((a, b) => Number(b.available) - Number(a.available))[0]
  return rich ? { from: rich, to: short, amount: `${Math.ceil(Number(amount))}.00` } : null
}

/** Each account of the form, now and afterwards. */
const Balances = ({ accounts, answers }: { accounts: readonly OwnAccount[]; answers: Answers }) => {
  const t = useText()
  const find = (no: unknown) => accounts.find(one => one.fundAccountNo === no)
  const [from, to] = [find(answers.fromAccountNo), find(answers.toAccountNo)]
  if (!from || !to) return null
  const amount = String(answers.transferAmount ?? '') || '0.00'
  return (
    <div className="mk-small">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('transfer.account')}</th>
            <th scope="col" className="mk-right">
              {t('transfer.before')}
            </th>
            <th scope="col" className="mk-right">
              {t('fields.available')}
            </th>
            <th scope="col" className="mk-right">
              {t('transfer.after')}
            </th>
          </tr>
        </thead>
        <tbody>
          {[
            { one: from, after: sub(from.balance, amount) },
            { one: to, after: add(to.balance, amount) },
          ].map(({ one, after }) => (
            <tr key={one.fundAccountNo}>
              <td>{one.accountName}</td>
              <td className="mk-right">{formatMoney(one.balance)}</td>
              <td className="mk-right">{formatMoney(one.available)}</td>
              <td className="mk-right">{formatMoney(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Fill = (answers: Answers) => void

const Suggestion = ({ accounts, fill }: { accounts: readonly OwnAccount[]; fill: Fill }) => {
  const t = useText()
  const found = suggested(accounts)
  if (!found)
    return (
      <Text as="p" size="1" color="gray">
        {t('transfer.noSuggestion')}
      </Text>
    )
  const { from, to, amount } = found
  return (
    <Flex gap="2" align="center" wrap="wrap">
      <Text size="1">
        {t('transfer.suggestion', { to: to.accountName, amount: formatMoney(amount), from: from.accountName })}
      </Text>
      <Button
        size="1"
        variant="soft"
        type="button"
        onClick={() =>
          fill({
            fromAccountNo: from.fundAccountNo,
            toAccountNo: to.fundAccountNo,
            transferAmount: amount,
            transferPurpose: 'payout_float',
          })
        }
      >
        {t('actions.suggestTransfer')}
      </Button>
    </Flex>
  )
}

type Props = {
  command: Command
  title: string
  about: Answers
  first: Answers
  accounts: readonly OwnAccount[]
  close: (changed?: boolean) => void
}

const flawsOf = (t: Translate, answers: Answers): Errors =>
  Object.fromEntries(
    names.flatMap(name => {
      if (name === 'remark' && !answers[name]) return []
      const wrong = wrongWith(t, shape[name], answers[name])
      return wrong ? [[name, wrong]] : []
    }),
  )

const useTransferForm = ({ command, about, first, close }: Props) => {
  const t = useText()
  const { send, busy, question, forget } = useCommand()
  const [answers, setAnswers] = useState<Answers>(first)
  const [files, setFiles] = useState<readonly string[]>([])
  const [errors, setErrors] = useState<Errors>({})
  const needsFile = command === transfer.submit
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const flaws = {
      ...flawsOf(t, answers),
      ...(needsFile && files.length === 0 ? { attachNos: t('validation.infoComplete') } : {}),
    }
    setErrors(flaws)
    if (Object.keys(flaws).length > 0) return
    const typed = Object.fromEntries(names.flatMap(name => (answers[name] ? [[name, answers[name]]] : [])))
    const input = { ...about, ...typed, ...(files.length > 0 ? { attachNos: [...files] } : {}) }
    const outcome = await send(command as typeof transfer.submit, input as InputOf<typeof transfer.submit>, {
      done: ({ transferNo }) => t('transfer.submitted', { transferNo }),
    })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'refused') setErrors(fieldErrors(outcome.error))
  }
  const put = (more: Answers) => {
    forget()
    setErrors({})
    setAnswers({ ...answers, ...more })
  }
  return { answers, files, setFiles, needsFile, errors, put, submit, busy, question, forget }
}

/** Own money from one account to another, with the balances before and after. */
export const TransferForm = (props: Props) => {
  const { title, accounts, close } = props
  const { answers, files, setFiles, needsFile, errors, put, submit, busy, question, forget } = useTransferForm(props)
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={title}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void submit()}>
            {title}
          </Button>
        </>
      }
    >
      <form className="mk-form" noValidate onSubmit={event => void submit(event)}>
        <Suggestion accounts={accounts} fill={put} />
        {names.map(name => (
          <Field
            key={`${name}${name === 'transferAmount' ? String(answers.fromAccountNo) : ''}`}
            name={name}
            schema={shape[name]}
            value={answers[name]}
            optional={name === 'remark'}
            {...(errors[name] ? { error: errors[name] } : {})}
            onChange={value => put({ [name]: value })}
          />
        ))}
        <Balances accounts={accounts} answers={answers} />
        <FilesField value={files} required={needsFile} error={errors.attachNos} onChange={setFiles} />
        <button type="submit" hidden />
      </form>
      {question && (
        <ConfirmAnyway title={title} words={question} busy={busy} go={() => void submit()} cancel={forget} />
      )}
    </ModalDialog>
  )
}

const firstOf = (row: TransferRow): Answers => ({
  fromAccountNo: row.fromAccountNo,
  toAccountNo: row.toAccountNo,
  transferAmount: row.transferAmount,
  transferPurpose: row.transferPurpose,
  ...(row.remark ? { remark: row.remark } : {}),
})

const WithAccounts = (props: Omit<Props, 'accounts'>) => (
  <Loaded read={useRead(transfer.accounts, {})} skeleton={null}>
    {({ list }) => <TransferForm {...props} accounts={list} />}
  </Loaded>
)

/** A new transfer. */
export const NewTransferDialog = ({ close }: { close: (changed?: boolean) => void }) => {
  const t = useText()
  return <WithAccounts command={transfer.submit} title={t('actions.newTransfer')} about={{}} first={{}} close={close} />
}

/** A new transfer that begins as another one was. */
export const CopyTransferDialog = ({ rows: [row], close }: DialogProps<TransferRow>) => {
  const t = useText()
  return (
    <WithAccounts
      command={transfer.submit}
      title={t('actions.newTransfer')}
      about={{}}
      first={firstOf(row)}
      close={close}
    />
  )
}

/** Its maker corrects a transfer that came back. */
export const ResubmitTransferDialog = ({ rows: [row], close }: DialogProps<TransferRow>) => {
  const t = useText()
  const { transferNo, version } = row
  return (
    <WithAccounts
      command={transfer.resubmit}
      title={t('actions.resubmitTransfer')}
      about={{ transferNo, version }}
      first={firstOf(row)}
      close={close}
    />
  )
}

import { useState } from 'react'
import { newKey } from '../../../core/client/call.ts'
import { channels } from '../../../core/contract/after-loan/channel.ts'
import type { FlowRow, RepayOrderRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import type { ValueOf } from '../../../core/contract/fields.ts'
import { useText } from '../../../core/element/i18n.ts'
import { formatMoney, parseMoneyInput } from '../../../core/rules/amount.ts'
import { eatDateTime, parseEat } from '../../../core/rules/time.ts'
import { Button, Flex, IconButton, TextField } from '../../../core/ui/basics.ts'
import { Select } from '../../../core/ui/choose/select.tsx'
import { Icon } from '../../../core/ui/icons.tsx'
import { FlowFinder } from './flow-finder.tsx'

type Channel = ValueOf<typeof channels>
/** One receipt in the form: picked (with its flow number) or typed now. */
export type Line = {
  id: string
  flowNo?: string
  paymentCode: string
  paymentChannel: Channel
  serialNo: string
  amount: string
  entryTime: string
  writeOffAmount: string
}

export const lineOf = (flow: FlowRow): Line => ({
  id: flow.flowNo,
  flowNo: flow.flowNo,
  paymentCode: flow.paymentCode ?? flow.serialNo,
  paymentChannel: flow.paymentChannel,
  serialNo: flow.serialNo,
  amount: flow.amount,
  entryTime: flow.entryTime,
  writeOffAmount: flow.remaining,
})
export const newLine = (order: RepayOrderRow, paymentCode: string): Line => ({
  id: newKey(),
  paymentCode,
  paymentChannel: 'mtn_momo',
  serialNo: '',
  amount: order.settleAmount,
  entryTime: new Date().toISOString(),
  writeOffAmount: order.settleAmount,
})

type Edit = (patch: Partial<Line>) => void

const MoneyCell = ({
  value,
  label,
  onChange,
  disabled,
  error,
}: {
  value: string
  label: string
  onChange: (amount: string) => void
  disabled?: boolean
  error?: string
}) => {
  const [typed, setTyped] = useState(value && formatMoney(value))
  return (
    <TextField.Root
      size="1"
      className="mk-money-input"
      inputMode="decimal"
      aria-label={label}
      aria-invalid={error !== undefined}
      title={error}
      disabled={disabled}
      value={typed}
      onChange={event => {
        setTyped(event.target.value)
        onChange(parseMoneyInput(event.target.value) ?? '')
      }}
    />
  )
}

type RowProps = {
  line: Line
  index: number
  error: (name: string) => string | undefined
  edit: Edit
  remove: () => void
}
type Name = 'serialNo' | 'paymentCode' | 'paymentChannel' | 'amount' | 'entryTime' | 'writeOffAmount'
type CellProps = Omit<RowProps, 'index' | 'remove'> & { picked: boolean; label: (name: Name) => string }

/** What a cell of a line is called. */
const useLabel = (index: number) => {
  const t = useText()
  return (name: Name) => `${t(`fields.${name}`)} ${index + 1}`
}

const ChannelCell = ({ line, edit, picked, label }: CellProps) => {
  const t = useText()
  return (
    <Select.Root
      size="1"
      value={line.paymentChannel}
      disabled={picked}
      onValueChange={next => edit({ paymentChannel: next as Channel })}
    >
      <Select.Trigger aria-label={label('paymentChannel')} />
      <Select.Content>
        {channels.values.map(channel => (
          <Select.Item key={channel} value={channel}>
            {t(`dict.CHANNEL.${channel}`)}
          </Select.Item>
        ))}
      </Select.Content>
    </Select.Root>
  )
}

const TimeCell = ({ line, error, edit, picked, label }: CellProps) => {
  const [time, setTime] = useState(eatDateTime(line.entryTime).slice(0, 16))
  return (
    <TextField.Root
      size="1"
      aria-label={label('entryTime')}
      aria-invalid={error('entryTime') !== undefined}
      title={error('entryTime')}
      disabled={picked}
      value={time}
      placeholder="YYYY-MM-DD HH:mm"
      onChange={event => {
        setTime(event.target.value)
        edit({ entryTime: parseEat(event.target.value) ?? '' })
      }}
    />
  )
}

const LineRow = (props: RowProps) => {
  const { line, index, error, edit, remove } = props
  const t = useText()
  const picked = line.flowNo !== undefined
  const label = useLabel(index)
  const cell = { line, error, edit, picked, label }
  const text = (name: 'serialNo' | 'paymentCode') => (
    <TextField.Root
      size="1"
      aria-label={label(name)}
      aria-invalid={error(name) !== undefined}
      title={error(name)}
      disabled={picked}
      value={line[name]}
      onChange={event => edit({ [name]: event.target.value })}
    />
  )
  return (
    <tr>
      <td>{text('serialNo')}</td>
      <td>{text('paymentCode')}</td>
      <td>
        <ChannelCell {...cell} />
      </td>
      <td>
        <MoneyCell
          label={label('amount')}
          error={error('amount')}
          value={line.amount}
          disabled={picked}
          onChange={amount => edit({ amount })}
        />
      </td>
      <td>
        <TimeCell {...cell} />
      </td>
      <td>
        <MoneyCell
          label={label('writeOffAmount')}
          error={error('writeOffAmount')}
          value={line.writeOffAmount}
          onChange={writeOffAmount => edit({ writeOffAmount })}
        />
      </td>
      <td>
        <IconButton
          size="1"
          variant="ghost"
          color="gray"
          aria-label={t('afterLoan.removeLine', { n: index + 1 })}
          onClick={remove}
        >
          <Icon name="close" size={12} />
        </IconButton>
      </td>
    </tr>
  )
}

type Props = {
  lines: readonly Line[]
  flows: readonly FlowRow[]
  errors: Readonly<Record<string, string>>
  onChange: (lines: readonly Line[]) => void
  onAdd: () => void
}

/** The receipts to apply: picked from those that wait, or typed now. */
export const WriteOffLines = ({ lines, flows, errors, onChange, onAdd }: Props) => {
  const t = useText()
  const free = flows.filter(flow => !lines.some(line => line.flowNo === flow.flowNo))
  const edit = (id: string, patch: Partial<Line>) =>
    onChange(lines.map(line => (line.id === id ? { ...line, ...patch } : line)))
  return (
    <>
      {lines.length > 0 && (
        <div className="mk-small">
          <table>
            <thead>
              <tr>
                {(['serialNo', 'paymentCode', 'paymentChannel', 'amount', 'entryTime', 'writeOffAmount'] as const).map(
                  name => (
                    <th key={name} scope="col">
                      {t(`fields.${name}`)}
                    </th>
                  ),
                )}
                <th aria-label={t('common.actions')} />
              </tr>
            </thead>
            <tbody>
              {lines.map((line, index) => (
                <LineRow
                  key={line.id}
                  line={line}
                  index={index}
                  error={name => errors[`flows.${index}.${name}`]}
                  edit={patch => edit(line.id, patch)}
                  remove={() => onChange(lines.filter(one => one.id !== line.id))}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <FlowFinder
        taken={flowNo => lines.some(line => line.flowNo === flowNo)}
        onPick={flow => onChange([...lines, lineOf(flow)])}
      />
      <Flex gap="2" wrap="wrap">
        {free.map(flow => (
          <Button
            key={flow.flowNo}
            type="button"
            size="1"
            variant="soft"
            onClick={() => onChange([...lines, lineOf(flow)])}
          >
            + {flow.serialNo} · UGX {formatMoney(flow.remaining)}
          </Button>
        ))}
        <Button type="button" size="1" variant="surface" color="gray" onClick={onAdd}>
          {t('afterLoan.typeFlow')}
        </Button>
      </Flex>
    </>
  )
}

import { useState } from 'react'
import { fieldErrors } from '../../../core/client/errors.ts'
import { type ReconItemRow, recon } from '../../../core/contract/after-loan/reconciliation.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { flawsOf } from '../../../core/engine/form/flaws.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney, isNegative, neg } from '../../../core/rules/amount.ts'
import { Button, Callout, Flex, IconButton } from '../../../core/ui/basics.ts'
import { Icon } from '../../../core/ui/icons.tsx'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

type Input = InputOf<typeof recon.adjust>
type Line = { id: number; account?: unknown; side?: unknown; amount?: unknown }

const { shape } = recon.adjust.input
const line = shape.lines.element.shape
const names = ['account', 'side', 'amount'] as const
const most = 6

/** What settles a difference most often: the money on the own account, against an income or an expense. */
const firstLines = ({ difference }: ReconItemRow): Line[] => {
  const out = isNegative(difference)
  const amount = out ? neg(difference) : difference
  return [
    { id: 1, account: 'bank', side: out ? 'credit' : 'debit', amount },
    { id: 2, account: out ? 'other_expense' : 'other_income', side: out ? 'debit' : 'credit', amount },
  ]
}

const useAdjust = (row: ReconItemRow, close: (changed?: boolean) => void) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [lines, setLines] = useState<readonly Line[]>(() => firstLines(row))
  const [reason, setReason] = useState('')
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const submit = async () => {
    const { reconItemNo, version } = row
    const input = { reconItemNo, version, reason, lines: lines.map(({ id: _, ...given }) => given) }
    const flaws = flawsOf(t, recon.adjust.input, input)
    setErrors(flaws)
    if (Object.keys(flaws).length > 0) return
    const outcome = await send(recon.adjust, input as unknown as Input, { done: () => t('afterLoan.sentForApproval') })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'refused') setErrors(fieldErrors(outcome.error))
  }
  const put = (id: number, name: string, value: unknown) => {
    setErrors({})
    setLines(lines.map(one => (one.id === id ? { ...one, [name]: value } : one)))
  }
  return { lines, setLines, reason, setReason, errors, put, submit, busy }
}

type LineProps = {
  one: Line
  put: (id: number, name: string, value: unknown) => void
  remove: (() => void) | undefined
}

const AdjustLine = ({ one, put, remove }: LineProps) => {
  const t = useText()
  return (
    <Flex gap="2" align="end" wrap="wrap">
      {names.map(name => (
        <Field
          key={name}
          name={name}
          schema={line[name]}
          value={one[name]}
          onChange={value => put(one.id, name, value)}
        />
      ))}
      <IconButton
        type="button"
        variant="ghost"
        color="gray"
        disabled={!remove}
        aria-label={t('recon.removeLine')}
        onClick={remove}
      >
        <Icon name="close" />
      </IconButton>
    </Flex>
  )
}

/** Asks for a posting that settles a difference; a second person agrees to it. */
export const AdjustDialog = ({ rows: [row], close }: DialogProps<ReconItemRow>) => {
  const t = useText()
  const { lines, setLines, reason, setReason, errors, put, submit, busy } = useAdjust(row, close)
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('actions.adjustItem')}
      description={t('recon.adjustHint', { no: row.reconItemNo, amount: formatMoney(row.difference) })}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void submit()}>
            {t('actions.adjustItem')}
          </Button>
        </>
      }
    >
      <div className="mk-form">
        {lines.map(one => (
          <AdjustLine
            key={one.id}
            one={one}
            put={put}
            remove={lines.length > 2 ? () => setLines(lines.filter(other => other.id !== one.id)) : undefined}
          />
        ))}
        {errors.lines && (
          <Callout.Root size="1" color="red" role="alert">
            <Callout.Text>{errors.lines}</Callout.Text>
          </Callout.Root>
        )}
        <Button
          type="button"
          variant="soft"
          disabled={lines.length >= most}
          onClick={() => setLines([...lines, { id: Math.max(...lines.map(({ id }) => id)) + 1 }])}
        >
          {t('recon.addLine')}
        </Button>
        <Field
          name="reason"
          schema={shape.reason}
          value={reason}
          {...(errors.reason ? { error: errors.reason } : {})}
          onChange={value => setReason(String(value ?? ''))}
        />
      </div>
    </ModalDialog>
  )
}

import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { fieldErrors } from '../../../core/client/errors.ts'
import { type ReconItemRow, recon } from '../../../core/contract/after-loan/reconciliation.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { flawsOf } from '../../../core/engine/form/flaws.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney, isNegative, neg } from '../../../core/rules/amount.ts'
import { Button, Callout, Flex, IconButton } from '../../../core/ui/basics.ts'
import { Icon } from '../../../core/ui/icons.tsx'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

type Line = { id: number; account?: unknown; side?: unknown; amount?: unknown }
/** The call that asks for the posting, and what it takes beside the lines and the reason. */
type Asking = { call: typeof recon.adjust | typeof recon.adjustOwn; more: Readonly<Record<string, unknown>> }

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

const useAdjust = ({ call, more }: Asking, first: () => Line[], close: (changed?: boolean) => void) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [lines, setLines] = useState<readonly Line[]>(first)
  const [reason, setReason] = useState('')
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const submit = async () => {
    const input = { ...more, reason, lines: lines.map(({ id: _, ...given }) => given) }
    const flaws = flawsOf(t, call.input, input)
    setErrors(flaws)
    if (Object.keys(flaws).length > 0) return
    const outcome = await send(call, input as never, { done: () => t('afterLoan.sentForApproval') })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'refused') {
      const fields = fieldErrors(outcome.error)
      setErrors(Object.keys(fields).length > 0 ? fields : { lines: outcome.error.message })
    }
  }
  const put = (id: number, name: string, value: unknown) => {
    setErrors({})
    setLines(lines.map(one => (one.id === id ? { ...one, [name]: value } : one)))
  }
  return { call, lines, setLines, reason, setReason, errors, put, submit, busy }
}
type Adjusting = ReturnType<typeof useAdjust>

type LineProps = {
  shape: Readonly<Record<(typeof names)[number], z.ZodType>>
  one: Line
  put: (id: number, name: string, value: unknown) => void
  remove: (() => void) | undefined
}

const AdjustLine = ({ shape, one, put, remove }: LineProps) => {
  const t = useText()
  return (
    <Flex gap="2" align="end" wrap="wrap">
      {names.map(name => (
        <Field
          key={name}
          name={name}
          schema={shape[name]}
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

const Lines = ({ call, lines, setLines, reason, setReason, errors, put }: Adjusting) => {
  const t = useText()
  const { shape } = call.input
  return (
    <>
      {lines.map(one => (
        <AdjustLine
          key={one.id}
          shape={shape.lines.element.shape}
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
    </>
  )
}

type FrameProps = {
  title: string
  description: string
  adjusting: Adjusting
  close: (changed?: boolean) => void
  children?: ReactNode
}

const Frame = ({ title, description, adjusting, close, children }: FrameProps) => (
  <ModalDialog
    open
    wide
    onClose={() => close()}
    title={title}
    description={description}
    footer={
      <>
        <DialogCancel />
        <Button loading={adjusting.busy} onClick={() => void adjusting.submit()}>
          {title}
        </Button>
      </>
    }
  >
    <div className="mk-form">
      {children}
      <Lines {...adjusting} />
    </div>
  </ModalDialog>
)

/** Asks for a posting that settles a difference; a second person agrees to it. */
export const AdjustDialog = ({ rows: [row], close }: DialogProps<ReconItemRow>) => {
  const t = useText()
  const { reconItemNo, version, difference } = row
  const adjusting = useAdjust({ call: recon.adjust, more: { reconItemNo, version } }, () => firstLines(row), close)
  const description = t('recon.adjustHint', { no: reconItemNo, amount: formatMoney(difference) })
  return <Frame title={t('actions.adjustItem')} description={description} adjusting={adjusting} close={close} />
}

const bankCharge = (): Line[] => [
  { id: 1, account: 'bank', side: 'credit' },
  { id: 2, account: 'channel_cost', side: 'debit' },
]

/** Asks for a posting on an account of ours that no difference stands behind. */
export const AdjustOwnDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const [fundAccountNo, setAccount] = useState<unknown>()
  const adjusting = useAdjust({ call: recon.adjustOwn, more: { fundAccountNo } }, bankCharge, close)
  const { fundAccountNo: error } = adjusting.errors
  return (
    <Frame title={t('actions.adjustOwn')} description={t('recon.adjustOwnHint')} adjusting={adjusting} close={close}>
      <Field
        name="fundAccountNo"
        schema={recon.adjustOwn.input.shape.fundAccountNo}
        value={fundAccountNo}
        {...(error ? { error } : {})}
        onChange={setAccount}
      />
    </Frame>
  )
}

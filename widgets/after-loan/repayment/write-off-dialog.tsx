import { type ReactNode, useEffect, useState } from 'react'
import { CallError, fieldErrors } from '../../../core/client/errors.ts'
import { useClient, useRead } from '../../../core/client/providers.tsx'
import { repay, type Trial } from '../../../core/contract/after-loan/repayment.ts'
import type { FlowRow, RepayOrderRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { type Translate, useText } from '../../../core/element/i18n.ts'
import { ConfirmAnyway } from '../../../core/engine/form/confirm-anyway.tsx'
import { isStale, useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { listed } from '../../../core/engine/table/columns.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { flow as flowMachine } from '../../../core/rules/machines/after-loan/flow.ts'
import { can } from '../../../core/rules/machines/machine.ts'
import { Button, Callout, Flex, Text, TextField } from '../../../core/ui/basics.ts'
import { useKept } from '../../../core/ui/kept.ts'
import { SegmentedControl } from '../../../core/ui/more.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { CouponChoice } from './coupon-choice.tsx'
import { ExtensionPrice } from './extension-dialog.tsx'
import { type AskedBill, OlderFirst } from './older-first.tsx'
import { OrderTitle } from './order-title.tsx'
import { TrialView } from './trial-view.tsx'
import { type Line, lineOf, newLine, WriteOffLines } from './write-off-lines.tsx'

type Type = 'settle' | 'partial' | 'extension' | 'overpayment'
type Given = InputOf<typeof repay.trial>

const pause = 300

/** The numbers the server would post for what is typed now; asked again a moment after typing stops, and when the order has moved on. */
const useTrial = (given: Given, ready: boolean, version: number) => {
  const client = useClient()
  const [state, setState] = useState<{ trial: Trial | null; error: unknown }>({ trial: null, error: null })
  const text = JSON.stringify(given)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the order makes other numbers
  useEffect(() => {
    if (!ready) return setState({ trial: null, error: null })
    const stop = new AbortController()
    const timer = setTimeout(() => {
      client
        .call(repay.trial, JSON.parse(text) as Given, { signal: stop.signal, background: true })
        .then(trial => setState({ trial, error: null }))
        .catch(error => void (!stop.signal.aborted && setState({ trial: null, error })))
    }, pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [client, text, ready, version])
  return state
}

/** The cells of the form that must not be empty or nothing. */
const needed = ['serialNo', 'paymentCode', 'amount', 'entryTime', 'writeOffAmount'] as const

const missingIn = (lines: readonly Line[]): string[] =>
  lines.flatMap((line, index) =>
    needed.filter(name => !line[name] || line[name] === '0.00').map(name => `flows.${index}.${name}`),
  )

type FormProps = {
  order: RepayOrderRow
  flows: readonly FlowRow[]
  /** The receipt that the form was opened for. */
  picked: FlowRow | undefined
  payCode: string
  /** What is said first. */
  note: ReactNode
  /** The order has moved on: it is to be read again. */
  stale: () => void
  close: (changed?: boolean) => void
}

/** What is typed, what is wrong with it, and the numbers that it would make. */
const useTyped = ({ order, flows, picked }: FormProps) => {
  const t = useText()
  const form = `writeOff/${order.orderNo}`
  const [type, setType] = useKept<Type>(`${form}/type`, 'settle')
  const [lines, setLines] = useKept<readonly Line[]>(`${form}/lines`, () => {
    const [only] = picked ? [picked] : flows.length === 1 ? flows : []
    return only ? [lineOf(only)] : []
  })
  const [remark, setRemark] = useKept(`${form}/remark`, '')
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [moved, setMoved] = useState<string | null>(null)
  const [couponNo, setCoupon] = useKept(`${form}/coupon`, '')
  const flowLines = lines.map(({ id: _, ...line }) => line)
  const given: Given = { orderNo: order.orderNo, repayType: type, flows: flowLines, ...(couponNo ? { couponNo } : {}) }
  const complete = lines.length > 0 && missingIn(lines).length === 0
  const { trial, error } = useTrial(given, complete, order.version)
  const [isIncomplete, setIncomplete] = useState(false)
  const typed = lines.filter(line => line.flowNo === undefined)
  const failed = trial?.refusal ?? (error instanceof CallError ? error.message : null)
  const refusal = isIncomplete ? t('validation.writeOffIncomplete') : failed
  const change = (next: readonly Line[]) => {
    setLines(next)
    setMoved(null)
    setErrors({})
    setIncomplete(false)
  }
  // Another kind of repayment may not take the coupon.
  const setKind = (next: Type) => {
    setType(next)
    setCoupon('')
  }
  const texts = { type, setType: setKind, couponNo, setCoupon, remark, setRemark, moved, setMoved }
  return { ...texts, lines, setLines, change, errors, setErrors, given, complete, trial, typed, refusal, setIncomplete }
}
type Typed = ReturnType<typeof useTyped>
type Sender = Pick<ReturnType<typeof useCommand>, 'send'>

/** Enters the receipts that were typed, one after the other; those that stand already are not sent again. */
const enterReceipts = async ({ send }: Sender, { lines, setLines, typed, setErrors }: Typed) => {
  const entered = new Map<string, string>()
  for (const { id, paymentCode, paymentChannel, serialNo, amount, entryTime } of typed) {
    const input = { paymentCode, paymentChannel, serialNo, amount, entryTime, commit: true }
    const outcome = await send(repay.flowSave, input, { ids: [serialNo] })
    if (outcome.is === 'refused') {
      const index = lines.findIndex(line => line.id === id)
      const own = Object.entries(fieldErrors(outcome.error)).map(([name, words]) => [`flows.${index}.${name}`, words])
      setErrors(Object.fromEntries(own))
    }
    if (outcome.is !== 'done') break
    entered.set(id, outcome.answer.flowNo)
  }
  setLines(lines.map(line => ({ ...line, flowNo: line.flowNo ?? entered.get(line.id) })))
}

/** Sends what is typed: first the receipts that are new, then the write-off by the numbers that were shown. */
const useCommit = ({ order, stale, close }: FormProps, form: Typed) => {
  const t = useText()
  const { send, busy, question, forget } = useCommand()
  const { lines, given, complete, trial, typed, refusal, remark, setErrors, setIncomplete, setMoved } = form
  const commit = async () => {
    if (!complete) {
      const words = t('validation.writeOffIncomplete')
      setErrors(Object.fromEntries(missingIn(lines).map(path => [path, words])))
      setIncomplete(true)
      return
    }
    if (!trial || refusal !== null) return
    if (typed.length > 0) return enterReceipts({ send }, form)
    if (trial.unproven.length > 0) return
    const { trialKey } = trial
    const outcome = await send(
      repay.commit,
      { ...given, version: order.version, trialKey, ...(remark ? { remark } : {}) },
      {
        ids: [order.orderNo],
        done: ({ amount, outstanding }) =>
          t('afterLoan.writtenOff', { amount: formatMoney(amount), outstanding: formatMoney(outstanding) }),
      },
    )
    if (outcome.is === 'refused') setErrors(fieldErrors(outcome.error))
    if (outcome.is === 'refused' && isStale(outcome.error)) {
      stale()
      setMoved(outcome.error.message)
    }
    if (outcome.is === 'done') close(true)
  }
  return { commit, busy, question, forget }
}

const TypeLine = ({ order, type, setType }: Pick<FormProps, 'order'> & Pick<Typed, 'type' | 'setType'>) => {
  const t = useText()
  return (
    <Flex gap="3" align="center" wrap="wrap">
      <SegmentedControl.Root
        size="1"
        value={type}
        onValueChange={next => setType(next as Type)}
        aria-label={t('fields.repayType')}
      >
        {(['settle', 'partial', 'extension'] as const).map(one => (
          <SegmentedControl.Item key={one} value={one}>
            {t(`dict.REPAY_TYPE.${one}`)}
          </SegmentedControl.Item>
        ))}
      </SegmentedControl.Root>
      <Text size="2" color="gray">
        {t('fields.settleAmount')} <b>UGX {formatMoney(order.settleAmount)}</b>
      </Text>
    </Flex>
  )
}

const Unproven = ({ list }: { list: Trial['unproven'] }) => {
  const t = useText()
  return (
    <Callout.Root color="amber" size="1" role="status">
      <Callout.Text>
        {t('afterLoan.unprovenTrial', { list: listed(t, list) })}
        <br />
        {t('afterLoan.unprovenHint')}
      </Callout.Text>
    </Callout.Root>
  )
}

/** A part that equals the price of an extension: it may be meant as one. */
const MayExtend = ({ go }: { go: () => void }) => {
  const t = useText()
  return (
    <Callout.Root color="amber" size="1" role="status">
      <Callout.Text>
        {t('afterLoan.equalsExtension')}{' '}
        <Button size="1" variant="soft" onClick={go}>
          {t('afterLoan.goToExtension')}
        </Button>
      </Callout.Text>
    </Callout.Root>
  )
}

const Moved = ({ words }: { words: string }) => {
  const t = useText()
  return (
    <Callout.Root color="amber" size="1" role="alert">
      <Callout.Text>
        {words} · {t('common.recordChanged')}
      </Callout.Text>
    </Callout.Root>
  )
}

/** Names the amount once there is one. */
const labelOf = (t: Translate, trial: Trial | null | undefined) =>
  trial ? t('afterLoan.writeOffAmount', { amount: formatMoney(trial.received) }) : t('actions.writeOff')

const Form = (props: FormProps) => {
  const { order, flows, payCode, note } = props
  const t = useText()
  const typing = useTyped(props)
  const { type, setType, lines, errors, trial, refusal, remark, setRemark, moved, complete, typed } = typing
  const { commit, busy, question, forget } = useCommit(props, typing)
  const label = labelOf(t, trial)
  const change = (next: readonly Line[]) => {
    typing.change(next)
    forget()
  }
  return (
    <div
      className="mk-form"
      onKeyDown={event => void (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && void commit())}
    >
      {note}
      <TypeLine order={order} type={type} setType={setType} />
      <WriteOffLines
        lines={lines}
        flows={flows}
        errors={errors}
        onChange={change}
        onAdd={() => change([...lines, newLine(order, payCode)])}
      />
      {refusal && (
        <Callout.Root color="red" size="1" role="alert">
          <Callout.Text>{refusal}</Callout.Text>
        </Callout.Root>
      )}
      {trial && trial.unproven.length > 0 && <Unproven list={trial.unproven} />}
      {trial?.flags.confirmNotExtension && <MayExtend go={() => setType('extension')} />}
      <CouponChoice list={trial?.coupons} value={typing.couponNo} choose={typing.setCoupon} />
      {type === 'extension' && <ExtensionPrice orderNo={order.orderNo} />}
      {trial && <TrialView trial={trial} extending={type === 'extension'} />}
      <TextField.Root
        value={remark}
        maxLength={30}
        placeholder={`${t('fields.remark')} ${t('common.optional')}`}
        aria-label={t('fields.remark')}
        onChange={event => setRemark(event.target.value)}
      />
      {moved && <Moved words={moved} />}
      <Flex justify="end" gap="2">
        <DialogCancel />
        <Button
          disabled={complete && (!trial || refusal !== null || (typed.length === 0 && trial.unproven.length > 0))}
          loading={busy}
          onClick={() => void commit()}
        >
          {typed.length > 0 && complete ? t('afterLoan.enterReceipts', { n: typed.length }) : label}
        </Button>
      </Flex>
      {question && (
        <ConfirmAnyway title={label} words={question} busy={busy} go={() => void commit()} cancel={forget} />
      )}
    </div>
  )
}

/** Applies received money to an order: the receipts on top, below them live what would be posted, component by component. */
export const WriteOffDialog = ({
  rows: [order],
  picked,
  bill,
  close,
}: DialogProps<Pick<RepayOrderRow, 'orderNo' | 'customerName'>> & { picked?: FlowRow; bill?: AskedBill }) => {
  const t = useText()
  const code = useRead(repay.payCode, { orderNo: order.orderNo })
  const { data, error, retry } = useRead(repay.detail, { orderNo: order.orderNo })
  const usable = data?.flows.filter(
    flow =>
      flow.remaining !== '0.00' &&
      (can(flowMachine, flow.flowStatus, 'flow.writeOff') || can(flowMachine, flow.flowStatus, 'flow.prove')),
  )
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={<OrderTitle label="actions.writeOff" order={order} />}
      description={t('afterLoan.writeOffMeans')}
    >
      {error && !data ? (
        <Failed message={t('common.noConnection')} onRetry={() => void retry()} />
      ) : data && usable ? (
        <Form
          order={data.order}
          flows={usable}
          picked={picked}
          payCode={code.data?.payCode ?? ''}
          note={<OlderFirst bill={bill} bills={data.bills} />}
          stale={() => void retry()}
          close={close}
        />
      ) : (
        <Loading rows={6} />
      )}
    </ModalDialog>
  )
}

import { useEffect, useState } from 'react'
import { CallError, fieldErrors } from '../../core/client/errors.ts'
import { useClient, useRead } from '../../core/client/providers.tsx'
import type { InputOf } from '../../core/contract/endpoint.ts'
import { type FlowRow, type RepayOrderRow, repay, type Trial } from '../../core/contract/repay.ts'
import { useText } from '../../core/element/i18n.ts'
import { ConfirmAnyway } from '../../core/engine/confirm-anyway.tsx'
import type { DialogProps } from '../../core/engine/screen.ts'
import { isStale, useCommand } from '../../core/engine/use-command.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Button, Callout, Flex, Text, TextField } from '../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../core/ui/modal-dialog.tsx'
import { SegmentedControl } from '../../core/ui/more.ts'
import { Failed, Loading } from '../../core/ui/states.tsx'
import { TrialView } from './trial-view.tsx'
import { type Line, lineOf, newLine, WriteOffLines } from './write-off-lines.tsx'

type Type = 'settle' | 'partial' | 'overpayment'
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

const Form = ({
  order,
  flows,
  stale,
  close,
}: {
  order: RepayOrderRow
  flows: readonly FlowRow[]
  /** The order has moved on: it is to be read again. */
  stale: () => void
  close: (changed?: boolean) => void
}) => {
  const t = useText()
  const { send, busy, question, forget } = useCommand()
  const [type, setType] = useState<Type>('settle')
  const [lines, setLines] = useState<readonly Line[]>(flows.length === 1 && flows[0] ? [lineOf(flows[0])] : [])
  const [remark, setRemark] = useState('')
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [moved, setMoved] = useState<string | null>(null)
  const given: Given = { orderNo: order.orderNo, repayType: type, flows: lines.map(({ id: _, ...line }) => line) }
  const complete = lines.every(
    line => line.serialNo && line.paymentCode && line.amount && line.writeOffAmount && line.entryTime,
  )
  const { trial, error } = useTrial(given, lines.length > 0 && complete, order.version)
  const refusal = trial?.refusal ?? (error instanceof CallError ? error.message : null)

  const label = t('afterLoan.writeOffAmount', { amount: formatMoney(trial?.received ?? '0.00') })

  const change = (next: readonly Line[]) => {
    setLines(next)
    forget()
    setMoved(null)
    setErrors({})
  }
  const commit = async () => {
    if (!trial || refusal !== null) return
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
  return (
    <div
      className="mk-form"
      onKeyDown={event => void (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && void commit())}
    >
      <Flex gap="3" align="center" wrap="wrap">
        <SegmentedControl.Root
          size="1"
          value={type}
          onValueChange={next => setType(next as Type)}
          aria-label={t('fields.repayType')}
        >
          {(['settle', 'partial'] as const).map(one => (
            <SegmentedControl.Item key={one} value={one}>
              {t(`dict.REPAY_TYPE.${one}`)}
            </SegmentedControl.Item>
          ))}
        </SegmentedControl.Root>
        <Text size="2" color="gray">
          {t('fields.settleAmount')} <b>UGX {formatMoney(order.settleAmount)}</b>
        </Text>
      </Flex>
      <WriteOffLines
        lines={lines}
        flows={flows}
        errors={errors}
        onChange={change}
        onAdd={() => change([...lines, newLine(order)])}
      />
      {refusal && (
        <Callout.Root color="red" size="1" role="alert">
          <Callout.Text>{refusal}</Callout.Text>
        </Callout.Root>
      )}
      {trial && <TrialView trial={trial} />}
      <TextField.Root
        value={remark}
        maxLength={30}
        placeholder={`${t('fields.remark')} ${t('common.optional')}`}
        aria-label={t('fields.remark')}
        onChange={event => setRemark(event.target.value)}
      />
      {moved && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>
            {moved} · {t('common.recordChanged')}
          </Callout.Text>
        </Callout.Root>
      )}
      <Flex justify="end" gap="2">
        <DialogCancel />
        <Button disabled={!trial || refusal !== null} loading={busy} onClick={() => void commit()}>
          {label}
        </Button>
      </Flex>
      {question && (
        <ConfirmAnyway title={label} words={question} busy={busy} go={() => void commit()} cancel={forget} />
      )}
    </div>
  )
}

/** Applies received money to an order: the receipts on top, below them live what would be posted, component by component. */
export const WriteOffDialog = ({ rows: [order], close }: DialogProps<RepayOrderRow>) => {
  const t = useText()
  const { data, error, retry } = useRead(repay.detail, { orderNo: order.orderNo })
  const usable = data?.flows.filter(
    flow => flow.remaining !== '0.00' && ['available', 'partly_used'].includes(flow.flowStatus),
  )
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={
        <>
          {t('actions.writeOff')} <span className="mk-key">{order.orderNo}</span> {order.customerName}
        </>
      }
    >
      {error && !data ? (
        <Failed message={t('common.noConnection')} onRetry={() => void retry()} />
      ) : data && usable ? (
        <Form order={data.order} flows={usable} stale={() => void retry()} close={close} />
      ) : (
        <Loading rows={6} />
      )}
    </ModalDialog>
  )
}

import { useEffect, useState } from 'react'
import { CallError, fieldErrors } from '../../core/client/errors.ts'
import { useClient, useRead } from '../../core/client/providers.tsx'
import type { InputOf } from '../../core/contract/endpoint.ts'
import { type FlowRow, type RepayOrderRow, repay, type Trial } from '../../core/contract/repay.ts'
import { useText } from '../../core/element/i18n.ts'
import type { DialogProps } from '../../core/engine/screen.ts'
import { isStale, useCommand } from '../../core/engine/use-command.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Button, Callout, Flex, Text, TextField } from '../../core/ui/basics.ts'
import { Dialog } from '../../core/ui/dialog.tsx'
import { CloseCross } from '../../core/ui/modal-dialog.tsx'
import { SegmentedControl } from '../../core/ui/more.ts'
import { Failed, Loading } from '../../core/ui/states.tsx'
import { TrialView } from './trial-view.tsx'
import { type Line, lineOf, newLine, WriteOffLines } from './write-off-lines.tsx'

type Type = 'settle' | 'partial' | 'overpayment'
type Given = InputOf<typeof repay.trial>

const pause = 300

/** The numbers the server would post for what is typed now; asked again a moment after typing stops. */
const useTrial = (given: Given, ready: boolean) => {
  const client = useClient()
  const [state, setState] = useState<{ trial: Trial | null; error: unknown }>({ trial: null, error: null })
  const text = JSON.stringify(given)
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
  }, [client, text, ready])
  return state
}

const Form = ({
  order,
  flows,
  close,
}: {
  order: RepayOrderRow
  flows: readonly FlowRow[]
  close: (changed?: boolean) => void
}) => {
  const t = useText()
  const { send, busy, question, forget } = useCommand()
  const [type, setType] = useState<Type>('settle')
  const [lines, setLines] = useState<readonly Line[]>(flows.length === 1 && flows[0] ? [lineOf(flows[0])] : [])
  const [remark, setRemark] = useState('')
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const given: Given = { orderNo: order.orderNo, repayType: type, flows: lines.map(({ id: _, ...line }) => line) }
  const complete = lines.every(
    line => line.serialNo && line.paymentCode && line.amount && line.writeOffAmount && line.entryTime,
  )
  const { trial, error } = useTrial(given, lines.length > 0 && complete)
  const refusal = trial?.refusal ?? (error instanceof CallError ? error.message : null)

  const change = (next: readonly Line[]) => {
    setLines(next)
    forget()
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
    if (outcome.is === 'done' || (outcome.is === 'refused' && isStale(outcome.error))) close(true)
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
      {question && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{question}</Callout.Text>
        </Callout.Root>
      )}
      <Flex justify="end" gap="2">
        <Button variant="soft" color="gray" onClick={() => close()}>
          {t('common.cancel')}
        </Button>
        <Button disabled={!trial || refusal !== null} loading={busy} onClick={() => void commit()}>
          {question
            ? t('common.confirmAnyway')
            : t('afterLoan.writeOffAmount', { amount: formatMoney(trial?.received ?? '0.00') })}
        </Button>
      </Flex>
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
    <Dialog.Root open onOpenChange={open => void (!open && close())}>
      <Dialog.Form
        className="mk-wide"
        size="2"
        onEscapeKeyDown={event => event.preventDefault()}
        onInteractOutside={event => event.preventDefault()}
        aria-describedby={undefined}
      >
        <Flex justify="between" align="start" gap="3" mb="3">
          <Dialog.Title size="4" mb="0">
            {t('actions.writeOff')} <span className="mk-key">{order.orderNo}</span> {order.customerName}
          </Dialog.Title>
          <CloseCross />
        </Flex>
        {error ? (
          <Failed message={t('common.noConnection')} onRetry={() => void retry()} />
        ) : data && usable ? (
          <Form order={data.order} flows={usable} close={close} />
        ) : (
          <Loading rows={6} />
        )}
      </Dialog.Form>
    </Dialog.Root>
  )
}

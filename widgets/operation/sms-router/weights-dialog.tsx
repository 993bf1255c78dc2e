import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { InputOf, OutputOf } from '../../../core/contract/endpoint.ts'
import { type RoutePurpose, routers } from '../../../core/contract/operation/sms-router.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { mul, sum } from '../../../core/rules/money.ts'
import { Button, Callout, Flex, Text, TextField } from '../../../core/ui/basics.ts'
import { Labelled } from '../../../core/ui/labelled.tsx'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'

type Group = OutputOf<(typeof routers)['verify']['calls']['group']>
type Weights = Readonly<Record<string, number>>

/** What yesterday's texts of the scope would have cost under these weights; null while a price is not known. */
const forecast = ({ list, sentYesterday }: Group, weights: Weights): string | null => {
  if (list.some(one => one.unitCost === null && weights[one.routeNo])) return null
  const shares = list.map(one =>
    mul(one.unitCost ?? '0.00', String(((weights[one.routeNo] ?? 0) * sentYesterday) / 100)),
  )
  return sum(shares)
}

const Shares = ({
  group,
  weights,
  put,
}: {
  group: Group
  weights: Weights
  put: (no: string, weight: number) => void
}) => {
  const t = useText()
  const total = Object.values(weights).reduce((all, one) => all + one, 0)
  const cost = forecast(group, weights)
  return (
    <div className="mk-form">
      {group.list.map(({ routeNo, accountNo, senderId }) => (
        <Labelled key={routeNo} label={`${accountNo} · ${senderId} · ${routeNo}`}>
          {tied => (
            <TextField.Root
              {...tied}
              type="number"
              min={0}
              max={100}
              value={String(weights[routeNo] ?? 0)}
              onChange={event => put(routeNo, Math.trunc(Number(event.target.value) || 0))}
            />
          )}
        </Labelled>
      ))}
      <Flex direction="column" gap="1" role="status">
        <Text size="2" {...(total === 100 ? {} : { color: 'red' as const })}>
          {t('smsRouter.total', { total })}
        </Text>
        <Text size="2" color="gray">
          {cost === null
            ? t('smsRouter.noForecast')
            : t('smsRouter.forecast', {
                texts: group.sentYesterday,
                cost: formatMoney(cost),
                paid: formatMoney(group.yesterdayCost),
              })}
        </Text>
      </Flex>
    </div>
  )
}

type Props = { purpose: RoutePurpose; group: Group; close: (changed?: boolean) => void }

const Form = ({ purpose, group, close }: Props) => {
  const t = useText()
  const { calls } = routers[purpose]
  const { send, busy } = useCommand()
  const [weights, setWeights] = useState<Weights>(() =>
    Object.fromEntries(group.list.map(({ routeNo, routeWeight }) => [routeNo, routeWeight])),
  )
  const [note, setNote] = useState<string | null>(null)
  const total = Object.values(weights).reduce((all, one) => all + one, 0)
  const submit = async () => {
    setNote(null)
    if (total !== 100) return setNote(t('validation.weights100'))
    const given = group.list.map(({ routeNo, version }) => ({ routeNo, version, routeWeight: weights[routeNo] ?? 0 }))
    const outcome = await send(calls.weights, { routeWeights: given } as InputOf<typeof calls.weights>, {
      done: () => t('common.done'),
    })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'unanswered') setNote(t('common.noAnswer'))
    if (outcome.is === 'refused') setNote(outcome.error.message)
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('actions.setWeights')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void submit()}>
            {t('actions.setWeights')}
          </Button>
        </>
      }
    >
      <Shares
        group={group}
        weights={weights}
        put={(no, weight) => setWeights(now => ({ ...now, [no]: Math.min(100, Math.max(0, weight)) }))}
      />
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}

/** Shares the texts of a scope among its routes. */
export const WeightsDialog = ({
  purpose,
  routeNo,
  close,
}: {
  purpose: RoutePurpose
  routeNo: string
  close: (changed?: boolean) => void
}) => {
  const read = useRead(routers[purpose].calls.group, { routeNo })
  return (
    <Loaded read={read} skeleton={null}>
      {group => <Form purpose={purpose} group={group} close={close} />}
    </Loaded>
  )
}

import { useRef, useState } from 'react'
import { fieldErrors } from '../../../core/client/errors.ts'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { type PayLinkRow, payLink } from '../../../core/contract/after-loan/pay-link.ts'
import { repay } from '../../../core/contract/after-loan/repayment.ts'
import type { RepayOrderRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import { useHost } from '../../../core/element/context.ts'
import { copyValue } from '../../../core/element/copy.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { RowActions } from '../../../core/engine/form/actions.tsx'
import { Ask } from '../../../core/engine/form/ask.tsx'
import { Field } from '../../../core/engine/form/field.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { CallAction, DialogProps } from '../../../core/engine/screen.ts'
import type { Row } from '../../../core/engine/table/columns.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Button, Flex, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { QrCode } from '../../../core/ui/qr-code.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { OrderTitle } from '../repayment/order-title.tsx'

type Link = PayLinkRow & Row
type Order = Pick<RepayOrderRow, 'orderNo' | 'customerName'>

const amountOf = ([row]: readonly Link[]) => ({ amount: formatMoney(row?.amount ?? '0.00') })
const inputOf = ([row]: readonly Link[]) => ({ linkNo: row?.linkNo, version: row?.version })

const send: CallAction<Link> = {
  run: payLink.send,
  label: 'actions.sendLink',
  input: inputOf,
  confirm: rows => ({ key: 'payLink.confirmSend', params: amountOf(rows) }),
  done: 'payLink.sent',
}
const revoke: CallAction<Link> = {
  run: payLink.revoke,
  label: 'actions.revokeLink',
  tone: 'danger',
  ask: ['reason'],
  input: inputOf,
  confirm: rows => ({ key: 'payLink.confirmRevoke', params: amountOf(rows) }),
}

/** A link to hand on: as a code to read with a phone, and as text. */
const Handed = ({ link }: { link: Pick<PayLinkRow, 'payLink' | 'amount'> }) => {
  const t = useText()
  const { props } = useHost()
  const place = useRef<HTMLButtonElement>(null)
  const address = new URL(link.payLink, location.href).href
  return (
    <Flex gap="4" align="center" wrap="wrap">
      <QrCode text={address} side={132} label={t('payLink.qrOf', { amount: formatMoney(link.amount) })} />
      <div className="mk-stack">
        <Text size="1" className="mk-key" style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Text>
        <div>
          <Button
            ref={place}
            size="1"
            variant="soft"
            onClick={() => place.current && void copyValue(place.current, address, props.language)}
          >
            {t('actions.copyLink')}
          </Button>
        </div>
      </div>
    </Flex>
  )
}

const Links = ({ links, changed }: { links: Link[]; changed: () => void }) => {
  const t = useText()
  const may = useMay()
  const [asked, setAsked] = useState<{ action: CallAction<Link>; row: Link } | null>(null)
  const [open, setOpen] = useState<string | null>(null)
  const shown = links.find(link => link.linkNo === open) ?? links.find(link => link.linkStatus === 'active')
  return (
    <Section title={t('payLink.links')} wide>
      {shown?.linkStatus === 'active' && <Handed link={shown} />}
      <SmallTable
        schema={payLink.page.row}
        rows={links}
        rowKey="linkNo"
        names={['linkNo', 'amount', 'linkStatus', 'expireTime', 'timesSent', 'createdName', 'actions']}
        empty={t('payLink.none')}
        headers={{ actions: t('common.actions') }}
        quiet={row => row.linkStatus !== 'active'}
        cells={{
          linkNo: row => (
            <Button
              size="1"
              variant="ghost"
              disabled={row.linkStatus !== 'active'}
              aria-pressed={row === shown}
              onClick={() => setOpen(row.linkNo)}
            >
              {row.linkNo}
            </Button>
          ),
          actions: row =>
            row.linkStatus === 'active' &&
            may.call(payLink.send) && (
              <RowActions
                actions={[send as never, revoke as never]}
                row={row}
                press={(action: unknown) => setAsked({ action: action as CallAction<Link>, row })}
              />
            ),
        }}
      />
      {asked && (
        <Ask
          action={asked.action as never}
          rows={[asked.row]}
          rowKey="linkNo"
          fields={payLink.page.row}
          close={done => {
            setAsked(null)
            if (done) changed()
          }}
        />
      )}
    </Section>
  )
}

/** Amounts that are asked for most, one press away. */
const Picks = ({ orderNo, pick }: { orderNo: string; pick: (amount: string) => void }) => {
  const t = useText()
  const { data: code } = useRead(repay.payCode, { orderNo })
  const { data: trial } = useRead(repay.trial, { orderNo, repayType: 'extension', flows: [] })
  const most = Math.floor(Number(trial?.settleAmount ?? 0))
  const whole = (amount: string | undefined) => `${Math.min(Math.ceil(Number(amount ?? 0)), most)}.00`
  const picks = [
    ['payLink.dueToday', whole(code?.amount)],
    ['payLink.settle', whole(trial?.settleAmount)],
    ['payLink.extension', whole(trial?.extension?.amount)],
  ] as const
  return (
    <Flex gap="2" wrap="wrap">
      {picks
        .filter(([, amount]) => amount !== '0.00')
        .map(([label, amount]) => (
          <Button key={label} size="1" variant="soft" color="gray" onClick={() => pick(amount)}>
            {t(label, { amount: formatMoney(amount) })}
          </Button>
        ))}
    </Flex>
  )
}

/** Links by which the customer of an order pays an amount: made, shown, sent and revoked. */
export const PayLinkDialog = ({ rows: [order], close }: DialogProps<Order>) => {
  const t = useText()
  const { send: command, busy } = useCommand()
  const [amount, setAmount] = useState('')
  const [error, setError] = useState<string>()
  const read = useRead(payLink.page, { orderNo: order.orderNo, pageSize: 10 })
  const create = async () => {
    setError(undefined)
    const outcome = await command(
      payLink.create,
      { orderNo: order.orderNo, amount },
      { ids: [order.orderNo], done: ({ linkNo }) => t('payLink.created', { linkNo }) },
    )
    if (outcome.is === 'refused') setError(fieldErrors(outcome.error).amount)
    if (outcome.is !== 'done') return
    setAmount('')
    void read.retry()
  }
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={<OrderTitle label="actions.payLink" order={order} />}
      description={t('payLink.hint')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={!amount} onClick={() => void create()}>
            {t('actions.createLink')} {amount && `UGX ${formatMoney(amount)}`}
          </Button>
        </>
      }
    >
      <Flex direction="column" gap="4">
        <div className="mk-form">
          <Field
            key={read.data?.total}
            name="amount"
            schema={payLink.create.input.shape.amount}
            value={amount}
            error={error}
            onChange={value => setAmount(String(value ?? ''))}
          />
          <Picks orderNo={order.orderNo} pick={setAmount} />
        </div>
        <Loaded read={read}>{({ list }) => <Links links={list as Link[]} changed={() => void read.retry()} />}</Loaded>
      </Flex>
    </ModalDialog>
  )
}

import { useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient, useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { businessNode, type businessNodes, type NodeChannel } from '../../../core/contract/operation/business-node.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { Field } from '../../../core/engine/form/field.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Dict } from '../../../core/engine/table/value.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { eatDateTime } from '../../../core/rules/time.ts'
import { Bars } from '../../../core/ui/bars.tsx'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { PhoneFrame } from '../../shared/message/phone-frame.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

export type NodeRow = ConfigRow<typeof businessNodes>
type Simulated = OutputOf<typeof businessNode.simulate>['list'][number]

/** Channels in their order, with the wait before the next one. */
export const ChannelLine = ({ channelOrder }: { channelOrder: readonly NodeChannel[] }) => {
  const t = useText()
  return channelOrder
    .map(({ channelType, fallbackSeconds }, at) => {
      const name = dictText(t, 'CHANNEL_TYPE', channelType)
      return at + 1 < channelOrder.length && fallbackSeconds > 0 ? `${name} (${fallbackSeconds} s)` : name
    })
    .join(' → ')
}

/** Texts in force, of those that are needed: red while some are missing. */
export const TextShare = ({ row: { templatesPresent, templatesNeeded } }: { row: NodeRow }) => (
  <Text size="2" {...(templatesPresent < templatesNeeded ? { color: 'red' as const } : {})}>
    {templatesPresent} / {templatesNeeded}
  </Text>
)

const sent = businessNode.sent.output.shape.list.element

/** What was sent for a node of late, and its last messages. */
export const NodeMessages = ({ row }: { row: NodeRow }) => {
  const t = useText()
  const read = useRead(businessNode.sent, { nodeNo: row.nodeNo }, { follows: true })
  return (
    <Loaded read={read}>
      {({ list, days }) => (
        <>
          <Section title={t('businessNode.days')}>
            <Bars
              label={t('businessNode.days')}
              bars={days.map(day => ({
                name: day.date.slice(5),
                value: day.sent,
                label: t('businessNode.dayOf', { ...day, n: day.sent }),
              }))}
            />
          </Section>
          <Section title={t('businessNode.lastMessages')} wide>
            <SmallTable
              schema={sent}
              rows={list}
              rowKey="messageNo"
              names={[
                'createdTime',
                'channelType',
                'appCode',
                'receiver',
                'messageText',
                'segments',
                'messageStatus',
                'whyBlocked',
                'failReason',
              ]}
              empty={t('businessNode.noMessages')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

const tones = { sends: 'good', waits: 'wait', blocked: 'bad' } as const

const Outcome = ({ of }: { of: Simulated }) => {
  const t = useText()
  const words = {
    sends: t('businessNode.sends'),
    waits: t('businessNode.waits', { time: of.sendTime ? eatDateTime(of.sendTime).slice(0, 16) : '' }),
    blocked: t('businessNode.blocked', {
      reason: of.whyBlocked ? dictText(t, 'MESSAGE_BLOCK_REASON', of.whyBlocked) : '',
    }),
  }
  return (
    <Section
      title={dictText(t, 'CHANNEL_TYPE', of.channelType)}
      aside={<StatusBadge tone={tones[of.outcome]} label={words[of.outcome]} />}
    >
      {of.messageText && <PhoneFrame from={of.receiver ?? ''} text={of.messageText} />}
      {of.templateNo && (
        <Text as="p" size="1" color="gray">
          {of.templateNo} {of.language && <Dict dict="LANGUAGE" value={of.language} />}
        </Text>
      )}
    </Section>
  )
}

const { orderNo } = businessNode.simulate.input.shape

/** What the customer of an order would be sent if it happened now; nothing is sent. */
export const SimulateDialog = ({ rows: [row], close }: DialogProps<NodeRow>) => {
  const t = useText()
  const client = useClient()
  const [order, setOrder] = useState('')
  const [found, setFound] = useState<readonly Simulated[] | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const run = async () => {
    setFailed(null)
    setFound(null)
    try {
      setFound((await client.call(businessNode.simulate, { nodeNo: row.nodeNo, orderNo: order.trim() })).list)
    } catch (error) {
      setFailed(error instanceof CallError ? error.message : t('common.noConnection'))
    }
  }
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('actions.simulateNode')}
      footer={
        <>
          <DialogCancel />
          <Button disabled={!order.trim()} onClick={() => void run()}>
            {t('businessNode.simulate')}
          </Button>
        </>
      }
    >
      <form
        className="mk-form"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (order.trim()) void run()
        }}
      >
        <Field name="orderNo" schema={orderNo} value={order} onChange={value => setOrder(String(value ?? ''))} />
        {failed && (
          <Callout.Root color="amber" size="1" role="alert">
            <Callout.Text>{failed}</Callout.Text>
          </Callout.Root>
        )}
      </form>
      <Flex direction="column" aria-live="polite">
        {found?.map(one => (
          <Outcome key={one.channelType} of={one} />
        ))}
        {found?.length === 0 && <Text size="2">{t('businessNode.noChannel')}</Text>}
      </Flex>
    </ModalDialog>
  )
}

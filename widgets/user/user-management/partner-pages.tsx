import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { embed, type PartnerPage } from '../../../core/contract/user/embed.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { RowActions } from '../../../core/engine/form/actions.tsx'
import { Ask } from '../../../core/engine/form/ask.tsx'
import type { Action, CallAction, DialogProps } from '../../../core/engine/screen.ts'
import type { Row } from '../../../core/engine/table/columns.ts'
import { Flex } from '../../../core/ui/basics.ts'
import { Drawer } from '../../../core/ui/overlay/drawer.tsx'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const { shape } = embed.partners.output.shape.list.element

const ending = (disable: boolean): CallAction<Row> => ({
  run: embed.revoke,
  label: disable ? 'partner.disable' : 'partner.revoke',
  tone: 'danger',
  when: row => (disable ? row.enabled === true || 'partner.isDisabled' : Number(row.live) > 0 || 'partner.noTokens'),
  input: ([row]) => ({ partnerNo: row?.partnerNo, disable }),
  confirm: ([row]) => ({
    key: disable ? 'partner.confirmDisable' : 'partner.confirmRevoke',
    params: { partnerName: String(row?.partnerName), n: Number(row?.live) },
  }),
  done: answer => ({ key: 'partner.ended', params: { n: (answer as { ended: number }).ended } }),
})
const actions: readonly Action<Row>[] = [ending(false), ending(true)]

const OnePartner = ({
  partner,
  press,
}: {
  partner: PartnerPage
  press: (action: CallAction<Row>, row: Row) => void
}) => {
  const t = useText()
  const row: Row = { ...partner, live: partner.tokens.length }
  const of = { ...partner, origins: partner.origins.join(', '), widgets: partner.widgets.join(', ') }
  return (
    <Section
      title={partner.partnerName}
      aside={
        <RowActions actions={actions} row={row} press={action => press(action as CallAction<Row>, row)} visible={2} />
      }
    >
      <Flex mb="2">
        <StatusBadge
          tone={partner.enabled ? 'good' : 'ended'}
          label={t(partner.enabled ? 'dict.CONFIG_ITEM_STATUS.enabled' : 'dict.CONFIG_ITEM_STATUS.disabled')}
        />
      </Flex>
      <Facts
        schema={embed.partners.output.shape.list.element}
        value={of}
        names={['partnerNo', 'origins', 'widgets', 'merchantNos', 'expireTime', 'lastMintTime']}
      />
      <SmallTable
        schema={shape.tokens.element}
        rows={partner.tokens}
        rowKey="issuedTime"
        names={['realName', 'issuedTime', 'lastSeenTime', 'expiresTime']}
        empty={t('partner.noTokens')}
      />
    </Section>
  )
}

/** Partners whose pages show our screens, who is there now, and the ways to end it. */
export const PartnerPages = ({ close }: DialogProps<never>) => {
  const t = useText()
  const read = useRead(embed.partners, {}, { follows: true })
  const [asked, setAsked] = useState<{ action: CallAction<Row>; row: Row } | null>(null)
  return (
    <Drawer open onClose={() => close()} title={t('partner.pages')}>
      <Loaded read={read}>
        {({ list }) =>
          list.length === 0
            ? t('partner.none')
            : list.map(partner => (
                <OnePartner
                  key={partner.partnerNo}
                  partner={partner}
                  press={(action, row) => setAsked({ action, row })}
                />
              ))
        }
      </Loaded>
      {asked && (
        <Ask
          action={asked.action}
          rows={[asked.row]}
          rowKey="partnerNo"
          fields={embed.partners.output.shape.list.element}
          close={changed => {
            setAsked(null)
            if (changed) void read.retry()
          }}
        />
      )}
    </Drawer>
  )
}

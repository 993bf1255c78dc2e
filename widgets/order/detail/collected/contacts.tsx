import { type ReactNode, useState } from 'react'
import { useRead } from '../../../../core/client/providers.tsx'
import { type OrderContact, orderCollected } from '../../../../core/contract/order/collected.ts'
import { type Translate, useText } from '../../../../core/element/i18n.ts'
import { Badge, Flex, Text } from '../../../../core/ui/basics.ts'
import { SegmentedControl } from '../../../../core/ui/more.ts'
import { Empty } from '../../../../core/ui/states.tsx'
import { Loaded } from '../../../shared/loaded.tsx'
import { SmallTable } from '../../../shared/small-table.tsx'
import { Consented } from './consent.tsx'
import { ContactDrawing } from './contact-drawing.tsx'

const known = [
  'phoneNetwork',
  'isCustomer',
  'contactOverdue',
  'blacklisted',
  'sharedCount',
  'lastFollowResult',
] as const

const flag = (t: Translate, on: boolean) => (on ? <Badge color="red">{t('common.yes')}</Badge> : t('common.no'))

const cellsOf = <C extends OrderContact>(t: Translate) => ({
  contactOverdue: (one: C) => flag(t, one.contactOverdue),
  blacklisted: (one: C) => flag(t, one.blacklisted),
  sharedCount: (one: C) =>
    one.sharedCount > 0 ? (
      <Badge color="amber" title={t('order.sharedBy', { n: one.sharedCount })}>
        {one.sharedCount}
      </Badge>
    ) : (
      <Text color="gray">0</Text>
    ),
})

type Way = 'drawing' | 'table'
type TwoWaysProps = { first: Way; list: readonly OrderContact[]; label: string; table: ReactNode }

/** A drawing of the contacts, or their table. */
const TwoWays = ({ first, list, label, table }: TwoWaysProps) => {
  const t = useText()
  const [way, setWay] = useState<Way>(first)
  return (
    <div className="mk-card">
      <Flex mb="2">
        <SegmentedControl.Root
          size="1"
          value={way}
          onValueChange={next => setWay(next as Way)}
          aria-label={t('order.shownAs')}
        >
          <SegmentedControl.Item value="drawing">{t('order.drawing')}</SegmentedControl.Item>
          <SegmentedControl.Item value="table">{t('order.table')}</SegmentedControl.Item>
        </SegmentedControl.Root>
      </Flex>
      {way === 'drawing' ? <ContactDrawing list={list} label={label} /> : table}
    </div>
  )
}

/** Whom the customer named, and what is known of them. */
export const RelationsTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  const { element } = orderCollected.relations.output.shape.list
  return (
    <Loaded read={useRead(orderCollected.relations, { orderNo })}>
      {({ list }) =>
        list.length === 0 ? (
          <Empty title={t('order.noRelations')} />
        ) : (
          <TwoWays
            first="table"
            list={list}
            label={t('order.tab.relations')}
            table={
              <SmallTable
                schema={element}
                rows={list}
                rowKey="contactNo"
                label={t('order.tab.relations')}
                names={['relation', 'contactName', 'contactPhone', ...known]}
                cells={cellsOf(t)}
                empty=""
              />
            }
          />
        )
      }
    </Loaded>
  )
}

/** Whom the customer talks with, those they talk with longest first. */
export const AffinityTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  const { element } = orderCollected.affinity.output.shape.list
  return (
    <Loaded read={useRead(orderCollected.affinity, { orderNo })}>
      {({ consentTime, list }) => (
        <Consented consentTime={consentTime} none={list.length === 0}>
          <TwoWays
            first="drawing"
            list={list}
            label={t('order.tab.affinity')}
            table={
              <SmallTable
                schema={element}
                rows={list}
                rowKey="contactNo"
                label={t('order.tab.affinity')}
                names={[
                  'contactName',
                  'contactPhone',
                  'callMinutes',
                  'callCount',
                  'smsCount',
                  'lastCallTime',
                  'inPhoneBook',
                  ...known,
                ]}
                cells={cellsOf(t)}
                empty=""
              />
            }
          />
        </Consented>
      )}
    </Loaded>
  )
}

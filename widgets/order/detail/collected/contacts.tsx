import { useRead } from '../../../../core/client/providers.tsx'
import { type OrderContact, orderCollected } from '../../../../core/contract/order/collected.ts'
import { type Translate, useText } from '../../../../core/element/i18n.ts'
import { Badge, Text } from '../../../../core/ui/basics.ts'
import { Empty } from '../../../../core/ui/states.tsx'
import { Loaded } from '../../../shared/loaded.tsx'
import { SmallTable } from '../../../shared/small-table.tsx'
import { Consented } from './consent.tsx'

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
          <div className="mk-card">
            <SmallTable
              schema={element}
              rows={list}
              rowKey="contactNo"
              label={t('order.tab.relations')}
              names={['relation', 'contactName', 'contactPhone', ...known]}
              cells={cellsOf(t)}
              empty=""
            />
          </div>
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
          <div className="mk-card">
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
          </div>
        </Consented>
      )}
    </Loaded>
  )
}

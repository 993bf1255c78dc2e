import { useRead } from '../../../core/client/providers.tsx'
import { trafficPerson } from '../../../core/contract/operation/traffic.ts'
import { useHost } from '../../../core/element/context.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { Bars } from '../../../core/ui/bars.tsx'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const { channelNumbers } = trafficPerson.detail.output.shape
const steps = ['registerCount', 'incomingCount', 'paidOutCount'] as const

/** What each channel of a person brought in the last days, past ones among them. */
export const ChannelsTab = ({ userNo }: { userNo: string }) => {
  const t = useText()
  const read = useRead(trafficPerson.detail, { userNo })
  return (
    <Loaded read={read}>
      {found => (
        <>
          <Section title={t('traffic.funnel')}>
            <Bars
              label={t('traffic.funnel')}
              every={1}
              bars={steps.map(name => {
                const value = found.channelNumbers.reduce((all, channel) => all + channel[name], 0)
                return { name: t(`fields.${name}`), value, label: `${t(`fields.${name}`)}: ${value}` }
              })}
            />
          </Section>
          <Section title={t('traffic.channels')}>
            <SmallTable
              schema={channelNumbers.element}
              rows={found.channelNumbers}
              rowKey="channelNo"
              names={[
                'channelName',
                'promotionChannel',
                ...steps,
                'payoutAmount',
                'costPerPayout',
                'fromTime',
                'untilTime',
              ]}
              empty={t('traffic.noChannel')}
            />
          </Section>
          {found.pastCodes.length > 0 && (
            <Text as="p" size="1" color="gray">
              {t('traffic.pastCodes', { codes: found.pastCodes.join(', ') })}
            </Text>
          )}
        </>
      )}
    </Loaded>
  )
}

/** Orders of those whom a person brought; the person sees numbers alone. */
export const BroughtTab = ({ userNo }: { userNo: string }) => {
  const t = useText()
  return (
    <>
      <Text as="p" size="1" color="gray">
        {t('traffic.broughtHint')}
      </Text>
      <PagedTable
        list={trafficPerson.customers}
        filters={{ userNo }}
        size={10}
        batch={50}
        rowKey="orderNo"
        names={['orderNo', 'channelName', 'applyTime', 'payoutTime']}
        empty={t('traffic.nobody')}
      />
    </>
  )
}

/** Where a path of the server is reached from outside. */
export const useServerLink = () => {
  const { props } = useHost()
  const server = props.baseUrl ?? window.location.origin
  return (path: string) => new URL(path, new URL(server, window.location.origin)).href
}

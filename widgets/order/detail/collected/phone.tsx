import { useRead } from '../../../../core/client/providers.tsx'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { orderCollected } from '../../../../core/contract/order/collected.ts'
import { type Translate, useText } from '../../../../core/element/i18n.ts'
import { Facts, Section } from '../../../../core/engine/drawer/facts.tsx'
import { Bars } from '../../../../core/ui/bars.tsx'
import { Badge } from '../../../../core/ui/basics.ts'
import { Figures } from '../../../shared/figures.tsx'
import { Loaded } from '../../../shared/loaded.tsx'
import { SmallTable } from '../../../shared/small-table.tsx'
import { Consented } from './consent.tsx'

const sim = orderCollected.operator.output.shape.operator.unwrap()
type Sim = NonNullable<OutputOf<typeof orderCollected.operator>['operator']>

const Months = ({ months }: Pick<Sim, 'months'>) => {
  const t = useText()
  return (
    <Section title={t('order.callsByMonth')} wide>
      <div style={{ maxWidth: 440 }}>
        <Bars
          label={t('order.callsByMonth')}
          every={1}
          bars={months.map(({ month, calls }) => ({
            name: month,
            value: calls,
            label: t('order.callsOf', { month, n: calls }),
          }))}
        />
      </div>
      <SmallTable
        schema={sim.shape.months.element}
        rows={months}
        rowKey="month"
        label={t('order.callsByMonth')}
        names={['month', 'calls', 'sms', 'nightShare', 'topUps', 'topUpAmount']}
        empty=""
      />
    </Section>
  )
}

/** Whose SIM card it is, for how long, and what it is used for. */
export const OperatorTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(orderCollected.operator, { orderNo })}>
      {({ consentTime, operator }) => (
        <Consented consentTime={consentTime} none={operator === null}>
          {operator && (
            <div className="mk-cards">
              <Section title={t('order.tab.operator')} wide>
                <Facts
                  schema={sim}
                  value={operator}
                  names={['phoneNetwork', 'simRegisteredName', 'simSince', 'simMonths', 'nightShare']}
                />
              </Section>
              <Months months={operator.months} />
            </div>
          )}
        </Consented>
      )}
    </Loaded>
  )
}

/** The apps on the phone; those that lend and those that take bets stand first. */
export const AppsTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(orderCollected.apps, { orderNo })}>
      {({ consentTime, list, total, lending, gambling }) => (
        <Consented consentTime={consentTime} none={total === 0}>
          <Figures
            label={t('order.tab.apps')}
            list={[
              { label: t('fields.total'), value: total },
              {
                label: t('fields.lending'),
                value: lending,
                ...(lending > 2 ? { tone: 'attention' as const } : {}),
              },
              { label: t('fields.gambling'), value: gambling, ...(gambling > 0 ? { tone: 'bad' as const } : {}) },
            ]}
          />
          <div className="mk-card">
            <SmallTable
              schema={orderCollected.apps.output.shape.list.element}
              rows={list}
              rowKey="packageName"
              label={t('order.tab.apps')}
              names={['appTitle', 'appCategory', 'installTime', 'packageName']}
              empty=""
            />
          </div>
        </Consented>
      )}
    </Loaded>
  )
}

const warned = (t: Translate, on: boolean) => (on ? <Badge color="red">{t('common.yes')}</Badge> : t('common.no'))

/** The phone that applied, and the orders of others on it. */
export const DeviceTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  const { shape } = orderCollected.device.output
  return (
    <Loaded read={useRead(orderCollected.device, { orderNo })}>
      {({ consentTime, device, shared }) => (
        <Consented consentTime={consentTime} none={device === null}>
          {device && (
            <div className="mk-cards">
              <Section title={t('fields.device')} wide>
                <Facts
                  schema={shape.device.unwrap()}
                  value={device}
                  names={[
                    'deviceId',
                    'deviceModel',
                    'osVersion',
                    'rooted',
                    'emulator',
                    'simCount',
                    'batteryPercent',
                    'ip',
                    'language',
                    'sharedDeviceCount',
                  ]}
                  own={{
                    rooted: warned(t, device.rooted),
                    emulator: warned(t, device.emulator),
                    ...(device.sharedDeviceCount > 0
                      ? { sharedDeviceCount: <Badge color="red">{device.sharedDeviceCount}</Badge> }
                      : {}),
                  }}
                />
              </Section>
              <Section title={t('order.sharedDevices')} wide>
                <SmallTable
                  schema={shape.shared.element}
                  rows={shared}
                  rowKey="orderNo"
                  label={t('order.sharedDevices')}
                  names={['orderNo', 'merchantName', 'customerName', 'orderStatus', 'applyTime']}
                  empty={t('order.noSharedDevice')}
                />
              </Section>
            </div>
          )}
        </Consented>
      )}
    </Loaded>
  )
}

import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import {
  type acquireRules,
  type IntakeRow,
  orderAcquire,
  type Step,
} from '../../../core/contract/merchant/order-acquire.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { eatDate } from '../../../core/rules/time.ts'
import { Bars } from '../../../core/ui/bars.tsx'
import { Text } from '../../../core/ui/basics.ts'
import { Figures, useFigures } from '../../shared/figures.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { OrderBrief } from '../../shared/order-brief-body.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Stat = OutputOf<typeof orderAcquire.stat>
const stepShape = orderAcquire.logDetail.output.shape.checkSteps.element
const today = () => ({ from: eatDate(new Date()), to: eatDate(new Date()) })
/** How often the figures are read again by themselves. */
const everyMs = 15_000

type Of = { merchantNo?: readonly string[] | undefined; acquireNo?: string | undefined }

/** What comes in now: taken, refused, and how many a minute. */
export const Live = ({ merchantNo, acquireNo }: Of) => {
  const t = useText()
  const read = useFigures(
    orderAcquire.stat,
    { ...today(), ...(merchantNo ? { merchantNo: [...merchantNo] } : {}), ...(acquireNo ? { acquireNo } : {}) },
    everyMs,
  )
  return (
    <Figures
      label={t('orderAcquire.live')}
      read={read}
      list={[
        { label: t('fields.takenCount'), value: read.data?.takenCount },
        { label: t('fields.notTakenCount'), value: read.data?.notTakenCount },
        { label: t('fields.perMinute'), value: read.data?.perMinute },
      ]}
    />
  )
}

const Hours = ({ hours }: { hours: Stat['hourCounts'] }) => {
  const t = useText()
  const all = Array.from(
    { length: 24 },
    (_, hour) => hours.find(one => one.hour === hour) ?? { hour, takenCount: 0, notTakenCount: 0 },
  )
  return (
    <Bars
      label={t('orderAcquire.byHour')}
      every={4}
      bars={all.map(({ hour, takenCount, notTakenCount }) => ({
        name: String(hour),
        value: takenCount,
        label: t('orderAcquire.hourOf', { hour, accepted: takenCount, refused: notTakenCount }),
      }))}
    />
  )
}

/** What a rule let in today by the hour, and what the others were refused with. */
export const TodayTab = ({ row }: { row: ConfigRow<typeof acquireRules> }) => {
  const t = useText()
  const read = useRead(orderAcquire.stat, { ...today(), acquireNo: row.acquireNo })
  return (
    <Loaded read={read}>
      {({ hourCounts, codeCounts }) => (
        <>
          <Section title={t('orderAcquire.byHour')}>
            <Hours hours={hourCounts} />
          </Section>
          <Section title={t('fields.codeCounts')}>
            <SmallTable
              schema={orderAcquire.stat.output.shape.codeCounts.element}
              rows={codeCounts}
              rowKey="intakeCode"
              names={['intakeCode', 'count']}
              empty={t('orderAcquire.noneRefused')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** Each check with its answer, in the order in which they are asked. */
export const Steps = ({ steps }: { steps: readonly Step[] }) => {
  const t = useText()
  return (
    <SmallTable
      schema={stepShape}
      rows={steps}
      rowKey="check"
      names={['check', 'checkState', 'answer']}
      empty={t('orderAcquire.noneRefused')}
    />
  )
}

const names = [
  'intakeTime',
  'merchantName',
  'acquireName',
  'incomingChannel',
  'thirdOrderNo',
  'orderNo',
  'intakeResult',
  'partnerCode',
  'intakeCode',
  'customerNo',
  'customerName',
  'loanKind',
  'latencyMs',
  'tryCount',
  'charged',
] as const

/** Why an application was taken or refused, and what was sent. */
export const IntakeDetail = ({ row }: { row: IntakeRow }) => {
  const t = useText()
  const read = useRead(orderAcquire.logDetail, { intakeNo: row.intakeNo })
  return (
    <>
      <Facts schema={orderAcquire.log.row} value={row} names={names} />
      <Loaded read={read}>
        {({ checkSteps, payload, payloadHash }) => (
          <>
            <Section title={t('fields.checkSteps')}>
              <Steps steps={checkSteps} />
            </Section>
            <Section title={t('fields.payload')}>
              {payload === null ? (
                <Text as="p" size="2" color="gray">
                  {t('orderAcquire.noPayload')}
                </Text>
              ) : (
                <pre>{payload}</pre>
              )}
              <Text as="p" size="1" color="gray">
                {t('fields.payloadHash')} {payloadHash}
              </Text>
            </Section>
          </>
        )}
      </Loaded>
      {row.orderNo && <OrderBrief orderNo={row.orderNo} />}
    </>
  )
}

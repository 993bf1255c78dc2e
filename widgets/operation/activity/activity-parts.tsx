import { useRead } from '../../../core/client/providers.tsx'
import { type ActivityAward, type ActivityStat, activity } from '../../../core/contract/operation/activity.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { add, formatMoney } from '../../../core/rules/amount.ts'
import { moneyFormat } from '../../../core/rules/text/formats.ts'
import { Bars } from '../../../core/ui/bars.tsx'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { RecordLog } from '../../shared/record-log.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Of = { activityNo: string }
const shape = activity.stat.output.shape
const stepRow = shape.steps.element
const clusterRow = shape.clusters.element

const Clusters = ({ clusters }: { clusters: ActivityStat['clusters'] }) => {
  const t = useText()
  return (
    <Section title={t('activity.clusters')}>
      <SmallTable
        schema={clusterRow}
        rows={clusters}
        rowKey="clusterNo"
        names={['clusterNo', 'awardHold', 'awardCount', 'awardAmount', 'names']}
        headers={{ names: t('activity.people') }}
        cells={{ names: row => (row.names as string[]).join(', ') }}
        empty={t('activity.noClusters')}
        label={t('activity.clusters')}
      />
    </Section>
  )
}

/** How far customers came, task by task, and what looks like fraud and is held. */
export const Funnel = ({ activityNo }: Of) => {
  const t = useText()
  const read = useRead(activity.stat, { activityNo })
  return (
    <Loaded read={read}>
      {({ steps, invited, joined, clusters }) => (
        <>
          {invited !== null && (
            <Text as="p" size="2" mb="2">
              {t('activity.friends', { invited, joined: joined ?? 0 })}
            </Text>
          )}
          <SmallTable
            schema={stepRow}
            rows={steps}
            rowKey="taskKey"
            names={[
              'taskKey',
              'taskThreshold',
              'customers',
              'givenAwards',
              'heldAwards',
              'refusedAwards',
              'reversedAwards',
              'awardAmount',
            ]}
            headers={{ customers: t('fields.participants') }}
            empty={t('activity.noAwards')}
            label={t('activity.funnel')}
          />
          <Clusters clusters={clusters} />
        </>
      )}
    </Loaded>
  )
}

/** What was spent on each of the last 30 days, and how long the rest lasts. */
export const BudgetByDay = ({ activityNo }: Of) => {
  const t = useText()
  const read = useRead(activity.stat, { activityNo })
  return (
    <Loaded read={read}>
      {({ byDay, remainingAmount, daysLeft }) => (
        <>
          <Text as="p" size="2" mb="2">
            {daysLeft === null
              ? t('activity.leftOnly', { amount: formatMoney(remainingAmount) })
              : t('activity.lasts', { amount: formatMoney(remainingAmount), n: daysLeft })}
          </Text>
          <Bars
            label={t('activity.budgetByDay')}
            bars={byDay.map(({ date, budgetSpent, awardCount }) => ({
              name: date.slice(5),
              value: Number(budgetSpent),
              label: t('activity.dayLine', { date, amount: formatMoney(budgetSpent), n: awardCount }),
            }))}
          />
        </>
      )}
    </Loaded>
  )
}

/** The rewards of an activity, the newest first. */
export const ActivityAwards = ({ activityNo }: Of) => {
  const t = useText()
  return (
    <PagedTable
      list={activity.awards}
      filters={{ activityNo }}
      size={10}
      batch={50}
      rowKey="awardNo"
      names={['awardTime', 'customerName', 'taskKey', 'awardKind', 'awardAmount', 'orderNo', 'awardStatus']}
      empty={t('activity.noAwards')}
      label={t('activity.awards')}
    />
  )
}

const shown = [
  'activityName',
  'awardStatus',
  'taskKey',
  'awardKind',
  'awardAmount',
  'couponName',
  'couponNo',
  'rewardNo',
  'customerName',
  'phone',
  'merchantName',
  'orderNo',
  'inviteeNo',
  'awardTime',
  'awardHold',
  'clusterNo',
  'decideReason',
  'decidedBy',
  'decidedTime',
  'undoneTime',
]

/** A reward: who earned it, by what, and what became of it. */
export const AwardDetail = ({ row }: { row: ActivityAward }) => (
  <>
    <Facts schema={activity.awards.row} value={row} names={shown} />
    <RecordLog of={{ objectType: 'activityAward', objectNo: row.awardNo }} />
  </>
)

type Adding = { row: { budgetAmount: string; budgetSpent: string } | undefined; addedAmount: unknown }

/** What the budget would be. */
export const BudgetEffect = ({ row, addedAmount }: Adding) => {
  const t = useText()
  if (!row || typeof addedAmount !== 'string' || !moneyFormat.test(addedAmount)) return null
  const { budgetAmount, budgetSpent } = row
  return (
    <Text as="p" size="2">
      {t('activity.newBudget', {
        before: formatMoney(budgetAmount),
        after: formatMoney(add(budgetAmount, addedAmount)),
        spent: formatMoney(budgetSpent),
      })}
    </Text>
  )
}

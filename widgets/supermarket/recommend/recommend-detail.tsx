import { useRead } from '../../../core/client/providers.tsx'
import { type RecommendRow, recommend, recommendFields } from '../../../core/contract/supermarket/recommend.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Row = RecommendRow

/** Its name and state beside the number. */
export const recommendHead = (row: Row) => (
  <>
    <Dict dict="MARKET_PRODUCT_STATUS" value={row.productStatus} />
    <Text size="2" truncate>
      {row.recommendName}
    </Text>
  </>
)

/** The product, and where it stands: while that is not online, the recommendation is not shown. */
export const ProductState = ({ row }: { row: Row }) => (
  <Flex gap="2" align="center">
    <span>{row.marketProductName}</span>
    {row.marketStatus !== 'online' && <Dict dict="MARKET_PRODUCT_STATUS" value={row.marketStatus} />}
  </Flex>
)

/** What keeps it from being seen, or soon will. */
export const WarningBadge = ({ row }: { row: Row }) => {
  const t = useText()
  return row.recommendWarning === null ? null : (
    <StatusBadge tone="attention" label={dictText(t, 'RECOMMEND_WARNING', row.recommendWarning)} />
  )
}

/** What the customer reads in the place, in each language. */
const Preview = ({ row }: { row: Row }) => (
  <Flex gap="3" wrap="wrap">
    {(['zh', 'en', 'sw'] as const).map(language => (
      <section key={language} className="mk-section" lang={language} style={{ flex: '1 1 180px' }}>
        <h3>{row.marketProductName}</h3>
        <Text as="p" size="2" weight="bold">
          UGX {formatMoney(row.recommendQuota ?? row.amountMax)}
        </Text>
        <Text as="p" size="2">
          {row.reasonText?.[language] ?? '–'}
        </Text>
      </section>
    ))}
  </Flex>
)

/** A recommendation as customers see it, how it fares among those of its place, and who did what. */
export const RecommendDetail = ({ row }: { row: Row }) => {
  const t = useText()
  const read = useRead(recommend.detail, { recommendNo: row.recommendNo })
  return (
    <>
      <Facts
        schema={recommend.page.row}
        value={row}
        names={[...recommendFields, 'platformName', 'appCodes', 'reason']}
      />
      <Preview row={row} />
      <Loaded read={read}>
        {({ shares, history, wouldRun, weights }) => (
          <>
            <Section title={t('recommend.shares')}>
              {row.productStatus === 'submitted' && (
                <Text as="p" size="2" mb="2">
                  {t('recommend.wouldRun', { n: wouldRun, weights: weights.join(' / ') })}
                </Text>
              )}
              <SmallTable
                schema={recommend.detail.output.shape.shares.element}
                rows={shares}
                rowKey="recommendNo"
                names={[
                  'recommendName',
                  'weight',
                  'slotShare',
                  'impressionCount',
                  'clickCount',
                  'clickRate',
                  'rateFrom',
                  'rateTo',
                ]}
                empty={t('recommend.noneRuns')}
              />
            </Section>
            <Section title={t('config.history')}>
              <SmallTable
                schema={recommend.detail.output.shape.history.element}
                rows={history}
                rowKey="historyNo"
                names={['at', 'event', 'actorName', 'reason']}
                empty="–"
                cells={{ event: one => t.maybe(`machines.${one.event}`) ?? one.event }}
              />
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

import { lazy, Suspense } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import {
  type MarketProductRow,
  marketProduct,
  operationFields,
} from '../../../core/contract/supermarket/market-product.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Changes } from '../../../core/engine/config/changes.tsx'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { formatMoney } from '../../../core/rules/amount.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { Flex, Skeleton, Text } from '../../../core/ui/basics.ts'
import { Tabs } from '../../../core/ui/more.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { Logo } from './product-cells.tsx'

type Row = MarketProductRow
const Bars = lazy(async () => ({ default: (await import('../../../core/ui/bars.tsx')).Bars }))
const shownDays = 30

/** Its name and state beside the number. */
export const productHead = (row: Row) => (
  <>
    <Dict dict="MARKET_PRODUCT_STATUS" value={row.productStatus} />
    <Text size="2" truncate>
      {row.marketProductName}
    </Text>
  </>
)

/** The card that customers read, in each language. */
const Preview = ({ row }: { row: Row }) => {
  const t = useText()
  return (
    <Flex gap="3" wrap="wrap">
      {(['zh', 'en', 'sw'] as const).map(language => (
        <section key={language} className="mk-section" lang={language} style={{ flex: '1 1 180px' }}>
          <h3>
            <Logo uploadNo={row.logo} size={32} /> {row.marketProductName}
          </h3>
          <Text as="p" size="2">
            {row.slogan?.[language] ?? '–'}
          </Text>
          <Text as="p" size="2" weight="bold">
            UGX {formatMoney(row.amountMin)}–{formatMoney(row.amountMax)}
          </Text>
          <Text as="p" size="1" color="gray">
            {t('market.allIn', { rate: row.allInMonthRate ?? '–' })}
          </Text>
          {(['feeText', 'conditions', 'requiredDocs'] as const).map(name => (
            <Text as="p" size="1" key={name}>
              {row[name]?.[language] ?? '–'}
            </Text>
          ))}
        </section>
      ))}
    </Flex>
  )
}

/** Shown, clicked, applied for, paid out: of each day of a month. */
const Funnel = ({ row }: { row: Row }) => {
  const t = useText()
  const to = eatDate(new Date())
  const input = { marketProductNo: row.marketProductNo, fromDate: addDays(to, 1 - shownDays), toDate: to }
  return (
    <Loaded read={useRead(marketProduct.stat, input)}>
      {({ list }) => {
        const total = (name: 'impressionCount' | 'clickCount' | 'applyCount' | 'paidOutCount') =>
          list.reduce((sum, day) => sum + day[name], 0)
        return (
          <>
            <Text as="p" size="2" mb="2">
              {t('market.funnel', {
                shown: total('impressionCount'),
                clicks: total('clickCount'),
                applied: total('applyCount'),
                paid: total('paidOutCount'),
              })}
            </Text>
            <Suspense fallback={<Skeleton height="140px" />}>
              <Bars
                label={t('market.clicksByDay')}
                bars={list.map(day => ({
                  name: day.date.slice(5),
                  value: day.clickCount,
                  label: t('market.dayOf', {
                    date: day.date,
                    shown: day.impressionCount,
                    clicks: day.clickCount,
                    paid: day.paidOutCount,
                  }),
                }))}
              />
            </Suspense>
          </>
        )
      }}
    </Loaded>
  )
}

const Course = ({ row }: { row: Row }) => {
  const t = useText()
  const read = useRead(marketProduct.detail, { marketProductNo: row.marketProductNo })
  return (
    <Loaded read={read}>
      {({ history, changes, usedBy }) => (
        <>
          {changes.length > 0 && (
            <Section title={t('market.differs')}>
              <Changes shape={marketProduct.page.row.shape} changes={changes} />
            </Section>
          )}
          {usedBy.length > 0 && (
            <Section title={t('config.usedBy')}>
              <ul className="mk-refused">
                {usedBy.map(use => (
                  <li key={use.no}>
                    {t.maybe(`config.use.${use.kind}`)} <span className="mk-key">{use.no}</span> {use.name}
                  </li>
                ))}
              </ul>
            </Section>
          )}
          <Section title={t('config.history')}>
            <SmallTable
              schema={marketProduct.detail.output.shape.history.element}
              rows={history}
              rowKey="historyNo"
              names={['at', 'event', 'actorName', 'reason']}
              empty="–"
              cells={{
                event: one => t.maybe(`machines.${one.event}`) ?? one.event,
                reason: one => (one.reason ? (t.maybe(`market.offline.${one.reason}`) ?? one.reason) : '–'),
              }}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

const described = [
  'platformName',
  'marketProductName',
  'amountMin',
  'amountMax',
  'termMin',
  'termMax',
  'termUnit',
  'rateMonthMin',
  'rateMonthMax',
  'allInMonthRate',
  'applyUrl',
  'handoff',
  'sourceProductNo',
] as const

const Reason = ({ reason }: { reason: string }) => {
  const t = useText()
  return (
    <Text as="p" size="2" color="amber" mb="2">
      {t.maybe(reason as never) ?? reason}
    </Text>
  )
}

/** A product as customers see it, where it stands, what it brought, and who did what. */
export const ProductDetail = ({ row }: { row: Row }) => {
  const t = useText()
  const { row: schema } = marketProduct.page
  return (
    <Tabs.Root defaultValue="product">
      <Tabs.List>
        {(['product', 'placed', 'figures', 'clicks', 'course'] as const).map(name => (
          <Tabs.Trigger key={name} value={name}>
            {t(`market.tab.${name}`)}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value="product" className="mk-tab">
        {row.reason && <Reason reason={row.reason} />}
        <Facts schema={schema} value={row} names={described} />
        <Preview row={row} />
      </Tabs.Content>
      <Tabs.Content value="placed" className="mk-tab">
        <Facts
          schema={schema}
          value={row}
          names={[...operationFields, 'onlineTime', 'submitterName', 'operatorName'].filter(
            (name, at, all) => all.indexOf(name) === at,
          )}
        />
      </Tabs.Content>
      <Tabs.Content value="figures" className="mk-tab">
        <Funnel row={row} />
      </Tabs.Content>
      <Tabs.Content value="clicks" className="mk-tab">
        <PagedTable
          list={marketProduct.clicks}
          filters={{ marketProductNo: row.marketProductNo }}
          size={10}
          batch={50}
          rowKey="clickId"
          names={['clickTime', 'clickId', 'appCode', 'slot', 'consentVersion', 'prefilled', 'events', 'revenueAmount']}
          empty={t('market.noClicks')}
        />
      </Tabs.Content>
      <Tabs.Content value="course" className="mk-tab">
        <Course row={row} />
      </Tabs.Content>
    </Tabs.Root>
  )
}

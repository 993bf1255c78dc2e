import { useRead } from '../../../../core/client/providers.tsx'
import { type OrderPosition, orderCollected } from '../../../../core/contract/order/collected.ts'
import { type Translate, useText } from '../../../../core/element/i18n.ts'
import { Section } from '../../../../core/engine/drawer/facts.tsx'
import { onPlane } from '../../../../core/rules/geo/distance.ts'
import { CopyIcon } from '../../../../core/ui/copy-icon.tsx'
import { Loaded } from '../../../shared/loaded.tsx'
import { SmallTable } from '../../../shared/small-table.tsx'
import { Consented } from './consent.tsx'

const [width, height, margin] = [660, 260, 40]
const steps = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000]
const colours: Record<OrderPosition['positionKind'], string> = {
  apply: 'var(--red-9)',
  home: 'var(--green-9)',
  work: 'var(--blue-9)',
  recent: 'var(--gray-9)',
}

const distance = (t: Translate, metres: number) =>
  metres < 1000
    ? t('order.metres', { n: metres })
    : t('order.kilometres', { n: (metres / 1000).toLocaleString('en', { maximumFractionDigits: 1 }) })

/** Where everything lies on the drawing, and how many metres a point of it is. */
const laidOut = (list: readonly OrderPosition[]) => {
  const points = onPlane(list.map(one => ({ latitude: Number(one.latitude), longitude: Number(one.longitude) })))
  const [easts, souths] = [points.map(point => point.east), points.map(point => point.south)]
  const [left, top] = [Math.min(...easts), Math.min(...souths)]
  const [wide, tall] = [Math.max(...easts) - left, Math.max(...souths) - top]
  const metresPer = Math.max(wide / (width - 2 * margin), tall / (height - 2 * margin), 1)
  const [padX, padY] = [(width - wide / metresPer) / 2, (height - tall / metresPer) / 2]
  return {
    metresPer,
    places: points.map(({ east, south }) => ({
      x: padX + (east - left) / metresPer,
      y: padY + (south - top) / metresPer,
    })),
  }
}

/** Positions on a plain drawing to scale, north above: it needs no map of anybody else. */
const Drawing = ({ list }: { list: readonly OrderPosition[] }) => {
  const t = useText()
  const { metresPer, places } = laidOut(list)
  const ruler = steps.find(step => step / metresPer >= 60) ?? (steps.at(-1) as number)
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t('order.map')}
      width="100%"
      style={{ maxWidth: 900, background: 'var(--gray-a2)', borderRadius: 4 }}
    >
      <title>{t('order.map')}</title>
      {[...list].map((one, index) => {
        const { x, y } = places[index] as { x: number; y: number }
        const named = one.positionKind !== 'recent'
        return (
          <g key={one.positionNo}>
            <circle cx={x} cy={y} r={named ? 6 : 4} fill={colours[one.positionKind]} stroke="var(--gray-1)">
              <title>{`${t(`dict.POSITION_KIND.${one.positionKind}`)}: ${one.addressText}`}</title>
            </circle>
            {named && (
              <text x={x + 9} y={y + (one.positionKind === 'home' ? 14 : 4)} fontSize="11" fill="var(--gray-12)">
                {t(`dict.POSITION_KIND.${one.positionKind}`)}
              </text>
            )}
          </g>
        )
      })}
      <path
        d={`M${margin / 2} ${height - 14}v4h${ruler / metresPer}v-4`}
        fill="none"
        stroke="var(--gray-11)"
        strokeWidth="1.5"
      />
      <text x={margin / 2} y={height - 18} fontSize="11" fill="var(--gray-11)">
        {distance(t, ruler)}
      </text>
    </svg>
  )
}

/** Where the phone was, how far apart, and when. */
export const LocationTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(orderCollected.location, { orderNo })}>
      {({ consentTime, list }) => (
        <Consented consentTime={consentTime} none={list.length === 0}>
          <div className="mk-cards">
            <Section title={t('order.map')} wide>
              <Drawing list={list} />
            </Section>
            <Section title={t('order.tab.location')} wide>
              <SmallTable
                schema={orderCollected.location.output.shape.list.element}
                rows={list}
                rowKey="positionNo"
                label={t('order.tab.location')}
                names={['positionKind', 'addressText', 'metersFromApply', 'latitude', 'accuracyMeters', 'capturedTime']}
                headers={{ latitude: `${t('fields.latitude')}, ${t('fields.longitude')}` }}
                cells={{
                  metersFromApply: one => (one.metersFromApply === null ? '–' : distance(t, one.metersFromApply)),
                  latitude: one => {
                    const place = `${one.latitude}, ${one.longitude}`
                    return (
                      <span className="mk-key">
                        {place} <CopyIcon value={place} />
                      </span>
                    )
                  },
                }}
                empty=""
              />
            </Section>
          </div>
        </Consented>
      )}
    </Loaded>
  )
}

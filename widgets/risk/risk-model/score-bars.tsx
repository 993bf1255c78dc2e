import { useText } from '../../../core/element/i18n.ts'

type Series = { name: string; counts: readonly number[]; colour: string }
type Props = { label: string; classes: readonly number[]; last: number; series: readonly Series[] }

const [width, height] = [660, 120]
const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0)

/** How scores lie in classes, each series as shares of itself, beside each other. Every bar states its number. */
export const ScoreBars = ({ label, classes, last, series }: Props) => {
  const t = useText()
  const shares = series.map(({ counts }) => counts.map(count => count / Math.max(1, sum(counts))))
  const most = Math.max(0.01, ...shares.flat())
  const step = width / Math.max(1, classes.length)
  const bar = (step - 3) / series.length
  return (
    <figure className="mk-figure-drawing">
      <svg viewBox={`0 0 ${width} ${height + 18}`} role="img" aria-label={label} width="100%" style={{ maxWidth: 900 }}>
        <title>{label}</title>
        {series.flatMap(({ name, counts, colour }, n) =>
          counts.map((count, at) => {
            const tall = ((shares[n]?.[at] ?? 0) / most) * height
            const from = classes[at] ?? 0
            const to = (classes[at + 1] ?? last + 1) - 1
            return (
              <rect
                key={`${name} ${from}`}
                x={at * step + n * bar}
                y={height - tall}
                width={Math.max(1, bar)}
                height={tall}
                fill={colour}
              >
                <title>{t('riskModel.histogramOf', { name, from, to, n: count })}</title>
              </rect>
            )
          }),
        )}
        {classes.map((from, at) =>
          at % 4 === 0 ? (
            <text key={from} x={at * step} y={height + 13} fontSize="10" fill="var(--gray-11)">
              {from}
            </text>
          ) : null,
        )}
        <line x1="0" x2={width} y1={height} y2={height} stroke="var(--gray-7)" />
      </svg>
      <figcaption>
        {series.map(({ name, colour }) => (
          <span key={name} style={{ marginInlineEnd: 16 }}>
            <svg width="10" height="10" aria-hidden="true">
              <rect width="10" height="10" fill={colour} />
            </svg>{' '}
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

/** One bar: its name under the axis, its value, what it is called in full, and whether it stands apart. */
export type Bar = { name: string; value: number; label: string; quiet?: boolean }

const height = 120
const gap = 2

/** Bars beside each other, one a day or a category. Each states its value in full on hover and to a screen reader. */
export const Bars = ({ label, bars, every = 7 }: { label: string; bars: readonly Bar[]; every?: number }) => {
  const most = Math.max(1, ...bars.map(bar => bar.value))
  const width = 660 / Math.max(1, bars.length)
  return (
    <svg viewBox={`0 0 660 ${height + 18}`} role="img" aria-label={label} width="100%" style={{ maxWidth: 900 }}>
      <title>{label}</title>
      {bars.map((bar, at) => {
        const tall = (bar.value / most) * height
        return (
          <g key={bar.label}>
            <rect
              x={at * width}
              y={height - tall}
              width={Math.max(1, width - gap)}
              height={tall}
              fill={bar.quiet ? 'var(--amber-9)' : 'var(--accent-9)'}
            >
              <title>{bar.label}</title>
            </rect>
            {at % every === 0 && (
              <text x={at * width} y={height + 13} fontSize="10" fill="var(--gray-11)">
                {bar.name}
              </text>
            )}
          </g>
        )
      })}
      <line x1="0" x2="660" y1={height} y2={height} stroke="var(--gray-7)" />
    </svg>
  )
}

import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useText } from '../../../core/element/i18n.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import type { Band } from '../../../core/rules/risk/bands.ts'

export type BandRow = Omit<Band, 'loanKind'>
type Props = {
  kind: 'first' | 'repeat'
  bands: readonly BandRow[]
  counts: readonly number[]
  range: { scoreMin: number; scoreMax: number }
  /** Without it the borders stand still. */
  move?: ((bands: BandRow[]) => void) | undefined
}

const [width, height] = [660, 110]
const colours = { approve: 'var(--green-5)', review: 'var(--amber-5)', refuse: 'var(--red-5)' } as const

/** The bands with the border below `high` at another score; it stays between its neighbours. */
export const withBorder = (bands: readonly BandRow[], high: BandRow, at: number): BandRow[] => {
  const sorted = [...bands].sort((a, b) => a.scoreFrom - b.scoreFrom)
  const low = sorted[sorted.findIndex(one => one.modelLevel === high.modelLevel) - 1]
  if (!low) return [...bands]
  const score = Math.max(low.scoreFrom + 1, Math.min(high.scoreTo, Math.round(at)))
  return bands.map(one =>
    one.modelLevel === high.modelLevel
      ? { ...one, scoreFrom: score }
      : one.modelLevel === low.modelLevel
        ? { ...one, scoreTo: score - 1 }
        : one,
  )
}

type BorderProps = {
  label: string
  score: number
  x: number
  min: number
  max: number
  drag: (event: PointerEvent<SVGElement>) => void
  drop: () => void
  step: (by: number) => void
}

const Border = ({ label, score, x, min, max, drag, drop, step }: BorderProps) => {
  const keys = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    step(by)
  }
  return (
    <g
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuenow={score}
      aria-valuemin={min}
      aria-valuemax={max}
      style={{ cursor: 'ew-resize', touchAction: 'none' }}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={event => event.currentTarget.hasPointerCapture(event.pointerId) && drag(event)}
      onPointerUp={drop}
      onKeyDown={keys}
    >
      <rect x={x - 6} y="0" width="12" height={height} fill="transparent" />
      <line x1={x} x2={x} y1="0" y2={height} stroke="var(--gray-12)" strokeWidth="2" />
      <text x={x + 3} y="10" fontSize="10" fill="var(--gray-12)">
        {score}
      </text>
    </g>
  )
}

type Scale = { xOf: (score: number) => number; from: number; span: number }
const scaleOf = ({ scoreMin, scoreMax }: Props['range']): Scale => {
  const span = Math.max(1, scoreMax - scoreMin)
  return { xOf: score => ((score - scoreMin) / span) * width, from: scoreMin, span }
}

/** Each band in the colour of its decision, with its level below. */
const Areas = ({ bands, scale: { xOf } }: { bands: readonly BandRow[]; scale: Scale }) => {
  const t = useText()
  return bands.map(band => (
    <g key={band.modelLevel}>
      <rect
        x={xOf(band.scoreFrom)}
        y="0"
        width={Math.max(0, xOf(band.scoreTo + 1) - xOf(band.scoreFrom))}
        height={height}
        fill={colours[band.bandDecision]}
      />
      <text x={xOf(band.scoreFrom) + 4} y={height + 12} fontSize="11" fill="var(--gray-12)">
        {band.modelLevel}
        <title>{dictText(t, 'BAND_DECISION', band.bandDecision)}</title>
      </text>
    </g>
  ))
}

const Counts = ({ counts, scale: { from, span } }: { counts: readonly number[]; scale: Scale }) => {
  const most = Math.max(1, ...counts)
  const step = width / Math.max(1, counts.length)
  return counts.map((count, at) => {
    const tall = (count / most) * (height - 14)
    return (
      <rect
        key={Math.round(from + (span / counts.length) * at)}
        x={at * step + 1}
        y={height - tall}
        width={Math.max(1, step - 2)}
        height={tall}
        fill="var(--gray-9)"
        opacity="0.65"
        pointerEvents="none"
      />
    )
  })
}

/** Bands over the scores that they part; their borders are dragged, or moved by the arrow keys. */
export const BandsDrawing = ({ kind, bands, counts, range, move }: Props) => {
  const t = useText()
  const box = useRef<SVGSVGElement>(null)
  const [held, hold] = useState<BandRow[] | null>(null)
  const scale = scaleOf(range)
  const shown = [...(held ?? bands)].sort((a, b) => a.scoreFrom - b.scoreFrom)
  const kindText = dictText(t, 'LOAN_KIND', kind)
  const drag = (high: BandRow, event: PointerEvent<SVGElement>) => {
    const rect = box.current?.getBoundingClientRect()
    if (!rect || rect.width === 0) return
    hold(withBorder(held ?? bands, high, scale.from + ((event.clientX - rect.left) / rect.width) * scale.span))
  }
  const drop = () => {
    if (held) move?.(held)
    hold(null)
  }
  return (
    <svg
      ref={box}
      viewBox={`0 0 ${width} ${height + 16}`}
      width="100%"
      style={{ maxWidth: 900 }}
      role="group"
      aria-label={kindText}
    >
      <Areas bands={shown} scale={scale} />
      <Counts counts={counts} scale={scale} />
      {move &&
        shown
          .slice(1)
          .map((high, at) => (
            <Border
              key={high.modelLevel}
              label={t('cutoff.border', { kind: kindText, low: shown[at]?.modelLevel ?? '', high: high.modelLevel })}
              score={high.scoreFrom}
              x={scale.xOf(high.scoreFrom)}
              min={(shown[at]?.scoreFrom ?? range.scoreMin) + 1}
              max={high.scoreTo}
              drag={event => drag(high, event)}
              drop={drop}
              step={by => move(withBorder(bands, high, high.scoreFrom + by))}
            />
          ))}
    </svg>
  )
}

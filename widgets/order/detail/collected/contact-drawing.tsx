import type { OrderContact } from '../../../../core/contract/order/collected.ts'
import { type Translate, useText } from '../../../../core/element/i18n.ts'

type Drawn = OrderContact & { callMinutes?: number }

const [width, height] = [720, 360]
const [middleX, middleY] = [width / 2, height / 2]
/** So many stand on one ring; further ones on a second one. */
const onRing = 12

/** What is worst of a contact gives the colour. */
const toneOf = ({ blacklisted, contactOverdue, sharedCount, isCustomer }: Drawn) =>
  blacklisted || contactOverdue ? 'red' : sharedCount > 0 ? 'amber' : isCustomer ? 'blue' : 'gray'

/** Evenly around the applicant, from the top, clockwise. */
const placeOf = (index: number, count: number) => {
  const [isOuter, size] = index < onRing ? [false, Math.min(count, onRing)] : [true, count - onRing]
  const turn = ((index % onRing) / size + (isOuter ? 0.5 / size : 0)) * 2 * Math.PI - Math.PI / 2
  const far = isOuter ? 1 : count > onRing ? 0.62 : 0.8
  return {
    x: middleX + Math.cos(turn) * (middleX - 90) * far,
    y: middleY + Math.sin(turn) * (middleY - 40) * far,
  }
}

const about = (t: Translate, one: Drawn) =>
  [
    `${one.contactName} (${t(`dict.RELATION_TYPE.${one.relation}`)})`,
    one.isCustomer && t('fields.isCustomer'),
    one.contactOverdue && t('fields.contactOverdue'),
    one.blacklisted && t('fields.blacklisted'),
    one.sharedCount > 0 && t('order.sharedBy', { n: one.sharedCount }),
    one.callMinutes !== undefined && t('common.labelled', { label: t('fields.callMinutes'), value: one.callMinutes }),
  ]
    .filter(Boolean)
    .join(' · ')

/** A name that stays legible over the lines. */
const Name = ({ x, y, children }: { x: number; y: number; children: string }) => (
  <text
    {...{ x, y }}
    fontSize="11"
    textAnchor="middle"
    fill="var(--gray-12)"
    stroke="var(--gray-2)"
    strokeWidth="3"
    paintOrder="stroke"
  >
    {children}
  </text>
)

/** The contacts around their applicant: the thicker a line the longer the calls, a colour for what is worst of each, a number for those who share them. */
export const ContactDrawing = ({ list, label }: { list: readonly Drawn[]; label: string }) => {
  const t = useText()
  const most = Math.max(1, ...list.map(one => one.callMinutes ?? 0))
  const placed = list.map((one, index) => ({ one, ...placeOf(index, list.length) }))
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      width="100%"
      style={{ maxWidth: 960, background: 'var(--gray-a2)', borderRadius: 4 }}
    >
      <title>{label}</title>
      {placed.map(({ one, x, y }) => (
        <line
          key={one.contactNo}
          x1={middleX}
          y1={middleY}
          x2={x}
          y2={y}
          stroke="var(--gray-8)"
          strokeWidth={1 + (5 * (one.callMinutes ?? 0)) / most}
        />
      ))}
      <circle cx={middleX} cy={middleY} r="13" fill="var(--accent-9)" />
      <Name x={middleX} y={middleY + 27}>
        {t('order.applicant')}
      </Name>
      {placed.map(({ one, x, y }) => {
        const tone = toneOf(one)
        return (
          <g key={one.contactNo}>
            <title>{about(t, one)}</title>
            <circle cx={x} cy={y} r="11" fill={`var(--${tone}-4)`} stroke={`var(--${tone}-9)`} strokeWidth="2" />
            {one.sharedCount > 0 && (
              <text x={x} y={y + 4} fontSize="10.5" textAnchor="middle" fill="var(--gray-12)">
                {one.sharedCount}
              </text>
            )}
            <Name x={x} y={y < middleY ? y - 17 : y + 25}>
              {one.contactName}
            </Name>
          </g>
        )
      })}
    </svg>
  )
}

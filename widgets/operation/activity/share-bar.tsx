import { formatMoney } from '../../../core/rules/amount.ts'

/** An amount of another, with a bar of how much of it that is. */
export const ShareBar = ({ part, of }: { part: string; of: string }) => {
  const share = Math.min(100, Math.round((Number(part) / Math.max(1, Number(of))) * 100))
  return (
    <span title={`${share} %`}>
      {formatMoney(part)}
      <span
        aria-hidden="true"
        style={{ display: 'block', height: 4, borderRadius: 2, background: 'var(--gray-4)', marginTop: 2 }}
      >
        <span
          style={{
            display: 'block',
            height: 4,
            width: `${share}%`,
            borderRadius: 2,
            background: share >= 90 ? 'var(--amber-9)' : 'var(--accent-9)',
          }}
        />
      </span>
    </span>
  )
}

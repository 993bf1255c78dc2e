import { useText } from '../../../core/element/i18n.ts'

/** Work in hand against what a person may hold; full ones stand out. */
export const Load = ({ open, cap }: { open: number; cap: number }) => {
  const t = useText()
  return (
    <span className="mk-load" title={t('personnel.load', { open, cap })}>
      <meter min={0} max={Math.max(1, cap)} high={Math.max(1, cap) - 0.5} optimum={0} value={Math.min(open, cap)}>
        {open}
      </meter>{' '}
      {open} / {cap}
    </span>
  )
}

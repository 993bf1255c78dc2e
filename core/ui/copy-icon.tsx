import { useHost } from '../element/context.ts'
import { copyValue } from '../element/copy.ts'
import { bootText } from '../i18n/boot.ts'
import { Icon } from './icons.tsx'

/** Copies the full value, 18 px; says so in a toast. */
export const CopyIcon = ({ value }: { value: string }) => {
  const { language } = useHost().props
  const label = bootText(language, 'copy')
  return (
    <button
      type="button"
      className="mk-copy"
      aria-label={`${label} ${value}`}
      title={label}
      onClick={event => {
        event.stopPropagation()
        void copyValue(event.currentTarget, value, language)
      }}
    >
      <Icon name="copy" size={14} />
    </button>
  )
}

import { type IconName, iconPaths } from '../element/leaves/icon-paths.ts'

/** A line drawing in the colour of the text around it. Decoration unless it has a label. */
export const Icon = ({ name, size = 16, label }: { name: IconName; size?: number; label?: string }) => (
  <svg
    className="mk-icon"
    width={size}
    height={size}
    viewBox="0 0 16 16"
    role={label ? 'img' : undefined}
    aria-label={label}
    aria-hidden={label ? undefined : true}
  >
    <path d={iconPaths[name]} strokeWidth={name === 'more' ? 2.2 : undefined} />
  </svg>
)

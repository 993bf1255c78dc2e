import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../basics.ts'
import { Icon } from '../icons.tsx'
import type { Tied } from '../labelled.tsx'

type Props = Omit<ComponentProps<typeof Button>, 'children'> & {
  label: string
  /** What is chosen, in words; null while nothing is. */
  shown: ReactNode
  /** Where it is a field of a form: its label stands above it. */
  tied?: Tied
  /** Says in a form that nothing is chosen yet. */
  choose?: string
}

/** The button of a choice: says what is chosen, with the label before it where none stands above. */
export const ChooseButton = ({ label, shown, tied, choose, ...props }: Props) => (
  <Button
    type="button"
    variant="surface"
    color="gray"
    className="mk-choose"
    data-filled={shown !== null || undefined}
    {...props}
    {...(tied ? { role: 'combobox', ...tied } : {})}
  >
    <span className="mk-choose-text">
      {shown !== null && !tied && <span className="mk-choose-label">{label} </span>}
      {shown ?? (tied ? choose : label)}
    </span>
    <Icon name="chevronDown" size={12} />
  </Button>
)

import type { SyntheticEvent } from 'react'
import { useKept } from '../kept.ts'
import { useUnsaved } from '../unsaved.ts'

const chosen = '[role=radio], [role=checkbox], [role=switch], [role=option]'

/**
 * Counts a form as unsaved from the first answer that is given in it until it is gone; one that knows what it began with says itself
 * whether it `differs`.
 */
export const useTyped = (differs = true) => {
  const [touched, setTyped] = useKept('typed', false)
  const typed = touched && differs
  useUnsaved(typed)
  return {
    typed,
    onInput: ({ currentTarget, target }: SyntheticEvent) => {
      if (currentTarget.contains(target as Node)) setTyped(true)
    },
    onClick: ({ currentTarget, target }: SyntheticEvent) => {
      if (currentTarget.contains(target as Node) && (target as Element).closest(chosen)) setTyped(true)
    },
  }
}

import type { ReactNode } from 'react'
import { Callout } from '../../../core/ui/basics.ts'

/** What the numbers of a form would do just now. */
export const Hint = ({ children }: { children: ReactNode }) => (
  <Callout.Root color="gray" size="1" role="status">
    <Callout.Text>{children}</Callout.Text>
  </Callout.Root>
)

import type { ReactNode } from 'react'
import { Text } from '../../../core/ui/basics.ts'
import { Icon } from '../../../core/ui/icons.tsx'

/** One line below the header that everybody should read once and that blocks nothing. */
export const Strip = ({ words, action }: { words: string; action: ReactNode }) => (
  <div className="mk-strip" role="status">
    <Icon name="info" />
    <Text size="2">{words}</Text>
    {action}
  </div>
)

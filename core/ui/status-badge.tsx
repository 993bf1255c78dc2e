import type { ReactNode } from 'react'
import { Badge } from './basics.ts'
import { Icon } from './icons.tsx'

/** What a status means, everywhere: waiting, in progress, ended well, needs attention, bad or overdue, over. */
export type Tone = 'wait' | 'progress' | 'good' | 'attention' | 'bad' | 'ended'

const colors = { wait: 'gray', progress: 'blue', good: 'green', attention: 'amber', bad: 'red', ended: 'gray' } as const

/** A status in words; its colour only repeats them. */
export const StatusBadge = ({ tone, label }: { tone: Tone; label: ReactNode }) => (
  <Badge color={colors[tone]} variant={tone === 'ended' ? 'outline' : 'soft'} className={`mk-status mk-${tone}`}>
    {tone === 'attention' && <Icon name="warning" size={12} />}
    {label}
  </Badge>
)

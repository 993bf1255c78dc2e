import type { Meta } from '@storybook/web-components-vite'
import { dictionaries } from '../../core/contract/dictionaries.ts'
import { Dict } from '../../core/engine/value.tsx'
import { Flex } from '../../core/ui/basics.ts'
import { StatusBadge, type Tone } from '../../core/ui/status-badge.tsx'
import { part } from '../part.tsx'

export default { title: 'Parts/Status badge' } satisfies Meta

const tones: readonly Tone[] = ['wait', 'progress', 'good', 'attention', 'bad', 'ended']
const sample: Record<Tone, string> = {
  wait: 'to_be_allocated',
  progress: 'pending_review',
  good: 'funds_disbursed',
  attention: 're_withdrawal_allowed',
  bad: 'loan_failed',
  ended: 'cancelled',
}

/** Waiting, in progress, ended well, needs attention, bad or overdue, over. */
export const Tones = part(() => (
  <Flex gap="3">
    {tones.map(tone => (
      <Dict key={tone} dict="ORDER_STATUS" value={sample[tone]} />
    ))}
  </Flex>
))

/** The colour only repeats the words. */
export const LongWords = part(() => <StatusBadge tone="attention" label="Overpayment · 3 × UGX 1,240,000" />)

const statuses = ['ORDER_STATUS', 'AUDIT_TASK_STATUS', 'LOAN_CODE_STATUS', 'FLOW_STATUS', 'BILL_STATUS'] as const

/** Every status of the main machines, in the colours that their declarations give them. */
export const OfMachines = part(() => (
  <Flex direction="column" gap="3">
    {statuses.map(dict => (
      <Flex key={dict} gap="2" wrap="wrap">
        {dictionaries[dict].map(value => (
          <Dict key={value} dict={dict} value={value} />
        ))}
      </Flex>
    ))}
  </Flex>
))

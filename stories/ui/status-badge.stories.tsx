import type { Meta } from '@storybook/web-components-vite'
import { field } from '../../core/contract/fields.ts'
import { Dict } from '../../core/engine/table/value.tsx'
import { flow } from '../../core/rules/machines/after-loan/flow.ts'
import { loanCode } from '../../core/rules/machines/after-loan/loan-code.ts'
import { plan } from '../../core/rules/machines/after-loan/plan.ts'
import { auditTask } from '../../core/rules/machines/audit/audit-task.ts'
import { order } from '../../core/rules/machines/order/order.ts'
import { Flex } from '../../core/ui/basics.ts'
import { StatusBadge, type Tone } from '../../core/ui/status-badge.tsx'
import { part } from '../part.tsx'

export default { title: 'Parts/Status badge' } satisfies Meta

/** A field of a status gives it its colours, as those of a contract do. */
const shown = [order, auditTask, loanCode, flow, plan]
for (const machine of shown) field.state<string>(machine)

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

/** Every property by hand. */
export const WithControls = part<{ tone: Tone; label: string }>(given => <StatusBadge {...given} />, {
  args: { tone: 'attention', label: 'Overpayment · UGX 1,240,000' },
  argTypes: { tone: { control: 'select', options: tones } },
})

/** The colour only repeats the words. */
export const LongWords = part(() => <StatusBadge tone="attention" label="Overpayment · 3 × UGX 1,240,000" />)

/** Every status of the main machines, in the colours that their declarations give them. */
export const OfMachines = part(() => (
  <Flex direction="column" gap="3">
    {shown.map(({ dict, states }) => (
      <Flex key={dict} gap="2" wrap="wrap">
        {Object.keys(states).map(state => (
          <Dict key={state} dict={dict} value={state} />
        ))}
      </Flex>
    ))}
  </Flex>
))

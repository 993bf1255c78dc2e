import { formatMoney } from '../../../core/rules/amount.ts'
import { Text } from '../../../core/ui/basics.ts'

/** What a balance differs from the books by: nothing is good, all else is not. */
export const Difference = ({ amount }: { amount: string | null }) =>
  amount === null ? (
    <span className="mk-muted">–</span>
  ) : (
    <Text color={Number(amount) === 0 ? 'green' : 'red'} weight={Number(amount) === 0 ? 'regular' : 'bold'}>
      {formatMoney(amount)}
    </Text>
  )

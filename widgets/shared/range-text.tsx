import { formatMoney } from '../../core/rules/amount.ts'

/** Two amounts as a range; one where they are the same. */
export const Money = ({ from, to }: { from: string; to: string }) =>
  from === to ? formatMoney(to) : `${formatMoney(from)}–${formatMoney(to)}`

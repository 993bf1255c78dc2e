import { components } from '../../core/contract/after-loan/component.ts'
import type { BillRow } from '../../core/contract/after-loan/repayment-rows.ts'
import { useText } from '../../core/element/i18n.ts'
import { sub, sum } from '../../core/rules/amount.ts'
import { AmountsTable } from './amounts-table.tsx'

type Amounts = BillRow['due']

const each = (of: (component: keyof Amounts) => string) =>
  Object.fromEntries(components.values.map(component => [component, of(component)])) as Amounts

const total = (bills: readonly BillRow[], part: 'due' | 'paid' | 'waived') =>
  each(component => sum(bills.map(bill => bill[part][component])))

/** Due, paid, waived and left of one bill, or of several together, component by component. */
export const BillAmounts = ({ bills, label }: { bills: readonly BillRow[]; label: string }) => {
  const t = useText()
  const [due, paid, waived] = [total(bills, 'due'), total(bills, 'paid'), total(bills, 'waived')]
  const left = each(component => sub(sub(due[component], paid[component]), waived[component]))
  return (
    <AmountsTable
      label={label}
      rows={[
        { key: 'due', label: t('fields.due'), amounts: due },
        { key: 'paid', label: t('fields.paid'), amounts: paid },
        { key: 'waived', label: t('fields.waived'), amounts: waived },
        { key: 'left', label: t('order.left'), amounts: left, strong: true },
      ]}
    />
  )
}

import { components } from '../../core/contract/after-loan/component.ts'
import type { ValueOf } from '../../core/contract/fields.ts'
import { useText } from '../../core/element/i18n.ts'
import { formatMoney, sum } from '../../core/rules/amount.ts'

type Amounts = Readonly<Record<ValueOf<typeof components>, string>>
export type AmountRow = { key: string; label: string; amounts: Amounts; strong?: boolean; quiet?: boolean }

const shown = (amount: string) => (amount === '0.00' ? '–' : formatMoney(amount))

/** Amounts by component, one line per name, with their total. */
export const AmountsTable = ({ rows, label }: { rows: readonly AmountRow[]; label: string }) => {
  const t = useText()
  return (
    <div className="mk-small" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            {components.values.map(component => (
              <th key={component} scope="col" className="mk-right">
                {t(`dict.COMPONENT.${component}`)}
              </th>
            ))}
            <th scope="col" className="mk-right">
              {t('afterLoan.total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.key} data-quiet={row.quiet || undefined} data-strong={row.strong || undefined}>
              <th scope="row">{row.label}</th>
              {components.values.map(component => (
                <td key={component} className="mk-right">
                  {shown(row.amounts[component])}
                </td>
              ))}
              <td className="mk-right">
                <b>{shown(sum(Object.values(row.amounts)))}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

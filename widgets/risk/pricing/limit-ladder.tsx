import type { ConfigRow } from '../../../core/contract/config.ts'
import type { pricings } from '../../../core/contract/risk/pricing.ts'
import { useText } from '../../../core/element/i18n.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { limitAfter } from '../../../core/rules/risk-price.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Loading } from '../../../core/ui/states.tsx'
import { VersionChoice } from '../../shared/version-choice.tsx'
import { useVersion } from './cells.ts'

const steps = [0, 1, 2, 3, 4, 6, 8, 10, 15, 20]

/** How the limit of a customer grows with the loans that were settled, by level. */
export const Ladder = ({ row }: { row: ConfigRow<typeof pricings> }) => {
  const t = useText()
  const { read, list, chosen, choose, cells } = useVersion(row.pricingNo)
  if (!read.data) return <Loading rows={3} />
  if (!chosen || !cells) return <Text color="gray">{t('config.noVersions')}</Text>
  return (
    <div className="mk-form">
      <VersionChoice list={list} chosen={chosen} choose={choose} />
      <div className="mk-small" role="region" aria-label={t('pricing.ladder')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('pricing.settledLoans')}</th>
              {cells.map(cell => (
                <th key={cell.modelLevel} scope="col" className="mk-right">
                  {cell.modelLevel}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.map(settled => (
              <tr key={settled}>
                <td>{settled}</td>
                {cells.map(cell => (
                  <td key={cell.modelLevel} className="mk-right">
                    {formatMoney(limitAfter(cell, settled))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Text as="p" size="1" color="gray">
        {t('pricing.ladderNote')}
      </Text>
    </div>
  )
}

import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { pricing, type pricings } from '../../../core/contract/risk/pricing.ts'
import { useText } from '../../../core/element/i18n.ts'
import { labelOf } from '../../../core/engine/table/columns.ts'
import { formatMoney, sub } from '../../../core/rules/amount.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { VersionChoice } from '../../shared/version-choice.tsx'
import { useVersion } from './cells.ts'

const counts = ['orders', 'tooSmall'] as const
const amounts = ['lent', 'interest', 'serviceFee', 'managementFee'] as const

/** Both sums beside each other, and what differs. */
const Compared = ({ before, after }: OutputOf<typeof pricing.simulate>) => {
  const t = useText()
  const line = (name: string, a: string, b: string, difference: string) => (
    <tr key={name}>
      <th scope="row">{labelOf(t, name)}</th>
      <td className="mk-right">{a}</td>
      <td className="mk-right">{b}</td>
      <td className="mk-right">{difference}</td>
    </tr>
  )
  return (
    <div className="mk-small" role="region" aria-label={t('pricing.simulation')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('config.field')}</th>
            {(['inForce', 'withVersion', 'difference'] as const).map(name => (
              <th key={name} scope="col" className="mk-right">
                {t(`pricing.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {counts.map(name => line(name, `${before[name]}`, `${after[name]}`, `${after[name] - before[name]}`))}
          {amounts.map(name =>
            line(
              name,
              formatMoney(before[name]),
              formatMoney(after[name]),
              formatMoney(sub(after[name], before[name])),
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

/** What the decisions of the last 30 days would have lent and earned at the prices of a version. */
export const Simulation = ({ row }: { row: ConfigRow<typeof pricings> }) => {
  const t = useText()
  const { read, list, chosen, choose, cells } = useVersion(row.pricingNo)
  const to = eatDate(new Date())
  const asked = cells ? { pricingNo: row.pricingNo, cells, from: addDays(to, -29), to } : null
  const found = useRead(pricing.simulate, asked as never)
  if (!read.data) return <Loading rows={3} />
  if (!chosen) return <Text color="gray">{t('config.noVersions')}</Text>
  return (
    <div className="mk-form">
      <VersionChoice list={list} chosen={chosen} choose={choose} />
      {found.data ? (
        <Compared {...found.data} />
      ) : found.error ? (
        <Failed message={t('common.noConnection')} onRetry={() => void found.retry()} />
      ) : (
        <Loading rows={4} />
      )}
      <Text as="p" size="1" color="gray">
        {t('pricing.simulationNote')}
      </Text>
    </div>
  )
}

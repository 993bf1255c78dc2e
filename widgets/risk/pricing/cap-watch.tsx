import { useRead } from '../../../core/client/providers.tsx'
import { pricing } from '../../../core/contract/risk/pricing.ts'
import { useText } from '../../../core/element/i18n.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Badge } from '../../../core/ui/basics.ts'
import { Empty, Failed, Loading } from '../../../core/ui/states.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

/** Prices in force that a cap is broken by, now or from the day on which it starts. */
export const CapWatch = () => {
  const t = useText()
  const read = useRead(pricing.capWatch, {})
  if (!read.data)
    return read.error ? (
      <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
    ) : (
      <Loading rows={4} />
    )
  const rows = read.data.list.map(one => ({ ...one, id: `${one.pricingNo} ${one.modelLevel} ${one.capKey}` }))
  if (rows.length === 0) return <Empty title={t('pricing.watchEmpty')} />
  return (
    <SmallTable
      schema={pricing.capWatch.output.shape.list.element}
      rows={rows}
      rowKey="id"
      names={[
        'capFrom',
        'productName',
        'loanKind',
        'modelLevel',
        'capKey',
        'figure',
        'capValue',
        'verdict',
        'pricingNo',
      ]}
      empty=""
      label={t('pricing.watch')}
      cells={{
        verdict: ({ verdict }) => (
          <Badge color={verdict === 'over' ? 'red' : 'amber'}>{dictText(t, 'CAP_VERDICT', verdict)}</Badge>
        ),
      }}
    />
  )
}

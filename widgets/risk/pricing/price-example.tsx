import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { pricing, type pricings } from '../../../core/contract/risk/pricing.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Loading } from '../../../core/ui/states.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { VersionChoice } from '../../shared/version-choice.tsx'
import { useVersion } from './cells.ts'
import { Checked } from './price-check.tsx'

/** A customer of each level who borrows the most: what arrives, what is paid back, and what 15 days late cost. */
export const Example = ({ row }: { row: ConfigRow<typeof pricings> }) => {
  const t = useText()
  const { read, list, chosen, choose, cells } = useVersion(row.pricingNo)
  const checked = useRead(pricing.check, cells ? ({ productNo: row.productNo, cells } as never) : null)
  if (!read.data) return <Loading rows={3} />
  if (!chosen || !cells) return <Text color="gray">{t('config.noVersions')}</Text>
  return (
    <div className="mk-form">
      <VersionChoice list={list} chosen={chosen} choose={choose} />
      {checked.data ? (
        <SmallTable
          schema={pricing.check.output.shape.list.element}
          rows={checked.data.list}
          rowKey="modelLevel"
          names={['modelLevel', 'borrowed', 'arrives', 'repaid', 'repaidLate']}
          empty=""
          label={t('pricing.example')}
        />
      ) : (
        <Loading rows={2} />
      )}
      <Checked productNo={row.productNo} cells={cells} />
    </div>
  )
}

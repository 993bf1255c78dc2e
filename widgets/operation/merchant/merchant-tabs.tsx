import { useRead } from '../../../core/client/providers.tsx'
import { merchant, merchants } from '../../../core/contract/operation/merchant.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { useFile } from '../../../core/engine/files/use-file.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import type { MerchantRow } from './place.ts'

const Logo = ({ uploadNo }: { uploadNo: string | null }) => {
  const address = useFile(uploadNo)
  return address && <img src={address} alt="" width={64} height={64} onError={event => event.currentTarget.remove()} />
}

/** Who the merchant is before the law, and its logo. */
export const LicenceTab = ({ row }: { row: MerchantRow }) => (
  <>
    <Logo uploadNo={row.logoFileNo} />
    <Facts
      schema={merchants.row}
      value={row}
      names={['legalName', 'licenceNo', 'licenceExpiry', 'licenceLeft', 'physicalAddress', 'supportEmail']}
    />
  </>
)

/** What is looked for in applications, and how many of yesterday's it would have met. */
export const FilterTab = ({ row }: { row: MerchantRow }) => {
  const t = useText()
  const read = useRead(merchant.filters, { merchantNo: row.merchantNo }, { follows: true })
  return (
    <>
      <Facts
        schema={merchants.row}
        value={row}
        names={['refusedHere', 'refusedHereDays', 'openOrder', 'sameDevice', 'sameAccount']}
      />
      <Loaded read={read}>
        {({ list }) => (
          <SmallTable
            schema={merchant.filters.output.shape.list.element}
            rows={list}
            rowKey="filter"
            names={['filter', 'yesterday', 'counted']}
            empty="–"
            cells={{ filter: one => t(`fields.${one.filter}`) }}
          />
        )}
      </Loaded>
      <Text as="p" size="1" color="gray">
        {t('merchant.filterHint')}
      </Text>
    </>
  )
}

/** People who work for the merchant. */
export const StaffTab = ({ row }: { row: MerchantRow }) => {
  const t = useText()
  return (
    <Loaded read={useRead(merchant.staff, { merchantNo: row.merchantNo })}>
      {({ list }) => (
        <SmallTable
          schema={merchant.staff.output.shape.list.element}
          rows={list}
          rowKey="userNo"
          names={['userNo', 'realName', 'deptName', 'isPrincipal']}
          empty={t('merchant.noStaff')}
        />
      )}
    </Loaded>
  )
}

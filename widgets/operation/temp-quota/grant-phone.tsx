import { useClient, useMay } from '../../../core/client/providers.tsx'
import { type QuotaGrant, tempQuota } from '../../../core/contract/operation/temp-quota.ts'
import { Reveal } from '../../../core/engine/table/reveal.tsx'

/** The phone of a customer, in full under the code of this screen. */
export const GrantPhone = ({ row }: { row: QuotaGrant }) => {
  const client = useClient()
  const may = useMay()
  const { grantNo, phone } = row
  const ask = may.call(tempQuota.phone)
    ? (reason?: string) => client.call(tempQuota.phone, { grantNo, ...(reason ? { reason } : {}) })
    : undefined
  return <Reveal kind="phone" name="phone" masked={phone} row={row} ask={ask} />
}

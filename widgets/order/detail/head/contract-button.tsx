import { useState } from 'react'
import { CallError } from '../../../../core/client/errors.ts'
import { useClient, useMay, useRead } from '../../../../core/client/providers.tsx'
import { orderContract } from '../../../../core/contract/operation/app-contract.ts'
import { useText } from '../../../../core/element/i18n.ts'
import { keepFile } from '../../../../core/engine/files/export-file.ts'
import { useToast } from '../../../../core/engine/form/use-act.ts'
import { Button } from '../../../../core/ui/basics.ts'

/** What the order was agreed to by, as a file; there is one once the order is approved. */
export const ContractButton = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  const client = useClient()
  const toast = useToast()
  const may = useMay().call(orderContract.list)
  const { data } = useRead(orderContract.list, may ? { orderNo } : null, { background: true })
  const [busy, setBusy] = useState(false)
  if (!data?.list.length) return null
  const fetchIt = async () => {
    setBusy(true)
    try {
      keepFile(await client.file(orderContract.download, { orderNo }), `${orderNo}.html`)
    } catch (error) {
      toast.failed(error instanceof CallError ? error.message : t('common.noConnection'))
    }
    setBusy(false)
  }
  return (
    <Button variant="soft" color="gray" loading={busy} onClick={() => void fetchIt()}>
      {t('actions.contract')}
    </Button>
  )
}

import { useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient, useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { appContract, type appContracts } from '../../../core/contract/operation/app-contract.ts'
import { useText } from '../../../core/element/i18n.ts'
import { keepFile } from '../../../core/engine/files/export-file.ts'
import { useToast } from '../../../core/engine/form/use-act.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Button } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Row = ConfigRow<typeof appContracts>

/** The texts of a contract, each to be fetched with the values of an example. */
export const ContractFile = ({ rows: [row], close }: DialogProps<Row>) => {
  const t = useText()
  const client = useClient()
  const toast = useToast()
  const [busy, setBusy] = useState('')
  const { contractNo } = row
  const read = useRead(appContract.versions, { contractNo })
  const fetchIt = async (versionNo: string) => {
    setBusy(versionNo)
    try {
      keepFile(await client.file(appContract.download, { contractNo, versionNo }), `${versionNo}.html`)
    } catch (error) {
      toast.failed(error instanceof CallError ? error.message : t('common.noConnection'))
    }
    setBusy('')
  }
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('actions.download')}
      description={`${row.merchantName} · ${dictText(t, 'CONTRACT_TYPE', row.contractType)}`}
      footer={<DialogCancel />}
    >
      <Loaded read={read}>
        {({ list }) => (
          <SmallTable
            schema={appContract.versions.output.shape.list.element}
            rows={list}
            rowKey="versionNo"
            names={['versionNo', 'versionStatus', 'effectiveTime', 'makerName']}
            headers={{ makerName: '' }}
            cells={{
              makerName: one => (
                <Button
                  size="1"
                  variant="soft"
                  loading={busy === one.versionNo}
                  onClick={() => void fetchIt(one.versionNo)}
                >
                  {t('actions.download')}
                </Button>
              ),
            }}
            empty=""
          />
        )}
      </Loaded>
    </ModalDialog>
  )
}

import { useEffect, useRef, useState } from 'react'
import { CallError } from '../../client/errors.ts'
import { useRead } from '../../client/providers.tsx'
import { imports, type Preview } from '../../contract/common/imports.ts'
import type { Importing } from '../../contract/endpoint.ts'
import { useText } from '../../element/i18n.ts'
import { dictText } from '../../i18n/plain.ts'
import { Button } from '../../ui/basics.ts'
import { ModalDialog } from '../../ui/overlay/modal-dialog.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { ImportFile } from './import-file.tsx'
import { ImportFoot, ImportStanding } from './import-standing.tsx'
import { isAtWork, isClosing } from './imports.tsx'

type Props = {
  importing: Importing
  /** The one to go on with; none for a new file. */
  importNo: string | null
  /** Rows came: the list is another. */
  reload: () => void
  close: () => void
}

const pollMs = 1_000

/** Which of the four steps an import is at: choosing a file, checking it, confirming it, its result. */
export const stepOf = (preview: Preview | undefined, importNo: string | null): 1 | 2 | 3 | 4 => {
  if (importNo === null) return 1
  const status = preview?.job.importStatus
  if (status === undefined || status === 'uploaded' || status === 'validating') return 2
  return status === 'preview' ? 3 : 4
}

const ended: readonly string[] = ['success', 'partial']

/** Brings a file in four steps. It may be closed at any of them: the server goes on, and the list of imports leads back. */
export const ImportDialog = ({ importing, importNo: given, reload, close }: Props) => {
  const t = useText()
  const [importNo, setImportNo] = useState(given)
  const { data, error, retry } = useRead(imports.detail, importNo === null ? null : { importNo }, {
    background: true,
    keepPreviousData: false,
    refreshInterval: latest => (latest && (isAtWork(latest.job) || isClosing(latest.job)) ? pollMs : 0),
  })
  const status = data?.job.importStatus
  const watched = useRef(false)
  useEffect(() => {
    if (status === undefined) return
    if (watched.current && ended.includes(status)) reload()
    watched.current = !ended.includes(status)
  }, [status, reload])
  const step = stepOf(data, importNo)
  const list = dictText(t, 'IMPORT_LIST', importing.as)
  if (importNo === null) return <ImportFile importing={importing} list={list} brought={setImportNo} close={close} />
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('common.importOf', { list })}
      description={[t('common.importStep', { step }), data?.job.fileName].filter(Boolean).join(' · ')}
      footer={
        data ? (
          <ImportFoot preview={data} again={() => setImportNo(null)} reload={retry} close={close} />
        ) : (
          <Button variant="soft" color="gray" onClick={close}>
            {t('common.close')}
          </Button>
        )
      }
    >
      {data ? (
        <ImportStanding preview={data} />
      ) : error ? (
        <Failed
          message={error instanceof CallError ? error.message : t('common.noConnection')}
          onRetry={() => void retry()}
        />
      ) : (
        <Loading rows={3} />
      )}
    </ModalDialog>
  )
}

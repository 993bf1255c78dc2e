import { lazy, Suspense, useState } from 'react'
import { useMay, useRead } from '../../client/providers.tsx'
import { type ImportRow, imports } from '../../contract/common/imports.ts'
import type { Importing } from '../../contract/endpoint.ts'
import { useText } from '../../element/i18n.ts'
import { Button, IconButton } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))
const MyImports = lazy(async () => ({ default: (await import('./my-imports.tsx')).MyImports }))

type Props = { importing: Importing; reload: () => void }

const pollMs = 2_000

/** Work goes on: nobody has to do anything but wait. */
export const isAtWork = ({ importStatus }: Pick<ImportRow, 'importStatus'>): boolean =>
  ['uploaded', 'validating', 'running'].includes(importStatus)

/** Its result is being written. */
export const isClosing = ({ importStatus, fileSize, rowCount, expireTime, finishTime }: ImportRow): boolean =>
  ['success', 'partial', 'failure'].includes(importStatus) &&
  fileSize === null &&
  expireTime === null &&
  rowCount !== null &&
  finishTime !== null &&
  Date.now() - Date.parse(finishTime) < 60_000

/** The caller's newest imports; asked again while one of them is not finished. */
export const useImports = () =>
  useRead(
    imports.page,
    { pageSize: 20 },
    { background: true, refreshInterval: latest => (latest?.list.some(isAtWork) ? pollMs : 0) },
  )

const Allowed = ({ importing, reload }: Props) => {
  const t = useText()
  const [open, setOpen] = useState<'mine' | { importNo: string | null } | null>(null)
  const { data, retry } = useImports()
  const waiting = data?.list.filter(row => isAtWork(row) || row.importStatus === 'preview').length ?? 0
  const close = () => {
    setOpen(null)
    void retry()
  }
  return (
    <>
      <Button size="1" variant="surface" onClick={() => setOpen({ importNo: null })}>
        {t('actions.import')}
      </Button>
      <IconButton
        size="1"
        variant={waiting ? 'soft' : 'ghost'}
        color={waiting ? undefined : 'gray'}
        m="0"
        aria-label={t('common.myImports')}
        title={waiting ? t('common.myImportsWaiting', { n: waiting }) : t('common.myImports')}
        onClick={() => setOpen('mine')}
      >
        <Icon name="upload" />
      </IconButton>
      <Suspense fallback={null}>
        {open === 'mine' && <MyImports go={importNo => setOpen({ importNo })} close={close} />}
        {open !== null && open !== 'mine' && (
          <ImportDialog importing={importing} importNo={open.importNo} reload={reload} close={close} />
        )}
      </Suspense>
    </>
  )
}

/** Bringing rows in a file, and the files that were brought: for those who hold its permission. */
export const Imports = (p: Props) => (useMay().call(p.importing.command) ? <Allowed {...p} /> : null)

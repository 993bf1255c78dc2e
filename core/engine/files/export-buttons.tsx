import { lazy, Suspense, useState } from 'react'
import { useRead } from '../../client/providers.tsx'
import { exports } from '../../contract/common/exports.ts'
import { useText } from '../../element/i18n.ts'
import { Button, IconButton } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import type { ExportProps } from './export-props.ts'

const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }))
const MyExports = lazy(async () => ({ default: (await import('./my-exports.tsx')).MyExports }))

const pollMs = 2_000

/** The caller's newest exports; asked again while one of them is not finished. */
export const useExports = () =>
  useRead(
    exports.page,
    { pageSize: 20 },
    {
      background: true,
      refreshInterval: latest =>
        latest?.list.some((row: { exportStatus: string }) => ['queued', 'running'].includes(row.exportStatus))
          ? pollMs
          : 0,
    },
  )

/** Asking for a file of the list, and the files that were asked for. */
export const ExportButtons = (p: ExportProps) => {
  const t = useText()
  const [open, setOpen] = useState<'ask' | 'mine' | null>(null)
  const { data, retry } = useExports()
  const running = data?.list.filter(row => row.exportStatus === 'queued' || row.exportStatus === 'running').length ?? 0
  const mine = running ? t('common.myExportsRunning', { n: running }) : t('common.myExports')
  const close = () => setOpen(null)
  return (
    <>
      <Button size="1" variant="surface" disabled={!p.total} onClick={() => setOpen('ask')}>
        {t('actions.export')}
      </Button>
      <IconButton
        size="1"
        variant={running ? 'soft' : 'ghost'}
        color={running ? undefined : 'gray'}
        m="0"
        aria-label={t('common.myExports')}
        title={mine}
        onClick={() => setOpen('mine')}
      >
        <Icon name="download" />
      </IconButton>
      <Suspense fallback={null}>
        {open === 'ask' && (
          <ExportDialog
            {...p}
            close={close}
            asked={() => {
              void retry()
              setOpen('mine')
            }}
          />
        )}
        {open === 'mine' && <MyExports close={close} />}
      </Suspense>
    </>
  )
}

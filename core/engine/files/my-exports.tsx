import { useState } from 'react'
import { CallError } from '../../client/errors.ts'
import { useClient } from '../../client/providers.tsx'
import { type ExportRow, exports } from '../../contract/common/exports.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { useText } from '../../element/i18n.ts'
import { dictText } from '../../i18n/plain.ts'
import { can } from '../../rules/machines/machine.ts'
import { exportJob } from '../../rules/machines/platform/export-job.ts'
import { shortTime } from '../../rules/time.ts'
import { Button, Flex, Text } from '../../ui/basics.ts'
import { Progress } from '../../ui/more.ts'
import { useToast } from '../form/use-act.ts'
import { useCommand } from '../form/use-command.ts'
import { Dict } from '../table/value.tsx'
import { useExports } from './export-buttons.tsx'
import { grouped, keepFile, sizeText } from './export-file.ts'
import { FileEntries, FileLine, FilesDialog, FileWords } from './my-files.tsx'

const isUnfinished = ({ exportStatus }: ExportRow) => exportStatus === 'queued' || exportStatus === 'running'

/** What there is to say of an export: how far it is, or its file, or why there is none. */
const Standing = ({ row }: { row: ExportRow }) => {
  const t = useText()
  if (isUnfinished(row)) {
    const rows = t('common.rowsDone', { done: grouped(row.rowsDone), n: grouped(row.rowCount) })
    return (
      <Flex direction="column" gap="1">
        <Progress
          value={row.rowsDone}
          max={Math.max(1, row.rowCount)}
          aria-label={row.fileName}
          aria-valuetext={rows}
        />
        <Text size="1" color="gray">
          {rows}
        </Text>
      </Flex>
    )
  }
  const said =
    row.exportStatus === 'failed'
      ? [dictText(t, 'EXPORT_FAIL', row.failReason)]
      : [
          t('common.rowsIn', { n: grouped(row.rowCount) }),
          ...(row.fileSize === null ? [] : [sizeText(row.fileSize)]),
          ...(row.exportStatus === 'ready' && row.expireTime
            ? [t('common.keptUntil', { time: shortTime(row.expireTime) })]
            : []),
        ]
  return <FileWords said={said} />
}

const Entry = ({ row, reload }: { row: ExportRow; reload: () => Promise<unknown> }) => {
  const t = useText()
  const client = useClient()
  const toast = useToast()
  const { send, busy } = useCommand()
  const [fetching, setFetching] = useState(false)
  const may = (event: string) => can(exportJob, row.exportStatus, event)
  const run = async (endpoint: Endpoint) => {
    await send(endpoint, { exportNo: row.exportNo, version: row.version } as never, { ids: [row.exportNo] })
    await reload()
  }
  const download = async () => {
    setFetching(true)
    try {
      keepFile(await client.file(exports.file, { exportNo: row.exportNo }), row.fileName)
    } catch (error) {
      toast.failed(error instanceof CallError ? error.message : t('common.noConnection'))
      await reload()
    } finally {
      setFetching(false)
    }
  }
  return (
    <FileLine
      fileName={row.fileName}
      status={<Dict dict="EXPORT_STATUS" value={row.exportStatus} />}
      actions={
        <>
          {may('export.download') && (
            <Button size="1" variant="soft" loading={fetching} onClick={() => void download()}>
              {t('actions.download')}
            </Button>
          )}
          {may('export.retry') && (
            <Button size="1" variant="soft" color="gray" loading={busy} onClick={() => void run(exports.retry)}>
              {t('actions.exportAgain')}
            </Button>
          )}
          {isUnfinished(row) && (
            <Button size="1" variant="soft" color="gray" loading={busy} onClick={() => void run(exports.cancel)}>
              {t('actions.stopExport')}
            </Button>
          )}
        </>
      }
    >
      <Standing row={row} />
    </FileLine>
  )
}

/** The caller's exports of the last days: how far they are, and their files until they expire. */
export const ExportEntries = () => {
  const t = useText()
  const read = useExports()
  return (
    <FileEntries read={read} none={{ title: t('common.noExports'), hint: t('common.noExportsHint') }}>
      {row => <Entry key={row.exportNo} row={row} reload={read.retry} />}
    </FileEntries>
  )
}

/** The same in a dialog, opened from a list. */
export const MyExports = ({ close }: { close: () => void }) => {
  const t = useText()
  return (
    <FilesDialog title={t('common.myExports')} description={t('common.myExportsHint')} close={close}>
      <ExportEntries />
    </FilesDialog>
  )
}

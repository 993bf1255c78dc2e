import type { ImportRow } from '../../contract/common/imports.ts'
import { useText } from '../../element/i18n.ts'
import { shortTime } from '../../rules/time.ts'
import { Button } from '../../ui/basics.ts'
import { Dict } from '../table/value.tsx'
import { ImportProgress, useImportWords, useResult } from './import-standing.tsx'
import { isAtWork, useImports } from './imports.tsx'
import { FileEntries, FileLine, FilesDialog, FileWords } from './my-files.tsx'

const Entry = ({ row, go }: { row: ImportRow; go: (importNo: string) => void }) => {
  const t = useText()
  const wordsOf = useImportWords()
  const { fetching, download } = useResult(row)
  const isOpen = isAtWork(row) || row.importStatus === 'preview'
  const said = [
    wordsOf(row),
    ...(row.expireTime ? [t('common.keptUntil', { time: shortTime(row.expireTime) })] : []),
    ...(row.confirmTime ? [t('common.importUntil', { time: shortTime(row.confirmTime) })] : []),
  ]
  return (
    <FileLine
      fileName={row.fileName}
      status={<Dict dict="IMPORT_STATUS" value={row.importStatus} />}
      actions={
        <>
          {row.fileSize !== null && (
            <Button
              size="1"
              variant="soft"
              loading={fetching}
              aria-label={`${t('common.importResultFile')}: ${row.fileName}`}
              onClick={() => void download()}
            >
              {t('common.importResultFile')}
            </Button>
          )}
          <Button
            size="1"
            variant="soft"
            color={isOpen ? undefined : 'gray'}
            aria-label={`${t(isOpen ? 'actions.continueImport' : 'actions.openImport')}: ${row.fileName}`}
            onClick={() => go(row.importNo)}
          >
            {t(isOpen ? 'actions.continueImport' : 'actions.openImport')}
          </Button>
        </>
      }
    >
      {isAtWork(row) ? <ImportProgress job={row} /> : <FileWords said={said} />}
    </FileLine>
  )
}

/** The files that the caller brought in the last days: how far they are, and their results until they expire. */
export const MyImports = ({ go, close }: { go: (importNo: string) => void; close: () => void }) => {
  const t = useText()
  return (
    <FilesDialog title={t('common.myImports')} description={t('common.myImportsHint')} close={close}>
      <FileEntries read={useImports()} none={{ title: t('common.noImports'), hint: t('common.noImportsHint') }}>
        {row => <Entry key={row.importNo} row={row} go={go} />}
      </FileEntries>
    </FilesDialog>
  )
}

import { CallError } from '../client/errors.ts'
import type { ImportRow } from '../contract/imports.ts'
import { useText } from '../element/i18n.ts'
import { shortTime } from '../rules/time.ts'
import { Button, Flex, Text } from '../ui/basics.ts'
import { ModalDialog } from '../ui/modal-dialog.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { ImportProgress, useImportWords, useResult } from './import-standing.tsx'
import { isAtWork, useImports } from './imports.tsx'
import { Dict } from './value.tsx'

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
    <li>
      <Flex align="center" gap="2" mb="1">
        <Text size="2" weight="medium" className="mk-export-name" title={row.fileName}>
          {row.fileName}
        </Text>
        <Dict dict="IMPORT_STATUS" value={row.importStatus} />
        <Flex ml="auto" gap="2" flexShrink="0">
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
        </Flex>
      </Flex>
      {isAtWork(row) ? (
        <ImportProgress job={row} />
      ) : (
        <Text size="1" color="gray">
          {said.join(' · ')}
        </Text>
      )}
    </li>
  )
}

/** The files that the caller brought in the last days: how far they are, and their results until they expire. */
export const MyImports = ({ go, close }: { go: (importNo: string) => void; close: () => void }) => {
  const t = useText()
  const { data, error, retry } = useImports()
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('common.myImports')}
      description={t('common.myImportsHint')}
      footer={
        <Button variant="soft" color="gray" onClick={close}>
          {t('common.close')}
        </Button>
      }
    >
      {data === undefined ? (
        error ? (
          <Failed
            message={error instanceof CallError ? error.message : t('common.noConnection')}
            onRetry={() => void retry()}
          />
        ) : (
          <Loading rows={4} />
        )
      ) : data.list.length === 0 ? (
        <Empty title={t('common.noImports')} hint={t('common.noImportsHint')} />
      ) : (
        <ul className="mk-exports">
          {data.list.map(row => (
            <Entry key={row.importNo} row={row} go={go} />
          ))}
        </ul>
      )}
    </ModalDialog>
  )
}

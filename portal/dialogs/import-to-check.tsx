import { useRead } from '../../core/client/providers.tsx'
import { type ImportRow, imports } from '../../core/contract/common/imports.ts'
import { useText } from '../../core/element/i18n.ts'
import { ImportStanding, useResult } from '../../core/engine/files/import-standing.tsx'
import { Button, Flex } from '../../core/ui/basics.ts'
import { ReadState } from './read-state.tsx'

const ResultFile = ({ job }: { job: ImportRow }) => {
  const t = useText()
  const { fetching, download } = useResult(job)
  return (
    <Flex>
      <Button
        size="1"
        variant="soft"
        loading={fetching}
        aria-label={`${t('common.importResultFile')}: ${job.fileName}`}
        onClick={() => void download()}
      >
        {t('common.importResultFile')}
      </Button>
    </Flex>
  )
}

/** A file that waits for approval: the outcome of its rows in numbers, and the file with the result of each. */
export const ImportToCheck = ({ importNo }: { importNo: string }) => {
  const read = useRead(imports.detail, { importNo }, { background: true })
  return (
    <ReadState read={read}>
      {preview => (
        <Flex direction="column" gap="2" my="2">
          <ImportStanding preview={preview} />
          {preview.job.fileSize !== null && <ResultFile job={preview.job} />}
        </Flex>
      )}
    </ReadState>
  )
}

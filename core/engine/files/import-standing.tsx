import { useState } from 'react'
import { CallError } from '../../client/errors.ts'
import { useClient } from '../../client/providers.tsx'
import { type ImportRow, imports, maxMessages, type Preview, resultName } from '../../contract/common/imports.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { useText } from '../../element/i18n.ts'
import { formatMoney } from '../../rules/amount.ts'
import { shortTime } from '../../rules/time.ts'
import { Button, Flex, Text } from '../../ui/basics.ts'
import { Progress, Table } from '../../ui/more.ts'
import { useToast } from '../form/use-act.ts'
import { useCommand } from '../form/use-command.ts'
import { listed } from '../table/columns.ts'
import { Dict } from '../table/value.tsx'
import { grouped, keepFile } from './export-file.ts'

/** Fetches the file with the result of each row. */
export const useResult = (job: ImportRow) => {
  const t = useText()
  const client = useClient()
  const toast = useToast()
  const [fetching, setFetching] = useState(false)
  const download = async () => {
    setFetching(true)
    try {
      keepFile(await client.file(imports.file, { importNo: job.importNo }), resultName(job))
    } catch (error) {
      toast.failed(error instanceof CallError ? error.message : t('common.noConnection'))
    } finally {
      setFetching(false)
    }
  }
  return { fetching, download }
}

/** How far an import is, in words and as a bar. */
export const ImportProgress = ({ job }: { job: ImportRow }) => {
  const t = useText()
  const n = job.importStatus === 'running' ? job.validCount : job.rowCount
  const rows = { done: grouped(job.rowsDone), n: grouped(n ?? 0) }
  const words =
    n === null
      ? t('common.importReading')
      : t(job.importStatus === 'running' ? 'common.importRunning' : 'common.importChecking', rows)
  return (
    <Flex direction="column" gap="1">
      <Progress
        {...(n === null ? {} : { value: job.rowsDone, max: Math.max(1, n) })}
        aria-label={job.fileName}
        aria-valuetext={words}
      />
      <Text size="2" color="gray">
        {words}
      </Text>
    </Flex>
  )
}

/** The result of an import in one line, or its expected result. */
export const useImportWords = () => {
  const t = useText()
  return (job: ImportRow): string => {
    if (job.importStatus === 'cancelled') return t('common.importCancelled')
    if (job.failReason) return job.failReason
    if (job.importStatus === 'preview')
      return t('common.importCounts', {
        n: grouped(job.rowCount ?? 0),
        valid: grouped(job.validCount),
        wrong: grouped(job.wrongCount),
        duplicate: grouped(job.duplicateCount),
      })
    return t('common.importResult', { ok: grouped(job.okCount), fail: grouped(job.failCount) })
  }
}

const Messages = ({ preview: { job, messages } }: { preview: Preview }) => {
  const t = useText()
  if (messages.length === 0) return null
  const label = t(job.importStatus === 'preview' ? 'common.importMessages' : 'common.importNotTaken')
  return (
    <div className="mk-field">
      <Text size="2" weight="medium">
        {label}
      </Text>
      <div className="mk-import-rows" role="region" aria-label={label} tabIndex={0}>
        <Table.Root size="1" variant="ghost">
          <Table.Header>
            <Table.Row>
              {(['rowNo', 'rowKey', 'rowStatus', 'rowMessage'] as const).map(name => (
                <Table.ColumnHeaderCell key={name}>{t(`fields.${name}`)}</Table.ColumnHeaderCell>
              ))}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {messages.map(row => (
              <Table.Row key={row.rowNo}>
                <Table.RowHeaderCell>{row.rowNo}</Table.RowHeaderCell>
                <Table.Cell>
                  <span className="mk-key">{row.rowKey}</span>
                </Table.Cell>
                <Table.Cell>
                  <Dict dict="IMPORT_ROW" value={row.rowStatus} />
                </Table.Cell>
                <Table.Cell>
                  {row.messages
                    .map(({ column, words }) => (column ? `${t.maybe(`fields.${column}`) ?? column}: ${words}` : words))
                    .join('; ')}
                </Table.Cell>
              </Table.Row>
            ))}
          </Table.Body>
        </Table.Root>
      </div>
      {messages.length >= maxMessages && (
        <Text size="1" color="gray">
          {t('common.importFirst', { n: grouped(maxMessages) })}
        </Text>
      )}
    </div>
  )
}

/** The second to the fourth step: how far it is, what it will do, what it did. */
export const ImportStanding = ({ preview }: { preview: Preview }) => {
  const t = useText()
  const wordsOf = useImportWords()
  const { job, sums, ignored } = preview
  const atWork = ['uploaded', 'validating', 'running'].includes(job.importStatus)
  return (
    <div className="mk-form">
      <div role="status">
        {atWork ? (
          <ImportProgress job={job} />
        ) : (
          <Flex align="center" gap="2">
            <Dict dict="IMPORT_STATUS" value={job.importStatus} />
            <Text size="2" weight="medium">
              {wordsOf(job)}
            </Text>
          </Flex>
        )}
      </div>
      {job.importStatus === 'running' && (
        <Text size="2" color="gray">
          {t('common.importLeave')}
        </Text>
      )}
      {job.importStatus === 'preview' && (
        <Text size="2" color="gray">
          {[
            ...sums.map(({ column, amount }) =>
              t('common.importSum', {
                column: t.maybe(`fields.${column}`) ?? column,
                amount: `UGX ${formatMoney(amount)}`,
              }),
            ),
            ...(job.confirmTime ? [t('common.importUntil', { time: shortTime(job.confirmTime) })] : []),
          ].join(' · ')}
        </Text>
      )}
      {ignored.length > 0 && (
        <Text size="2" color="amber">
          {t('common.importIgnored', { columns: listed(t, ignored) })}
        </Text>
      )}
      {!atWork && <Messages preview={preview} />}
    </div>
  )
}

type Foot = { preview: Preview; again: () => void; reload: () => Promise<unknown>; close: () => void }

/** What can be done at the step. */
export const ImportFoot = ({ preview: { job }, again, reload, close }: Foot) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { fetching, download } = useResult(job)
  const run = async (endpoint: Endpoint) => {
    await send(endpoint, { importNo: job.importNo, version: job.version } as never, {
      ids: [job.importNo],
      done: () => null,
    })
    await reload()
  }
  if (job.importStatus === 'preview')
    return (
      <>
        <Button variant="soft" color="gray" disabled={busy} onClick={() => void run(imports.cancel)}>
          {t('actions.cancelImport')}
        </Button>
        <Button loading={busy} onClick={() => void run(imports.confirm)}>
          {t('common.importNow', { n: grouped(job.validCount) })}
        </Button>
      </>
    )
  const isOver = ['success', 'partial', 'failure', 'cancelled'].includes(job.importStatus)
  return (
    <>
      {isOver && (
        <Button variant="soft" color="gray" onClick={again}>
          {t('actions.importOther')}
        </Button>
      )}
      {job.fileSize !== null && (
        <Button variant="soft" loading={fetching} onClick={() => void download()}>
          {t('common.importResultFile')}
        </Button>
      )}
      <Button variant={isOver ? 'solid' : 'soft'} color={isOver ? undefined : 'gray'} onClick={close}>
        {t('common.close')}
      </Button>
    </>
  )
}

import { useEffect, useId, useRef, useState } from 'react'
import { CallError } from '../client/errors.ts'
import { useClient } from '../client/providers.tsx'
import { type Sending, sendFile } from '../client/upload.ts'
import type { Importing } from '../contract/endpoint.ts'
import { useText } from '../element/i18n.ts'
import { dictText } from '../i18n/plain.ts'
import { fileProblem, purposes } from '../rules/upload.ts'
import { Button, Flex, Progress, Text } from '../ui/basics.ts'
import { ModalDialog } from '../ui/modal-dialog.tsx'
import { grouped, keepFile } from './export-file.ts'
import { useToast } from './use-act.ts'
import { useCommand } from './use-command.ts'

type Props = { importing: Importing; list: string; brought: (importNo: string) => void; close: () => void }

const formats = ['xlsx', 'csv'] as const

const Templates = ({ importing, list }: Pick<Props, 'importing' | 'list'>) => {
  const t = useText()
  const client = useClient()
  const toast = useToast()
  const fetchIt = async (exportFormat: (typeof formats)[number]) => {
    try {
      keepFile(await client.file(importing.template, { exportFormat }), `${list}.${exportFormat}`)
    } catch (error) {
      toast.failed(error instanceof CallError ? error.message : t('common.noConnection'))
    }
  }
  return (
    <div className="mk-field">
      <Text size="2" weight="medium">
        {t('common.importTemplate')}
      </Text>
      <Flex gap="2">
        {formats.map(format => (
          <Button key={format} size="1" variant="soft" color="gray" onClick={() => void fetchIt(format)}>
            {dictText(t, 'EXPORT_FORMAT', format)}
          </Button>
        ))}
      </Flex>
      <Text size="1" color="gray">
        {t('common.importTemplateHint')}
      </Text>
    </div>
  )
}

const Way = ({ file, sending }: { file: File; sending: Sending }) => {
  const t = useText()
  const words = t(sending.step === 'offline' ? 'common.noConnection' : 'common.importUploading')
  return (
    <Flex direction="column" gap="1" role="status">
      <Progress value={sending.sent} max={Math.max(1, file.size)} aria-label={words} />
      <Text size="1" color="gray">
        {words}
      </Text>
    </Flex>
  )
}

/** The first step: a file is chosen and sent; the same file within a day is asked about. */
export const ImportFile = ({ importing, list, brought, close }: Props) => {
  const t = useText()
  const id = useId()
  const client = useClient()
  const { send, busy, question, forget } = useCommand()
  const [file, setFile] = useState<File | null>(null)
  const [uploadNo, setUploadNo] = useState<string | null>(null)
  const [sending, setSending] = useState<Sending | null>(null)
  const [error, setError] = useState<string | null>(null)
  const stopped = useRef(new AbortController())
  useEffect(() => () => stopped.current.abort(), [])

  const choose = (chosen: File | null) => {
    const problem = chosen && fileProblem(purposes.import, { fileName: chosen.name, size: chosen.size })
    setFile(problem ? null : chosen)
    setError(problem ? t(problem.key, problem.params) : null)
    setUploadNo(null)
    forget()
  }
  const upload = async (chosen: File): Promise<string> => {
    const ready = await sendFile(client, chosen, {
      purpose: 'import',
      signal: stopped.current.signal,
      told: setSending,
    })
    setUploadNo(ready.uploadNo)
    return ready.uploadNo
  }
  const begin = async () => {
    if (!file) {
      setError(t('validation.infoComplete'))
      return
    }
    setError(null)
    try {
      const no = uploadNo ?? (await upload(file))
      const outcome = await send(importing.command, { uploadNo: no }, { done: () => null })
      if (outcome.is === 'done') brought(outcome.answer.importNo)
      if (outcome.is === 'refused') setError(outcome.error.message)
    } catch (failure) {
      if (stopped.current.signal.aborted) return
      setError(failure instanceof CallError ? failure.message : t('common.importFailedUpload'))
    } finally {
      setSending(null)
    }
  }

  const words = question ?? error
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('common.importOf', { list })}
      description={t('common.importStep', { step: 1, file: '' })}
      footer={
        <>
          <Button variant="soft" color="gray" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button loading={busy || sending !== null} onClick={() => void begin()}>
            {t(question ? 'common.importAgain' : 'actions.import')}
          </Button>
        </>
      }
    >
      <div className="mk-form">
        <Templates importing={importing} list={list} />
        <div className="mk-field">
          <Text as="label" size="2" weight="medium" htmlFor={id}>
            {t('common.importFile')}
          </Text>
          <input
            id={id}
            type="file"
            className="mk-file"
            accept=".csv,.xlsx"
            disabled={sending !== null}
            aria-invalid={words !== null}
            aria-describedby={words ? `${id}-hint ${id}-error` : `${id}-hint`}
            onChange={event => choose(event.target.files?.[0] ?? null)}
          />
          <Text id={`${id}-hint`} size="1" color="gray">
            {t('common.importHint', { n: grouped(importing.maxRows) })}
          </Text>
          {words && (
            <Text id={`${id}-error`} size="1" color={question ? 'amber' : 'red'} role="alert">
              {words}
            </Text>
          )}
        </div>
        {file && sending && <Way file={file} sending={sending} />}
      </div>
    </ModalDialog>
  )
}

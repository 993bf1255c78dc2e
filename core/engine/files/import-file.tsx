import { useState } from 'react'
import { CallError } from '../../client/errors.ts'
import { useClient } from '../../client/providers.tsx'
import type { Importing } from '../../contract/endpoint.ts'
import { metaOf } from '../../contract/fields.ts'
import { useText } from '../../element/i18n.ts'
import { dictText } from '../../i18n/plain.ts'
import { Button, Flex, Text } from '../../ui/basics.ts'
import { Labelled } from '../../ui/labelled.tsx'
import { ModalDialog } from '../../ui/overlay/modal-dialog.tsx'
import { useToast } from '../form/use-act.ts'
import { useCommand } from '../form/use-command.ts'
import { wrongWith } from '../form/wrong.ts'
import { grouped, keepFile } from './export-file.ts'
import { FileInput } from './file-input.tsx'

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
        {t('common.importTemplateHint', { n: grouped(importing.maxRows) })}
      </Text>
    </div>
  )
}

/** The first step: a file is chosen and sent; the same file within a day is asked about. */
export const ImportFile = ({ importing, list, brought, close }: Props) => {
  const t = useText()
  const { send, busy, question, forget } = useCommand()
  const [uploadNo, setUploadNo] = useState('')
  const [error, setError] = useState<string | null>(null)
  const schema = importing.command.input.shape.uploadNo
  const choose = (value: unknown) => {
    setUploadNo(typeof value === 'string' ? value : '')
    setError(null)
    forget()
  }
  const begin = async () => {
    const wrong = uploadNo ? wrongWith(t, schema, uploadNo) : t('common.importChoose')
    if (wrong) return setError(wrong)
    const outcome = await send(importing.command, { uploadNo }, { done: () => null })
    if (outcome.is === 'done') brought(outcome.answer.importNo)
    if (outcome.is === 'refused') setError(outcome.error.message)
  }
  const words = question ?? error
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('common.importOf', { list })}
      description={t('common.importStep', { step: 1 })}
      footer={
        <>
          <Button variant="soft" color="gray" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button loading={busy} onClick={() => void begin()}>
            {t(question ? 'common.importAgain' : 'common.importCheck')}
          </Button>
        </>
      }
    >
      <div className="mk-form">
        <Templates importing={importing} list={list} />
        <Labelled label={t('common.importFile')} error={words}>
          {tied => (
            <FileInput
              tied={tied}
              label={t('common.importFile')}
              meta={metaOf(schema)}
              value={uploadNo}
              onChange={choose}
            />
          )}
        </Labelled>
      </div>
    </ModalDialog>
  )
}

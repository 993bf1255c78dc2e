import { useState } from 'react'
import { fieldErrors } from '../../client/errors.ts'
import { countCap, exportFormats, type InputOf, reasonRows } from '../../contract/endpoint.ts'
import { sensitiveKinds, type ValueOf } from '../../contract/fields.ts'
import { useText } from '../../element/i18n.ts'
import { dictText } from '../../i18n/plain.ts'
import { Button, Text } from '../../ui/basics.ts'
import { Labelled } from '../../ui/labelled.tsx'
import { RadioGroup, TextArea } from '../../ui/more.ts'
import { DialogCancel, ModalDialog } from '../../ui/overlay/modal-dialog.tsx'
import { useCommand } from '../form/use-command.ts'
import { grouped } from './export-file.ts'
import type { ExportProps } from './export-props.ts'

type Props = ExportProps & { close: () => void; asked: () => void }
type Format = ValueOf<typeof exportFormats>
type Asked = InputOf<ExportProps['command']>

type FormatProps = { value: Format; error: string | undefined; onChange: (format: Format) => void }

const FormatField = ({ value, error, onChange }: FormatProps) => {
  const t = useText()
  return (
    <Labelled label={t('fields.exportFormat')} error={error}>
      {tied => (
        <RadioGroup.Root {...tied} value={value} onValueChange={next => onChange(next as Format)}>
          {exportFormats.values.map(format => (
            <RadioGroup.Item key={format} value={format}>
              {dictText(t, 'EXPORT_FORMAT', format)}
            </RadioGroup.Item>
          ))}
        </RadioGroup.Root>
      )}
    </Labelled>
  )
}

const Written = ({ columns }: Pick<ExportProps, 'columns'>) => {
  const t = useText()
  return (
    <div className="mk-field">
      <Text size="2" weight="medium">
        {t('common.exportColumns', { n: columns.length })}
      </Text>
      <Text size="2" color="gray">
        {columns.map(column => column.header).join(' · ')}
      </Text>
    </div>
  )
}

/** Asks how a list is to be written to a file: how many rows, which columns, in which format, and what for where that is asked. */
export const ExportDialog = ({ list, command, columns, state, total = 0, close, asked }: Props) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [exportFormat, setFormat] = useState<Format>('xlsx')
  const [reason, setReason] = useState('')
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const written = columns.filter(column => column.id in list.row.shape)
  const isSensitive = written.some(({ meta }) => meta && (sensitiveKinds as readonly string[]).includes(meta.kind))
  const needsReason = isSensitive && total > reasonRows
  const n = total >= countCap ? '10,000+' : grouped(total)

  const submit = async () => {
    if (needsReason && !reason.trim()) {
      setErrors({ reason: t('validation.exportReason', { n: grouped(reasonRows) }) })
      return
    }
    const input = {
      filters: Object.fromEntries(Object.entries(state.filters).filter(([name]) => name in list.filters)),
      columns: written.map(column => column.id),
      sort: state.sort,
      exportFormat,
      ...(reason.trim() ? { reason } : {}),
    } as Asked
    const outcome = await send(command, input, { done: () => t('common.exportStarted') })
    if (outcome.is === 'done') asked()
    if (outcome.is === 'refused') setErrors(fieldErrors(outcome.error))
  }

  return (
    <ModalDialog
      open
      onClose={close}
      title={t('common.exportOf', { list: dictText(t, 'EXPORT_LIST', command.as) })}
      description={t('common.exportRows', { n })}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void submit()}>
            {t('common.exportNow', { n })}
          </Button>
        </>
      }
    >
      <div className="mk-form">
        <FormatField value={exportFormat} error={errors.exportFormat} onChange={setFormat} />
        <Written columns={written} />
        <Labelled label={t('fields.reason')} optional={!needsReason} error={errors.reason}>
          {tied => (
            <TextArea {...tied} maxLength={100} value={reason} onChange={event => setReason(event.target.value)} />
          )}
        </Labelled>
      </div>
    </ModalDialog>
  )
}

import { useState } from 'react'
import { CallError, fieldErrors } from '../../../core/client/errors.ts'
import { useClient } from '../../../core/client/providers.tsx'
import { recon } from '../../../core/contract/after-loan/reconciliation.ts'
import type { InputOf, OutputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { grouped, keepFile } from '../../../core/engine/files/export-file.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { flawsOf } from '../../../core/engine/form/flaws.ts'
import { useToast } from '../../../core/engine/form/use-act.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { labelOf } from '../../../core/engine/table/columns.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Figures } from '../../shared/figures.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Found = OutputOf<typeof recon.importCheck>
type Given = Readonly<Record<string, unknown>>
const { shape } = recon.importCheck.input
const names = ['fundAccountNo', 'fromDate', 'toDate', 'uploadNo', 'openingStatement', 'closingStatement'] as const
const optional: readonly string[] = ['openingStatement', 'closingStatement']
const formats = ['xlsx', 'csv'] as const

const Templates = () => {
  const t = useText()
  const client = useClient()
  const toast = useToast()
  const fetchIt = async (exportFormat: (typeof formats)[number]) => {
    try {
      keepFile(await client.file(recon.importTemplate, { exportFormat }), `${t('recon.statementFile')}.${exportFormat}`)
    } catch (error) {
      toast.failed(error instanceof CallError ? error.message : t('common.noConnection'))
    }
  }
  return (
    <Flex gap="2" align="center">
      <Text size="2">{t('recon.importTemplate')}</Text>
      {formats.map(format => (
        <Button key={format} type="button" size="1" variant="soft" color="gray" onClick={() => void fetchIt(format)}>
          {dictText(t, 'EXPORT_FORMAT', format)}
        </Button>
      ))}
    </Flex>
  )
}

const Said = ({ found }: { found: Found }) => {
  const t = useText()
  const balance = (value: string | null) => (value === null ? null : formatMoney(value))
  const figure = (name: keyof Found & string, value: string | number | null) => ({ label: labelOf(t, name), value })
  return (
    <Figures
      label={t('recon.importCheck')}
      list={[
        figure('statementFormat', dictText(t, 'STATEMENT_FILE_FORMAT', found.statementFormat)),
        figure('openingStatement', balance(found.openingStatement)),
        figure('inSum', formatMoney(found.inSum)),
        figure('outSum', formatMoney(found.outSum)),
        figure('closingStatement', balance(found.closingStatement)),
        figure('addedCount', found.addedCount),
        figure('repeatedCount', found.repeatedCount),
        figure('differCount', found.differCount),
        figure('wrongCount', found.wrongCount),
      ]}
    />
  )
}

const Note = ({ words, color }: { words: string; color: 'amber' | 'red' }) => (
  <Callout.Root size="1" color={color} role={color === 'red' ? 'alert' : 'status'}>
    <Callout.Text>{words}</Callout.Text>
  </Callout.Root>
)

const Preview = ({ found }: { found: Found }) => {
  const t = useText()
  const rows = found.wrongRows.map((one, at) => ({ ...one, id: at }))
  return (
    <>
      <Said found={found} />
      {found.missingDays > 0 && <Note color="amber" words={t('recon.importMissing', { n: found.missingDays })} />}
      {found.differCount > 0 && <Note color="amber" words={t('recon.importDiffer')} />}
      {rows.length > 0 && (
        <>
          <Note color="red" words={t('recon.importWrong')} />
          <SmallTable
            schema={recon.importCheck.output.shape.wrongRows.element}
            rows={rows}
            rowKey="id"
            names={['rowNo', 'column', 'words']}
            empty=""
            cells={{
              rowNo: ({ rowNo }) => (rowNo === 0 ? '–' : grouped(rowNo)),
              column: ({ column }) => (column ? labelOf(t, column) : '–'),
            }}
          />
        </>
      )}
    </>
  )
}

const useImport = (close: (changed?: boolean) => void) => {
  const t = useText()
  const checking = useCommand()
  const taking = useCommand()
  const [given, setGiven] = useState<Given>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [found, setFound] = useState<Found | null>(null)
  const put = (name: string, value: unknown) => {
    setErrors({})
    setFound(null)
    taking.forget()
    setGiven({ ...given, [name]: value === '' ? undefined : value })
  }
  const refused = (error: CallError) => {
    const fields = fieldErrors(error)
    setErrors(Object.keys(fields).length > 0 ? fields : { uploadNo: error.message })
  }
  const check = async () => {
    const flaws = flawsOf(t, recon.importCheck.input, given)
    setErrors(flaws)
    if (Object.keys(flaws).length > 0) return
    const outcome = await checking.send(recon.importCheck, given as InputOf<typeof recon.importCheck>, {
      done: () => null,
    })
    if (outcome.is === 'done') setFound(outcome.answer)
    if (outcome.is === 'refused') refused(outcome.error)
  }
  const take = async () => {
    const outcome = await taking.send(recon.import, given as InputOf<typeof recon.import>, {
      done: ({ addedCount: added, repeatedCount: known }) => t('recon.importDone', { added, known }),
    })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'refused') refused(outcome.error)
  }
  return { given, errors, found, put, check, take, busy: checking.busy || taking.busy, question: taking.question }
}

/** Brings a statement by hand: account and days, a file, what it would bring, and then its lines. */
export const ImportDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const { given, errors, found, put, check, take, busy, question } = useImport(close)
  const ready = found !== null && found.wrongCount === 0
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('actions.importStatement')}
      description={t('recon.importHint')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void (ready ? take() : check())}>
            {t(question ? 'recon.importAgain' : ready ? 'recon.importConfirm' : 'recon.importCheck')}
          </Button>
        </>
      }
    >
      <div className="mk-form">
        <Templates />
        {names.map(name => (
          <Field
            key={name}
            name={name}
            schema={shape[name]}
            value={given[name]}
            optional={optional.includes(name)}
            {...(errors[name] && !(question && name === 'uploadNo') ? { error: errors[name] } : {})}
            onChange={value => put(name, value)}
          />
        ))}
        <Text size="1" color="gray">
          {t('recon.importBalanceHint')}
        </Text>
        {found && <Preview found={found} />}
        {question && <Note color="amber" words={question} />}
      </div>
    </ModalDialog>
  )
}

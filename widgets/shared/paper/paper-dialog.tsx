import { useRef } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient, useRead } from '../../../core/client/providers.tsx'
import type { Paper } from '../../../core/contract/common/paper.ts'
import type { Endpoint, InputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { keepFile } from '../../../core/engine/files/export-file.ts'
import { useToast } from '../../../core/engine/form/use-act.ts'
import { Button } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { print } from '../../../core/ui/print.ts'
import { QrCode } from '../../../core/ui/qr-code.tsx'
import { Loaded } from '../loaded.tsx'

const Sheet = ({ of }: { of: Paper }) => (
  <>
    <h2>{of.title}</h2>
    {of.lead && <p>{of.lead}</p>}
    <dl className="mk-facts">
      {of.facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    {of.table && (
      <div className="mk-small">
        <table>
          <thead>
            <tr>
              {of.table.columns.map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {of.table.rows.map(([first, ...cells]) => (
              <tr key={first}>
                <th scope="row">{first}</th>
                {cells.map((cell, at) => (
                  <td key={of.table?.columns[at + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
    {of.notes.map(note => (
      <p key={note}>{note}</p>
    ))}
    {of.code && <QrCode text={of.code} label={of.code} side={120} />}
  </>
)

type Drawn<I> = Endpoint & { input: I; output: typeof Paper }

/** A page for the printer: as it will be on paper, to print, or to keep as a PDF. */
export const PaperDialog = <I extends Endpoint['input']>({
  title,
  call,
  file,
  input,
  close,
}: {
  title: string
  call: Drawn<I>
  /** Answers the same as a file. */
  file: Endpoint & { input: I }
  input: InputOf<Drawn<I>>
  close: () => void
}) => {
  const t = useText()
  const client = useClient()
  const toast = useToast()
  const sheet = useRef<HTMLDivElement>(null)
  const read = useRead(call, input)
  const keep = async () => {
    try {
      keepFile(await client.file(file, input as never), `${title}.pdf`)
    } catch (error) {
      toast.failed(error instanceof CallError ? error.message : t('common.noConnection'))
    }
  }
  return (
    <ModalDialog
      open
      wide
      onClose={close}
      title={title}
      differs={false}
      footer={
        <>
          <DialogCancel />
          <Button variant="soft" disabled={!read.data} onClick={() => void keep()}>
            PDF
          </Button>
          <Button
            disabled={!read.data}
            onClick={() => sheet.current && print(sheet.current, title, 'svg{display:block;margin-top:14px}')}
          >
            {t('actions.print')}
          </Button>
        </>
      }
    >
      <Loaded read={read}>
        {of => (
          <div ref={sheet} className="mk-stack">
            <Sheet of={of as Paper} />
          </div>
        )}
      </Loaded>
    </ModalDialog>
  )
}

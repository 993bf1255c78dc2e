import type { Results } from '../../contract/endpoint.ts'
import { useText } from '../../element/i18n.ts'
import { Button } from '../../ui/basics.ts'
import { ModalDialog } from '../../ui/overlay/modal-dialog.tsx'

/** What was refused row by row, with the reasons; it stays until it is closed. */
export const RefusedRows = ({ results, close }: { results: Results; close: () => void }) => {
  const t = useText()
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('common.okFail', { ok: results.ok, fail: results.fail })}
      footer={<Button onClick={close}>{t('common.close')}</Button>}
    >
      <ul className="mk-refused">
        {results.rows
          .filter(row => row.code !== 0)
          .map(row => (
            <li key={row.id}>
              <span className="mk-key">{row.id}</span> {row.msg}
            </li>
          ))}
      </ul>
    </ModalDialog>
  )
}

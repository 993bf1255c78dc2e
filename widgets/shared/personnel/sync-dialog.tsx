import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { Personnel } from '../../../core/contract/common/personnel.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../loaded.tsx'
import { SmallTable } from '../small-table.tsx'

type Calls = Personnel['calls']
type Found = OutputOf<Calls['preview']>

const Lists = ({ calls, found: { joining, leaving } }: { calls: Calls; found: Found }) => {
  const t = useText()
  if (joining.length + leaving.length === 0) return <Text color="gray">{t('personnel.syncNone')}</Text>
  const { shape } = calls.preview.output
  const passed = leaving.some(one => one.handsOver.length > 0) ? (['handsOver', 'heirName'] as const) : []
  const parts = [
    { name: 'joining', rows: joining, names: ['realName', 'loginId', 'deptName'] },
    { name: 'leaving', rows: leaving, names: ['realName', 'loginId', 'deptName', 'openCount', ...passed] },
  ] as const
  return parts
    .filter(({ rows }) => rows.length > 0)
    .map(({ name, rows, names }) => (
      <Section key={name} title={t(`fields.${name}`)} aside={rows.length}>
        <SmallTable
          schema={shape[name].element}
          rows={rows}
          rowKey="userNo"
          names={names}
          label={t(`fields.${name}`)}
          empty=""
        />
      </Section>
    ))
}

/** Who would be taken up and who marked as gone, before it is done. */
export const syncDialog =
  ({ calls }: Personnel) =>
  ({ close }: DialogProps<never>) => {
    const t = useText()
    const { send, busy } = useCommand()
    const [note, setNote] = useState<string | null>(null)
    const read = useRead(calls.preview, {})
    const joining = read.data?.joining.length ?? 0
    const leaving = read.data?.leaving.length ?? 0
    const sync = async () => {
      const outcome = await send(calls.sync, { joining, leaving }, { done: counts => t('personnel.synced', counts) })
      if (outcome.is === 'done') return close(true)
      setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
      void read.retry()
    }
    return (
      <ModalDialog
        open
        onClose={() => close()}
        title={t('actions.syncPersons')}
        description={t('personnel.syncHint')}
        footer={
          <>
            <DialogCancel />
            <Button loading={busy} disabled={joining + leaving === 0} onClick={() => void sync()}>
              {t('common.actionOn', { action: t('actions.syncPersons'), n: joining + leaving })}
            </Button>
          </>
        }
      >
        <Loaded read={read}>{found => <Lists calls={calls} found={found} />}</Loaded>
        {note && (
          <Callout.Root color="amber" size="1" role="alert">
            <Callout.Text>{note}</Callout.Text>
          </Callout.Root>
        )}
      </ModalDialog>
    )
  }

import { useState } from 'react'
import { useRead } from '../../core/client/providers.tsx'
import { auditAllot } from '../../core/contract/audit/allotment.ts'
import type { Results } from '../../core/contract/endpoint.ts'
import { useText } from '../../core/element/i18n.ts'
import { RefusedRows } from '../../core/engine/form/refused-rows.tsx'
import { useCommand } from '../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../core/engine/screen.ts'
import { Button, Text } from '../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../shared/loaded.tsx'
import { Load } from '../shared/personnel/load.tsx'
import { SmallTable } from '../shared/small-table.tsx'

/** Who would get how many of the waiting orders, before they are handed out. */
export const AutoAllotDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [refused, setRefused] = useState<Results | null>(null)
  const read = useRead(auditAllot.autoPreview, {})
  const fit = (read.data?.waiting ?? 0) - (read.data?.left ?? 0)
  const allot = async () => {
    const outcome = await send(auditAllot.autoAllot, {})
    if (outcome.is !== 'done') return
    if (outcome.answer.fail) setRefused(outcome.answer)
    else close(true)
  }
  if (refused) return <RefusedRows results={refused} close={() => close(true)} />
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('actions.autoAllot')}
      description={read.data && t('audit.autoPlan', { n: fit, left: read.data.left })}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={fit === 0} onClick={() => void allot()}>
            {t('common.actionOn', { action: t('actions.allot'), n: fit })}
          </Button>
        </>
      }
    >
      <Loaded read={read}>
        {({ list }) => (
          <SmallTable
            schema={auditAllot.autoPreview.output.shape.list.element}
            rows={list}
            rowKey="userNo"
            names={['realName', 'openCount', 'gets']}
            cells={{
              openCount: one => <Load open={one.openCount} cap={one.queueCap} />,
              gets: one => <Text weight="bold">+{one.gets}</Text>,
            }}
            empty={t('errors.allotNoAuditor')}
          />
        )}
      </Loaded>
    </ModalDialog>
  )
}

import { useRead } from '../../core/client/providers.tsx'
import { auditAllot } from '../../core/contract/audit/allotment.ts'
import { useText } from '../../core/element/i18n.ts'
import type { DialogProps } from '../../core/engine/screen.ts'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { StatusBadge } from '../../core/ui/status-badge.tsx'
import { Loaded } from '../shared/loaded.tsx'
import { Load } from '../shared/personnel/load.tsx'
import { SmallTable } from '../shared/small-table.tsx'

const names = [
  'realName',
  'groupNo',
  'onShift',
  'openCount',
  'acceptFirst',
  'acceptRepeat',
  'approvalCap',
  'merchantNames',
]

/** The auditors with what each has in hand, takes and may approve; it follows while orders are handed out. */
export const AuditorsDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const read = useRead(auditAllot.allotAuditors, { orderNos: [] }, { follows: true, refreshInterval: 15_000 })
  return (
    <ModalDialog open onClose={() => close()} title={t('audit.auditors')} footer={<DialogCancel />}>
      <Loaded read={read}>
        {({ list }) => (
          <SmallTable
            schema={auditAllot.allotAuditors.output.shape.list.element}
            rows={list}
            rowKey="userNo"
            names={names}
            quiet={one => !one.onShift}
            cells={{
              onShift: one => (
                <StatusBadge
                  tone={one.onShift ? 'good' : 'ended'}
                  label={t(one.onShift ? 'common.yes' : 'common.no')}
                />
              ),
              openCount: one => <Load open={one.openCount} cap={one.queueCap} />,
            }}
            empty={t('errors.allotNoAuditor')}
          />
        )}
      </Loaded>
    </ModalDialog>
  )
}

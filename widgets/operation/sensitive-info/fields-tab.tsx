import { useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { type SensitiveField, sensitiveInfo } from '../../../core/contract/operation/sensitive-info.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Dict } from '../../../core/engine/table/value.tsx'
import { Button, Flex } from '../../../core/ui/basics.ts'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { EditSettings } from './edit-settings.tsx'
import { FieldDrawer } from './field-drawer.tsx'

const columns = [
  'fieldKey',
  'dataClass',
  'listMask',
  'screenCount',
  'roleCount',
  'holderCount',
  'revealHourCap',
  'revealDayCap',
  'reasonRequired',
  'codeRequired',
  'revealCount',
  'updatedBy',
  'updatedTime',
  'pendingApproval',
]

/** The kinds of sensitive values and how each is guarded. */
export const FieldsTab = () => {
  const t = useText()
  const may = useMay()
  const read = useRead(sensitiveInfo.page, {})
  const [opened, setOpened] = useState<{ key: string; edit: boolean } | null>(null)
  const changed = () => void read.retry()
  const mayEdit = may.call(sensitiveInfo.save)
  const cells = {
    fieldKey: (row: SensitiveField) => (
      <Flex gap="3" align="center">
        <Button size="1" variant="ghost" onClick={() => setOpened({ key: row.fieldKey, edit: false })}>
          <Dict dict="SENSITIVE_KIND" value={row.fieldKey} />
        </Button>
        {mayEdit && (
          <Button
            size="1"
            variant="soft"
            disabled={row.pendingApproval !== null}
            onClick={() => setOpened({ key: row.fieldKey, edit: true })}
          >
            {t('config.edit')}
          </Button>
        )}
      </Flex>
    ),
    pendingApproval: ({ pendingApproval }: SensitiveField) =>
      pendingApproval === null ? (
        '–'
      ) : (
        <StatusBadge tone="attention" label={t('config.pendingBy', { name: pendingApproval })} />
      ),
  }
  return (
    <Loaded read={read}>
      {({ list }) => {
        const row = list.find(one => one.fieldKey === opened?.key)
        const close = () => setOpened(null)
        return (
          <>
            <SmallTable
              schema={sensitiveInfo.page.output.shape.list.element}
              rows={list}
              rowKey="fieldKey"
              names={columns}
              empty={t('sensitiveInfo.noReveals')}
              cells={cells}
            />
            {row && opened?.edit && (
              <EditSettings
                row={row}
                close={did => {
                  close()
                  if (did) changed()
                }}
              />
            )}
            {row && !opened?.edit && <FieldDrawer row={row} close={close} changed={changed} />}
          </>
        )
      }}
    </Loaded>
  )
}

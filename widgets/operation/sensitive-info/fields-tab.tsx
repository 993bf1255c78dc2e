import { useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { metaOf } from '../../../core/contract/fields.ts'
import { type SensitiveField, sensitiveInfo } from '../../../core/contract/operation/sensitive-info.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Dict, Value } from '../../../core/engine/table/value.tsx'
import { Button, Flex } from '../../../core/ui/basics.ts'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { BusinessConfigDialog } from '../../shared/business-config-dialog.tsx'
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

type Opened = { key: string; edit: boolean }

/** Opens a kind of value, or its settings. */
const Key = ({ row, open }: { row: SensitiveField; open: (opened: Opened) => void }) => {
  const t = useText()
  const may = useMay()
  return (
    <Flex gap="3" align="center">
      <Button size="1" variant="ghost" onClick={() => open({ key: row.fieldKey, edit: false })}>
        <Dict dict="SENSITIVE_KIND" value={row.fieldKey} />
      </Button>
      {may.call(sensitiveInfo.save) && row.oneByOne && (
        <Button
          size="1"
          variant="soft"
          disabled={row.pendingApproval !== null}
          onClick={() => open({ key: row.fieldKey, edit: true })}
        >
          {t('config.edit')}
        </Button>
      )}
    </Flex>
  )
}

const Pending = ({ pendingApproval: name }: SensitiveField) => {
  const t = useText()
  return name === null ? '–' : <StatusBadge tone="attention" label={t('config.pendingBy', { name })} />
}

const { shape } = sensitiveInfo.page.output.shape.list.element
/** Settings of values that are revealed one by one; a kind that is granted as a whole has none. */
const ofValues = ['listMask', 'revealHourCap', 'revealDayCap', 'reasonRequired', 'codeRequired', 'revealCount'] as const

const Setting = ({ row, name }: { row: SensitiveField; name: (typeof ofValues)[number] }) =>
  row.oneByOne ? <Value name={name} meta={metaOf(shape[name])} value={row[name]} /> : '–'

/** Whether pages with records carry the name of who looks at them; a second person agrees to a change. */
const WatermarkButton = () => {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <Flex justify="end" mb="2">
      <Button size="1" variant="soft" onClick={() => setOpen(true)}>
        {t('sensitiveInfo.watermark')}
      </Button>
      {open && (
        <BusinessConfigDialog
          configKey="WATERMARK"
          title={t('sensitiveInfo.watermark')}
          description={t('sensitiveInfo.watermarkHint')}
          close={() => setOpen(false)}
        />
      )}
    </Flex>
  )
}

/** The kinds of sensitive values and how each is guarded. */
export const FieldsTab = () => {
  const t = useText()
  const read = useRead(sensitiveInfo.page, {})
  const [opened, setOpened] = useState<Opened | null>(null)
  const changed = () => void read.retry()
  const cells = {
    fieldKey: (row: SensitiveField) => <Key row={row} open={setOpened} />,
    ...Object.fromEntries(ofValues.map(name => [name, (row: SensitiveField) => <Setting row={row} name={name} />])),
    pendingApproval: (row: SensitiveField) => <Pending {...row} />,
  }
  return (
    <Loaded read={read}>
      {({ list }) => {
        const row = list.find(one => one.fieldKey === opened?.key)
        const close = () => setOpened(null)
        return (
          <>
            <WatermarkButton />
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

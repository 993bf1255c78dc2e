import { useRead } from '../../../core/client/providers.tsx'
import { menu } from '../../../core/contract/user/menu.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button } from '../../../core/ui/basics.ts'
import { ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

/** Where menu and program differ. */
export const DriftDialog = ({ close }: Pick<DialogProps<never>, 'close'>) => {
  const t = useText()
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('menu.drift')}
      footer={
        <Button variant="soft" color="gray" onClick={() => close()}>
          {t('common.close')}
        </Button>
      }
    >
      <Loaded read={useRead(menu.drift, {})}>
        {({ list }) => (
          <SmallTable
            schema={menu.drift.output.shape.list.element}
            rows={list}
            rowKey="menuNo"
            names={['drift', 'name', 'perms']}
            headers={{ name: t('fields.menuName') }}
            empty={t('menu.noDrift')}
            label={t('menu.drift')}
          />
        )}
      </Loaded>
    </ModalDialog>
  )
}

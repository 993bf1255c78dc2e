import { useRef } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { type CatalogueNode, type RoleDetail, type RoleRow, role } from '../../../core/contract/user/role.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button } from '../../../core/ui/basics.ts'
import { ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { print } from '../../../core/ui/print.ts'
import { Loaded } from '../../shared/loaded.tsx'

const Sheet = ({ row, of, nodes }: { row: RoleRow; of: RoleDetail; nodes: readonly CatalogueNode[] }) => {
  const t = useText()
  const held = new Set(of.permissions)
  const rules = new Map(of.dataRules.map(rule => [rule.menuNo, rule.limitType]))
  const pages = nodes.filter(node => node.menuType === 'page' && held.has(node.menuNo))
  return (
    <>
      <h2>
        {row.roleName} ({row.roleNo})
      </h2>
      <p>
        {t(`dict.ROLE_NATURE.${row.roleNature}`)} · {t('role.memberHint', { n: row.memberCount })}
      </p>
      <p>
        {t('common.labelled', {
          label: t('role.sensitive'),
          value: of.sensitivePerms.map(kind => t(`dict.SENSITIVE_KIND.${kind}`)).join(', ') || '–',
        })}
      </p>
      <div className="mk-small">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('role.pageName')}</th>
              <th scope="col">{t('fields.limitType')}</th>
              <th scope="col">{t('role.permissions')}</th>
            </tr>
          </thead>
          <tbody>
            {pages.map(page => (
              <tr key={page.menuNo}>
                <th scope="row">{page.menuName}</th>
                <td>{t(`dict.LIMIT_TYPE.${rules.get(page.menuNo) ?? 'own'}`)}</td>
                <td>
                  {nodes
                    .filter(node => node.parentMenuNo === page.menuNo && held.has(node.menuNo))
                    .map(node => node.menuName)
                    .join('; ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** The role on paper, for those who audit the company. */
export const SheetDialog = ({ rows: [row], close }: DialogProps<RoleRow>) => {
  const t = useText()
  const sheet = useRef<HTMLDivElement>(null)
  const read = useRead(role.detail, { roleNo: row.roleNo })
  const catalogue = useRead(role.catalogue, {})
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('role.sheet')}
      footer={
        <>
          <Button variant="soft" color="gray" onClick={() => close()}>
            {t('common.close')}
          </Button>
          <Button
            disabled={!read.data || !catalogue.data}
            onClick={() => sheet.current && print(sheet.current, row.roleName)}
          >
            {t('actions.print')}
          </Button>
        </>
      }
    >
      <Loaded read={read}>
        {of => (
          <Loaded read={catalogue}>
            {({ nodes }) => (
              <div ref={sheet}>
                <Sheet row={row} of={of} nodes={nodes} />
              </div>
            )}
          </Loaded>
        )}
      </Loaded>
    </ModalDialog>
  )
}

import { useRead } from '../../../core/client/providers.tsx'
import { type CatalogueNode, type RoleRow, role } from '../../../core/contract/user/role.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Text } from '../../../core/ui/basics.ts'
import { ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'

/** The entries that somebody with the role alone sees, in the order of the menu. */
export const menuOf = (nodes: readonly CatalogueNode[], held: ReadonlySet<string>) => {
  const isShown = ({ menuType, menuNo, live }: CatalogueNode) =>
    (menuType === 'page' || menuType === 'external') && live && held.has(menuNo)
  const below = (parent: string | null) => nodes.filter(node => node.parentMenuNo === parent && isShown(node))
  return nodes.flatMap(node => {
    if (node.parentMenuNo !== null) return []
    if (node.menuType !== 'catalog') return isShown(node) ? [{ node, entries: [] as CatalogueNode[] }] : []
    const entries = below(node.menuNo)
    return entries.length ? [{ node, entries }] : []
  })
}

/** The menu that such a role sees. */
export const ViewAsDialog = ({ rows: [row], close }: DialogProps<RoleRow>) => {
  const t = useText()
  const read = useRead(role.detail, { roleNo: row.roleNo })
  const catalogue = useRead(role.catalogue, {})
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('role.viewAs')}
      description={t('role.viewAsHint', { roleName: row.roleName })}
      footer={
        <Button variant="soft" color="gray" onClick={() => close()}>
          {t('common.close')}
        </Button>
      }
    >
      <Loaded read={read}>
        {of => (
          <Loaded read={catalogue}>
            {({ nodes }) => {
              const menu = menuOf(nodes, new Set(of.permissions))
              return menu.length === 0 ? (
                <Text color="gray">{t('role.noMenu')}</Text>
              ) : (
                menu.map(({ node, entries }) => (
                  <section className="mk-section" key={node.menuNo}>
                    <h3>{node.menuName}</h3>
                    <ul className="mk-refused">
                      {entries.map(one => (
                        <li key={one.menuNo}>{one.menuName}</li>
                      ))}
                    </ul>
                  </section>
                ))
              )
            }}
          </Loaded>
        )}
      </Loaded>
    </ModalDialog>
  )
}

import { useRead } from '../../../core/client/providers.tsx'
import { type CatalogueNode, type RoleDetail, type RoleRow, role } from '../../../core/contract/user/role.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Text } from '../../../core/ui/basics.ts'
import { ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { draftOf, reviewOf } from './rights.ts'

const Difference = ({
  of,
  nodes,
  names,
}: {
  of: [RoleDetail, RoleDetail]
  nodes: readonly CatalogueNode[]
  names: [string, string]
}) => {
  const t = useText()
  const [left, right] = of.map(one => draftOf(one, nodes)) as [ReturnType<typeof draftOf>, ReturnType<typeof draftOf>]
  const by = new Map(nodes.map(node => [node.menuNo, node]))
  const { added, removed, rules } = reviewOf(left, right, by, kind => t(`dict.SENSITIVE_KIND.${kind}`))
  const shared = rules.filter(rule => added.every(one => one.name !== rule.name))
  if (added.length + removed.length + shared.length === 0) return <Text color="gray">{t('role.alike')}</Text>
  const lines = (title: string, list: readonly string[]) =>
    list.length > 0 && (
      <section className="mk-section" key={title}>
        <h3>{title}</h3>
        <ul className="mk-refused">
          {list.map(one => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </section>
    )
  return (
    <>
      {lines(
        t('role.onlyIn', { name: names[0] }),
        removed.map(one => one.name),
      )}
      {lines(
        t('role.onlyIn', { name: names[1] }),
        added.map(one => one.name),
      )}
      {lines(
        t('role.otherRules'),
        shared.map(({ name, before, after }) =>
          t('common.labelled', {
            label: name,
            value: `${t(`dict.LIMIT_TYPE.${before}`)} / ${t(`dict.LIMIT_TYPE.${after}`)}`,
          }),
        ),
      )}
    </>
  )
}

/** In what two roles differ: codes, data rules, sensitive kinds. */
export const CompareDialog = ({ rows, close }: DialogProps<RoleRow>) => {
  const t = useText()
  const [first, second] = rows
  const two = rows.length === 2
  const left = useRead(role.detail, two ? { roleNo: first.roleNo } : null)
  const right = useRead(role.detail, two ? { roleNo: (second as RoleRow).roleNo } : null)
  const catalogue = useRead(role.catalogue, two ? {} : null)
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('role.compare')}
      footer={
        <Button variant="soft" color="gray" onClick={() => close()}>
          {t('common.close')}
        </Button>
      }
    >
      {two ? (
        <Loaded read={left}>
          {a => (
            <Loaded read={right}>
              {b => (
                <Loaded read={catalogue}>
                  {({ nodes }) => (
                    <Difference of={[a, b]} nodes={nodes} names={[first.roleName, (second as RoleRow).roleName]} />
                  )}
                </Loaded>
              )}
            </Loaded>
          )}
        </Loaded>
      ) : (
        <Text>{t('role.compareTwo')}</Text>
      )}
    </ModalDialog>
  )
}

import { useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import { type MenuItem, menu, menuRow } from '../../../core/contract/user/menu.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { Callout, Text } from '../../../core/ui/basics.ts'
import { Tabs } from '../../../core/ui/more.ts'
import { ChangeLog } from '../../shared/change-log.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

export const menuHead = (row: MenuItem) => (
  <>
    <Text size="2" weight="medium" truncate>
      {row.shownName}
    </Text>
    <Dict dict="CONFIG_ITEM_STATUS" value={row.enabled} />
  </>
)

const Basics = ({ row }: { row: MenuItem }) => {
  const t = useText()
  return (
    <>
      <Facts
        schema={menuRow}
        value={row}
        names={[
          ...['menuName', 'menuNameEn', 'menuNameSw', 'menuType', 'perms', 'externalUrl', 'icon', 'sort', 'builtin'],
          ...(row.menuType === 'page' ? ['dataEntity', 'limitTypes', 'defaultLimitType'] : []),
          ...['grantedRoles', 'holdingPeople', 'belowCount', 'drift', 'updatedBy', 'updatedTime'],
        ]}
      />
      {row.externalUrl && (
        <Callout.Root size="1" mt="3">
          <Callout.Text>{t('menu.appended')}</Callout.Text>
        </Callout.Root>
      )}
    </>
  )
}

const Held = ({ menuNo, part }: { menuNo: string; part: 'roles' | 'endpoints' }) => {
  const t = useText()
  const { roles, endpoints } = menu.detail.output.shape
  return (
    <Loaded read={useRead(menu.detail, { menuNo })}>
      {of =>
        part === 'roles' ? (
          <SmallTable
            schema={roles.element}
            rows={of.roles}
            rowKey="roleNo"
            names={['roleName', 'limitType', 'memberCount']}
            empty={t('menu.noRoles')}
            label={t('menu.roles')}
          />
        ) : (
          <SmallTable
            schema={endpoints.element}
            rows={of.endpoints}
            rowKey="path"
            names={['method', 'path', 'audit']}
            empty={t('menu.noEndpoints')}
            label={t('menu.endpoints')}
          />
        )
      }
    </Loaded>
  )
}

/** One entry: its fields, the roles that have it, the calls it opens, what was changed. */
export const MenuDetail = ({ row }: { row: MenuItem }) => {
  const t = useText()
  const may = useMay()
  const { menuNo } = row
  const [tab, setTab] = useState('basics')
  const tabs = [
    { name: 'basics', body: () => <Basics row={row} /> },
    { name: 'roles', body: () => <Held menuNo={menuNo} part="roles" /> },
    { name: 'endpoints', body: () => <Held menuNo={menuNo} part="endpoints" /> },
    ...(may.call(common.auditLog)
      ? [
          {
            name: 'changes' as const,
            body: () => <ChangeLog objectType="menu" objectNo={menuNo} words="menu.did" />,
          },
        ]
      : []),
  ] as const
  return (
    <Tabs.Root value={tab} onValueChange={setTab}>
      <Tabs.List size="1">
        {tabs.map(({ name }) => (
          <Tabs.Trigger key={name} value={name}>
            {t(`menu.${name}`)}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ name, body }) => (
        <Tabs.Content key={name} value={name} className="mk-tab">
          {name === tab && body()}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}

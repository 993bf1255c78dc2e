import { useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import { type RoleRow, role } from '../../../core/contract/user/role.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { ApprovalBox } from '../../../core/engine/form/approval-box.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { Text } from '../../../core/ui/basics.ts'
import { Tabs } from '../../../core/ui/more.ts'
import { ChangeLog } from '../../shared/change-log.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { Members } from './members.tsx'
import { Permissions } from './permissions.tsx'

export const roleHead = (row: RoleRow) => (
  <>
    <Text size="2" weight="medium" truncate>
      {row.roleName}
    </Text>
    <Dict dict="ROLE_NATURE" value={row.roleNature} />
  </>
)

const Approvals = ({ roleNo, reload }: { roleNo: string; reload: () => void }) => {
  const t = useText()
  const read = useRead(common.approvals, { objectType: 'role', objectNo: roleNo })
  const decided = () => {
    void read.retry()
    reload()
  }
  return (
    <Loaded read={read}>
      {({ list }) =>
        list.length === 0 ? (
          <Text color="gray">{t('common.emptyList')}</Text>
        ) : (
          list.map(approval => <ApprovalBox key={approval.approvalNo} approval={approval} onChange={decided} />)
        )
      }
    </Loaded>
  )
}

/** One role: its basics, its rights, who has it, what waits and what was changed. */
export const RoleDetail = ({ row, reload }: { row: RoleRow; reload: () => void }) => {
  const t = useText()
  const may = useMay()
  const [tab, setTab] = useState(row.pendingApproval ? 'approvals' : 'permissions')
  const { roleNo } = row
  const tabs = [
    {
      name: 'basics',
      body: () => (
        <Facts
          schema={role.page.row}
          value={row}
          names={['roleNo', 'roleName', 'roleNature', 'post', 'memberCount', 'remark', 'updatedBy', 'updatedTime']}
        />
      ),
    },
    { name: 'permissions', body: () => <Permissions row={row} reload={reload} /> },
    { name: 'members', body: () => <Members row={row} reload={reload} /> },
    { name: 'approvals', body: () => <Approvals roleNo={roleNo} reload={reload} /> },
    ...(may.call(common.auditLog)
      ? [{ name: 'changes' as const, body: () => <ChangeLog objectType="role" objectNo={roleNo} words="role.did" /> }]
      : []),
  ] as const
  return (
    <Tabs.Root value={tab} onValueChange={setTab}>
      <Tabs.List>
        {tabs.map(({ name }) => (
          <Tabs.Trigger key={name} value={name}>
            {t(`role.${name}`)}
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

import { useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import { type DeptNode, dept } from '../../../core/contract/user/dept.ts'
import { people } from '../../../core/contract/user/people.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { Dict, ScreenLink } from '../../../core/engine/table/value.tsx'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { Tabs } from '../../../core/ui/more.ts'
import { ChangeLog } from '../../shared/change-log.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const usersPath = '/AdminContent/UserSystem/UserManagement'

export const deptHead = (row: DeptNode) => (
  <>
    <Text size="2" weight="medium" truncate>
      {row.deptName}
    </Text>
    <Dict dict="DEPT_NATURE" value={row.deptNature} />
  </>
)

const People = ({ deptNo }: { deptNo: string }) => {
  const t = useText()
  return (
    <Flex direction="column" gap="2">
      <PagedTable
        list={people.page}
        filters={{ deptAt: deptNo }}
        size={10}
        batch={50}
        rowKey="userNo"
        names={['realName', 'jobNo', 'roleNames', 'userStatus', 'employeeStatus']}
        cells={{
          realName: one => (
            <ScreenLink to={usersPath} query={{ deptAt: deptNo, open: String(one.userNo) }}>
              {String(one.realName)}
            </ScreenLink>
          ),
        }}
        empty={t('dept.noPeople')}
        label={t('dept.people')}
      />
      <ScreenLink to={usersPath} query={{ deptNo }}>
        {t('dept.toUsers')}
      </ScreenLink>
    </Flex>
  )
}

const Pages = ({ deptNo }: { deptNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(dept.detail, { deptNo })}>
      {({ pages }) => (
        <SmallTable
          schema={dept.detail.output.shape.pages.element}
          rows={pages.map(one => ({ ...one, id: `${one.menuNo} ${one.roleName}` }))}
          rowKey="id"
          names={['menuName', 'limitType', 'roleName', 'memberCount']}
          empty={t('dept.noPages')}
          label={t('dept.pages')}
        />
      )}
    </Loaded>
  )
}

const Basics = ({ row }: { row: DeptNode }) => (
  <Facts
    schema={dept.page.row}
    value={row}
    names={[
      ...['deptName', 'deptNature', 'orgName', 'leaderName', 'subCount', 'subCountBelow'],
      ...['userCount', 'userCountBelow', 'sort', 'updatedBy', 'updatedTime'],
    ]}
  />
)

const Subs = ({ deptNo }: { deptNo: string }) => {
  const t = useText()
  return (
    <PagedTable
      list={dept.page}
      filters={{ parentNo: deptNo }}
      size={10}
      batch={50}
      rowKey="deptNo"
      names={['deptName', 'deptNature', 'leaderName', 'userCountBelow']}
      empty={t('common.emptyList')}
      label={t('dept.subs')}
    />
  )
}

/** One department: who works in it, what data rules hang on it, what was changed. */
export const DeptDetail = ({ row }: { row: DeptNode }) => {
  const t = useText()
  const may = useMay()
  const { deptNo } = row
  const [tab, setTab] = useState('facts')
  const tabs = [
    { name: 'facts', shown: true, body: () => <Basics row={row} /> },
    { name: 'people', shown: may.call(people.page), body: () => <People deptNo={deptNo} /> },
    { name: 'subs', shown: true, body: () => <Subs deptNo={deptNo} /> },
    { name: 'pages', shown: true, body: () => <Pages deptNo={deptNo} /> },
    {
      name: 'changes',
      shown: may.call(common.auditLog),
      body: () => <ChangeLog objectType="dept" objectNo={deptNo} words="dept.did" />,
    },
  ] as const
  const shown = tabs.filter(one => one.shown)
  return (
    <Tabs.Root value={tab} onValueChange={setTab}>
      <Tabs.List size="1">
        {shown.map(({ name }) => (
          <Tabs.Trigger key={name} value={name}>
            {t(`dept.${name}`)}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {shown.map(({ name, body }) => (
        <Tabs.Content key={name} value={name} className="mk-tab">
          {name === tab && body()}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}

import type { ReactNode } from 'react'
import { useMay } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import type { Personnel } from '../../../core/contract/common/personnel.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import type { Row } from '../../../core/engine/table/columns.ts'
import type { Key } from '../../../core/i18n/index.ts'
import { Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { Tabs } from '../../../core/ui/more.ts'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { PagedTable } from '../paged-table.tsx'

export type PersonTab = { name: string; label: Key; body: (row: Row) => ReactNode }

/** Whether work may be given to a person. */
export const Standing = ({ row }: { row: Row }) => {
  const t = useText()
  const standing = String(row.standing) as 'at_work' | 'gone' | 'frozen' | 'left'
  return <StatusBadge tone={standing === 'at_work' ? 'good' : 'ended'} label={t(`dict.PERSON_STANDING.${standing}`)} />
}

/** The name and the standing beside the number. */
export const personHead = (row: Row) => (
  <>
    <Standing row={row} />
    <Text size="2" truncate>
      {String(row.realName)}
    </Text>
  </>
)

const identity = ['realName', 'loginId', 'jobNo', 'deptName', 'staffType', 'userStatus', 'employeeStatus']
const place = [
  'groupNo',
  'principalMerchantName',
  'associatedMerchantNames',
  'autoAllocation',
  'onShift',
  'shiftSource',
]
const last = ['openCount', 'updatedTime']
/** Numbers that a post says in words beside them. */
const inWords: Readonly<Record<string, string>> = { promotionChannelNos: 'promotionChannels' }

/** What the record of a person of this post says. */
const namesOf = ({ form, row }: Personnel) => {
  const own = Object.keys(form).filter(name => name !== 'principalMerchantNo' && name !== 'associatedMerchantNos')
  const all = [...identity, ...place, ...own.map(name => inWords[name] ?? name), ...last]
  return [...new Set(all)].filter(name => name in row.shape)
}

/** One person of the personnel: what is set, what they do, and what was changed. */
export const PersonDetail = ({ of, row, tabs }: { of: Personnel; row: Row; tabs: readonly PersonTab[] }) => {
  const t = useText()
  const may = useMay()
  const names = namesOf(of)
  const shown: readonly { name: string; label: string; body: ReactNode }[] = [
    {
      name: 'settings',
      label: t('personnel.settings'),
      body: <Facts schema={of.row} value={row} names={names} />,
    },
    ...tabs.map(tab => ({ name: tab.name, label: t(tab.label), body: tab.body(row) })),
    ...(may.call(common.auditLog)
      ? [
          {
            name: 'changes',
            label: t('personnel.changes'),
            body: (
              <PagedTable
                list={common.auditLog}
                filters={{ objectType: of.name, objectNo: row.userNo }}
                size={10}
                batch={20}
                rowKey="auditNo"
                names={['at', 'actorName', 'before', 'after']}
                empty={t('personnel.noChanges')}
              />
            ),
          },
        ]
      : []),
  ]
  return (
    <>
      {row.standing !== 'at_work' && (
        <Callout.Root color="gray" size="1">
          <Callout.Text>
            {t('errors.personOff', { standing: t(`dict.PERSON_STANDING.${row.standing as 'gone'}`) })}
          </Callout.Text>
        </Callout.Root>
      )}
      <Tabs.Root defaultValue="settings">
        <Tabs.List size="1">
          {shown.map(({ name, label }) => (
            <Tabs.Trigger key={name} value={name}>
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {shown.map(({ name, body }) => (
          <Tabs.Content key={name} value={name}>
            <Flex direction="column" gap="3" pt="3">
              {body}
            </Flex>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </>
  )
}

import { type ReactNode, useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import type { Endpoint, OutputOf } from '../../../core/contract/endpoint.ts'
import { type PersonRow, people } from '../../../core/contract/user/people.ts'
import { type Translate, useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { RowActions } from '../../../core/engine/form/actions.tsx'
import { Ask } from '../../../core/engine/form/ask.tsx'
import type { CallAction } from '../../../core/engine/screen.ts'
import type { Row } from '../../../core/engine/table/columns.ts'
import { Dict } from '../../../core/engine/table/value.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { browserName } from '../../../core/rules/text/browser-name.ts'
import { addDays, eatDate, eatDateTime } from '../../../core/rules/time.ts'
import { Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { Tabs } from '../../../core/ui/more.ts'
import { ApprovalCard } from '../../shared/approval-card.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { RecordLogs } from '../../shared/record-log.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

/** The name and the state of the account beside the number. */
export const personHead = (row: PersonRow) => (
  <>
    <Dict dict="AUTH_USER_STATUS" value={row.userStatus} />
    <Text size="2" truncate>
      {row.realName}
    </Text>
  </>
)

/** An account that ends within so many days is spoken of. */
const soonDays = 7

/** Why the account is not as usual: frozen, locked, about to end, or with rights that sleep. */
const Strip = ({ row }: { row: PersonRow }) => {
  const t = useText()
  const said = [
    row.userStatus === 'frozen' &&
      t('people.isFrozen', {
        reason: t(`dict.FREEZE_REASON.${row.freezeReason ?? 'manual'}`),
        time: row.freezeTime ? eatDateTime(row.freezeTime).slice(0, 16) : '-',
      }),
    row.lockedUntil && t('people.isLocked', { time: eatDateTime(row.lockedUntil).slice(0, 16) }),
    row.userStatus === 'normal' &&
      row.validUntil &&
      row.validUntil <= addDays(eatDate(new Date()), soonDays) &&
      t('people.isExpiring', { date: row.validUntil }),
    row.sleepingUntil && t('people.isSleepingUntil', { time: eatDateTime(row.sleepingUntil).slice(0, 16) }),
  ].filter(Boolean)
  return said.map(words => (
    <Callout.Root key={String(words)} color={row.userStatus === 'frozen' ? 'red' : 'amber'} size="1">
      <Callout.Text>{words}</Callout.Text>
    </Callout.Root>
  ))
}

const Profile = ({ row }: { row: PersonRow }) => (
  <Loaded read={useRead(people.detail, { userNo: row.userNo }, { follows: true })}>
    {of => (
      <Facts
        schema={people.detail.output}
        value={of}
        names={[
          'loginId',
          'userName',
          'realName',
          'jobNo',
          'deptName',
          'roleNames',
          'principalMerchantName',
          'associatedMerchantNames',
          'phone',
          'phoneVerified',
          'email',
          'emailVerified',
          'extensionNo',
          'internalUser',
          'validUntil',
          'lastDay',
          ...(of.baseSalary === null ? [] : ['baseSalary']),
          'lastLoginTime',
          'lastLoginIp',
          'createdTime',
        ]}
      />
    )}
  </Loaded>
)

const Rights = ({ userNo }: { userNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(people.rights, { userNo })}>
      {({ list, sensitive }) => (
        <>
          {list.some(one => one.sleeping) && (
            <Callout.Root color="amber" size="1">
              <Callout.Text>{t('people.isSleeping')}</Callout.Text>
            </Callout.Root>
          )}
          <SmallTable
            schema={people.rights.output.shape.list.element}
            rows={list.map(one => ({ ...one, id: `${one.perms} ${one.roleName}` }))}
            rowKey="id"
            names={['perms', 'menuName', 'limitType', 'roleName', 'sleeping']}
            empty={t('people.noRights')}
          />
          {sensitive.length > 0 && (
            <SmallTable
              label={t('people.sensitive')}
              schema={people.rights.output.shape.sensitive.element}
              rows={sensitive.map(one => ({ ...one, id: `${one.kind} ${one.roleName}` }))}
              rowKey="id"
              names={['kind', 'roleName']}
              empty=""
            />
          )}
        </>
      )}
    </Loaded>
  )
}

type SessionOf = OutputOf<typeof people.sessions>['list'][number]

const Sessions = ({ userNo, reload }: { userNo: string; reload: () => void }) => {
  const t = useText()
  const may = useMay()
  const read = useRead(people.sessions, { userNo })
  const [asked, setAsked] = useState<SessionOf | null>(null)
  const end: CallAction<Row> = {
    run: people.endSession as Endpoint,
    label: 'actions.endSession',
    tone: 'danger',
    input: ([row]) => ({ userNo, sessionNo: row?.sessionNo }),
    confirm: 'people.confirmEndSession',
  }
  return (
    <Loaded read={read}>
      {({ list }) => (
        <>
          <SmallTable
            schema={people.sessions.output.shape.list.element}
            rows={list}
            rowKey="sessionNo"
            names={[
              'createdTime',
              'lastSeenTime',
              'ip',
              'browser',
              ...(may.call(people.endSession) ? ['sessionNo'] : []),
            ]}
            headers={{ sessionNo: t('common.actions') }}
            cells={{
              browser: one => (one.browser ? browserName(one.browser) : '-'),
              sessionNo: one => <RowActions actions={[end as never]} row={one} press={() => setAsked(one)} />,
            }}
            empty={t('people.noSessions')}
          />
          {asked && (
            <Ask
              action={end}
              rows={[asked as Row]}
              rowKey="sessionNo"
              fields={people.sessions.output.shape.list.element}
              close={changed => {
                setAsked(null)
                if (!changed) return
                void read.retry()
                reload()
              }}
            />
          )}
        </>
      )}
    </Loaded>
  )
}

/** What somebody did, in words where there are some. */
const didText = (t: Translate, action: string): string => {
  const [area, what] = action.split('.')
  if (area === 'access') return dictText(t, 'ACCESS_KIND', what)
  return (area === 'user' && t.maybe(`people.did.${what}`)) || (t.maybe(`machines.${action}`) ?? action)
}

const SignIns = ({ userNo }: { userNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(people.signIns, { userNo })}>
      {({ list }) => (
        <SmallTable
          schema={people.signIns.output.shape.list.element}
          rows={list}
          rowKey="auditNo"
          names={['at', 'action', 'ip']}
          cells={{ action: one => didText(t, one.action) }}
          empty={t('people.noEntries')}
        />
      )}
    </Loaded>
  )
}

const Activity = ({ userNo }: { userNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(people.activity, { userNo })}>
      {({ list }) => (
        <SmallTable
          schema={people.activity.output.shape.list.element}
          rows={list}
          rowKey="actNo"
          names={['at', 'action', 'objectType', 'objectNo']}
          cells={{ action: one => didText(t, one.action) }}
          empty={t('people.noEntries')}
        />
      )}
    </Loaded>
  )
}

type Tab = { name: string; label: string; body: ReactNode; shown?: boolean }

/** One person: what is known, what they may and through which role, where they are signed in, and what they did. */
export const PersonDetail = ({ row, reload }: { row: PersonRow; reload: () => void }) => {
  const t = useText()
  const may = useMay()
  const { userNo } = row
  const tabs: readonly Tab[] = [
    { name: 'profile', label: t('people.profile'), body: <Profile row={row} /> },
    { name: 'rights', label: t('people.rights'), body: <Rights userNo={userNo} /> },
    { name: 'sessions', label: t('people.sessions'), body: <Sessions userNo={userNo} reload={reload} /> },
    { name: 'signIns', label: t('people.signIns'), body: <SignIns userNo={userNo} /> },
    {
      name: 'activity',
      label: t('people.activity'),
      body: <Activity userNo={userNo} />,
      shown: may.call(people.activity),
    },
    {
      name: 'changes',
      label: t('people.changes'),
      shown: may.call(common.auditLog),
      body: <RecordLogs of={{ objectType: 'user', objectNo: userNo }} />,
    },
  ]
  const shown = tabs.filter(tab => tab.shown !== false)
  return (
    <>
      <Strip row={row} />
      {row.pendingApproval && <ApprovalCard objectType="user" objectNo={userNo} onChange={reload} />}
      <Tabs.Root defaultValue="profile">
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

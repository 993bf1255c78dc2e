import { type ReactNode, useState } from 'react'
import { type Loaded, useRead } from '../../client/providers.tsx'
import type { Approval } from '../../contract/common/approval.ts'
import { common } from '../../contract/common/common.ts'
import type { Config, Use, Version } from '../../contract/config.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { useText } from '../../element/i18n.ts'
import type { Key } from '../../i18n/index.ts'
import { eatDateTime } from '../../rules/time.ts'
import { Text } from '../../ui/basics.ts'
import { Tabs } from '../../ui/more.ts'
import { Failed, Loading } from '../../ui/states.tsx'
import { Facts } from '../drawer/facts.tsx'
import { ApprovalBox } from '../form/approval-box.tsx'
import type { Row } from '../table/columns.ts'
import { Changes } from './changes.tsx'
import { WaitingEffect } from './version-effect.tsx'
import type { VersionPreview } from './version-form.tsx'
import { Versions } from './versions.tsx'

/** A tab of the noun's own. */
export type ConfigTab<R> = { name: string; label: string; body: (row: R) => ReactNode }

const Read = <T,>({ read, children }: { read: Loaded<unknown>; children: (data: T) => ReactNode }) => {
  const t = useText()
  if (read.data !== undefined) return children(read.data as T)
  if (read.error) return <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
  return <Loading rows={3} />
}

const History = ({ config, no, version }: { config: Config; no: string; version: number }) => {
  const t = useText()
  const read = useRead(config.calls.history as Endpoint, { [config.key]: no } as never)
  const shape = { ...config.row.shape, ...config.form }
  return (
    <Read<{ list: Version[] }> read={read} key={version}>
      {({ list }) =>
        list.length === 0 ? (
          <Text color="gray">{t('config.noHistory')}</Text>
        ) : (
          list.map(({ event, changedBy, changedTime, changes, version: at }) => (
            <section key={`${at} ${event}`} className="mk-section">
              <h3>{t.maybe(`machines.${event}`) ?? event}</h3>
              <Text as="p" size="1" color="gray" mb="2">
                {t('config.historyBy', { name: changedBy, time: eatDateTime(changedTime).slice(0, 16), version: at })}
              </Text>
              {changes.length > 0 && <Changes shape={shape} changes={changes} />}
            </section>
          ))
        )
      }
    </Read>
  )
}

const Uses = ({ call, config, no }: { call: Endpoint; config: Config; no: string }) => {
  const t = useText()
  const read = useRead(call, { [config.key]: no } as never)
  return (
    <Read<{ list: Use[]; total: number }> read={read}>
      {({ list, total }) =>
        total === 0 ? (
          <Text color="gray">{t('config.notUsed')}</Text>
        ) : (
          <ul className="mk-refused">
            {list.map(use => (
              <li key={`${use.kind} ${use.no}`}>
                {t.maybe(`config.use.${use.kind}`)} <span className="mk-key">{use.no}</span> {use.name}
              </li>
            ))}
          </ul>
        )
      }
    </Read>
  )
}

type WaitingProps = { config: Config; no: string; effect: Key | undefined; reload: () => void }

/** What waits for a second person: before and after, who asked, and the ways to decide it. */
const Waiting = ({ config, no, effect, reload }: WaitingProps) => {
  const of = { objectType: config.table, objectNo: no, approvalStatus: ['pending' as const] }
  const read = useRead(common.approvals, of)
  const decided = () => {
    void read.retry()
    reload()
  }
  return (
    <Read<{ list: Approval[] }> read={read}>
      {({ list }) => (
        <>
          {effect && config.versionMachine && <WaitingEffect config={config} no={no} words={effect} />}
          {list.map(approval => (
            <ApprovalBox key={approval.approvalNo} approval={approval} onChange={decided} />
          ))}
        </>
      )}
    </Read>
  )
}

type Props = {
  config: Config
  reload: () => void
  row: Row
  settings: readonly string[]
  tabs: readonly ConfigTab<Row>[]
  /** What a version would change, in words. */
  effect?: Key | undefined
  preview?: VersionPreview | undefined
}

/** An item of a config list: its settings, what uses it, what was changed and by whom. */
export const ConfigDrawer = ({ config, reload, row, settings, tabs, effect, preview }: Props) => {
  const t = useText()
  const no = String(row[config.key])
  const { usedBy } = config.calls
  const all: ConfigTab<Row>[] = [
    {
      name: 'settings',
      label: t('config.settings'),
      body: () => <Facts schema={config.row} value={row} names={settings} />,
    },
    ...(row.pendingApproval
      ? [{ name: 'change', label: t('config.change'), body: () => <Waiting {...{ config, no, effect, reload }} /> }]
      : []),
    ...(config.versionMachine
      ? [
          {
            name: 'versions',
            label: t('config.versions'),
            body: () => (
              <Versions config={config} no={no} stamp={row} effect={effect} preview={preview} reload={reload} />
            ),
          },
        ]
      : []),
    ...tabs.map(tab => ({ ...tab, label: t.maybe(tab.label) ?? tab.label })),
    ...(usedBy
      ? [{ name: 'usedBy', label: t('config.usedBy'), body: () => <Uses call={usedBy} config={config} no={no} /> }]
      : []),
    {
      name: 'history',
      label: t('config.history'),
      body: () => <History config={config} no={no} version={Number(row.version)} />,
    },
  ]
  const [chosen, setTab] = useState(row.pendingApproval ? 'change' : 'settings')
  const tab = all.some(({ name }) => name === chosen) ? chosen : 'settings'
  return (
    <Tabs.Root value={tab} onValueChange={setTab}>
      <Tabs.List>
        {all.map(({ name, label }) => (
          <Tabs.Trigger key={name} value={name}>
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {all.map(({ name, body }) => (
        <Tabs.Content key={name} value={name} className="mk-tab">
          {name === tab && body(row)}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}

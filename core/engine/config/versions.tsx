import { useState } from 'react'
import type { z } from 'zod'
import { useMay, useRead } from '../../client/providers.tsx'
import type { Config, Version } from '../../contract/config.ts'
import type { VersionRow } from '../../contract/config-versions.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { useText } from '../../element/i18n.ts'
import type { Params } from '../../i18n/engine.ts'
import type { Key } from '../../i18n/index.ts'
import { can, type Machine } from '../../rules/machines/machine.ts'
import { eatDateTime } from '../../rules/time.ts'
import { Button, Callout, Flex, Text } from '../../ui/basics.ts'
import { Failed, Loading } from '../../ui/states.tsx'
import { Ask } from '../form/ask.tsx'
import type { CallAction } from '../screen.ts'
import type { Row } from '../table/columns.ts'
import { Dict } from '../table/value.tsx'
import { Changes } from './changes.tsx'
import { isAhead, useVersionEffect, VersionEffect } from './version-effect.tsx'
import { VersionForm, type VersionPreview } from './version-form.tsx'
import { isOpenVersion } from './version-states.ts'

type Of = {
  config: Config
  no: string
  effect?: Key | undefined
  preview?: VersionPreview | undefined
  reload: () => void
}
const minute = (time: string | null) => (time ? eatDateTime(time).slice(0, 16) : '')
const said = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))

/** Every field of a version beside the one in force; `same` ones come last. */
const compared = (config: Config, of: VersionRow, inForce: VersionRow | undefined) => {
  const all: Version['changes'] = Object.keys(config.versions?.form ?? {}).map(field => ({
    field,
    before: said(inForce?.content[field]),
    after: said(of.content[field]),
  }))
  const [changed, same] = [all.filter(one => one.before !== one.after), all.filter(one => one.before === one.after)]
  return { changed, same }
}

const when = (t: ReturnType<typeof useText>, { effectiveTime, supersededTime }: VersionRow) =>
  supersededTime
    ? t('config.inForceUntil', { from: minute(effectiveTime), to: minute(supersededTime) })
    : effectiveTime && t('config.inForceFrom', { time: minute(effectiveTime) })

type OneProps = Omit<Of, 'reload' | 'no' | 'preview'> & {
  row: VersionRow
  list: readonly VersionRow[]
  act: (action: CallAction<Row>, row: VersionRow) => void
  restore: (row: VersionRow | undefined) => void
}

/** Submits a version for approval; the dialog shows its effect in present numbers. */
const submit = (run: Endpoint, effect: string | null): CallAction<Row> => ({
  run,
  label: 'config.submit',
  ask: ['effectiveTime', 'reason'],
  confirm: effect === null ? 'config.effectiveHint' : () => ({ key: 'config.confirmSubmit', params: { effect } }),
  done: 'config.sentForApproval',
})
const cancel = (run: Endpoint, { versionNo, effectiveTime }: VersionRow, effect: string | null): CallAction<Row> => ({
  run,
  label: 'config.cancelVersion',
  tone: 'danger',
  ask: ['reason'],
  confirm: () => {
    const of = { versionNo, time: minute(effectiveTime) }
    return effect === null
      ? { key: 'config.confirmCancelVersion', params: of }
      : { key: 'config.confirmCancelEffect', params: { ...of, effect } }
  },
})

const CancelButton = ({ config, row, act, effect }: OneProps) => {
  const t = useText()
  const { text, waits } = useVersionEffect({ config, versionNo: row.versionNo, words: effect })
  const block = row.blockedBy[`${config.name}.versionCancel`]
  const { versionCancel } = config.calls as Record<string, Endpoint>
  return (
    <Button
      size="1"
      color="red"
      variant="soft"
      disabled={waits || Boolean(block)}
      title={block && (t.maybe(block.reason, block.params) ?? undefined)}
      onClick={() => act(cancel(versionCancel as Endpoint, row, text), row)}
    >
      {t('config.cancelVersion')}
    </Button>
  )
}

const SubmitButton = ({ config, row, act, effect }: OneProps) => {
  const t = useText()
  const { text, waits } = useVersionEffect({ config, versionNo: row.versionNo, words: effect })
  const { versionSubmit } = config.calls as Record<string, Endpoint>
  return (
    <Button size="1" disabled={waits} onClick={() => act(submit(versionSubmit as Endpoint, text), row)}>
      {t('config.submit')}
    </Button>
  )
}

/** What may be done with a version. */
const Buttons = (props: OneProps) => {
  const { config, row, list, restore } = props
  const t = useText()
  const may = useMay()
  const machine = config.versionMachine as Machine
  const { versionSave, versionSubmit, versionCancel } = config.calls as Record<string, Endpoint>
  const status = row.versionStatus
  const inForce = list.find(one => one.versionStatus === 'effective')
  const isOpen = can(machine, status, 'version.save')
  const hasOpen = list.some(one => isOpenVersion(machine, one.versionStatus))
  return (
    <Flex gap="2" mt="2">
      {isOpen && may.call(versionSave as Endpoint) && (
        <Button size="1" variant="soft" onClick={() => restore(undefined)}>
          {t('config.editVersion')}
        </Button>
      )}
      {can(machine, status, 'version.submit') && may.call(versionSubmit as Endpoint) && <SubmitButton {...props} />}
      {can(machine, status, 'version.cancel') && may.call(versionCancel as Endpoint) && <CancelButton {...props} />}
      {!isOpen && !hasOpen && may.call(versionSave as Endpoint) && (
        <Button size="1" variant="soft" color="gray" onClick={() => restore(row)}>
          {row === inForce ? t('config.newVersion') : t('config.restore')}
        </Button>
      )}
    </Flex>
  )
}

/** A version beside the one in force. */
const Compared = ({ config, row, list }: Pick<OneProps, 'config' | 'row' | 'list'>) => {
  const t = useText()
  const inForce = list.find(one => one.versionStatus === 'effective')
  const { changed, same } = compared(config, row, inForce)
  const shape = { ...config.row.shape, ...config.versions?.form }
  return (
    <>
      {changed.length > 0 && (
        <>
          {row !== inForce && (
            <Text as="p" size="1" color="gray">
              {t('config.againstInForce')}
            </Text>
          )}
          <Changes shape={shape} changes={changed} />
        </>
      )}
      {same.length > 0 && (
        <details open={row === inForce}>
          <summary>{row === inForce ? t('config.settings') : t('config.sameFields')}</summary>
          <Changes shape={shape} changes={same} />
        </details>
      )}
    </>
  )
}

const One = (props: OneProps) => {
  const { config, effect, row, list } = props
  const t = useText()
  const machine = config.versionMachine as Machine
  const status = row.versionStatus
  return (
    <section className="mk-section" aria-label={row.versionNo}>
      <h3>
        <span className="mk-key">{row.versionNo}</span> <Dict dict={machine.dict} value={status} />
      </h3>
      <Text as="p" size="1" color="gray" mb="2">
        {[
          when(t, row),
          t('config.madeBy', { name: row.makerName, time: minute(row.createdTime) }),
          row.checkerName && t('config.checkedBy', { name: row.checkerName }),
          row.reason,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {row.startFault && (
        <Callout.Root size="1" color="amber" mb="2">
          <Callout.Text>{t('config.startFailed', { reason: reasonOf(t, row.startFault) })}</Callout.Text>
        </Callout.Root>
      )}
      {isAhead(config, row) && <VersionEffect config={config} versionNo={row.versionNo} words={effect} />}
      <Compared config={config} row={row} list={list} />
      <Buttons {...props} />
    </section>
  )
}

/** The reason is kept as its text, so that everybody reads it in their own language. */
const reasonOf = (t: ReturnType<typeof useText>, fault: string): string => {
  const { key, params } = JSON.parse(fault) as { key: string; params: Params }
  return t.maybe(key, params) ?? key
}

/** The versions of an item, the newest first: what each would change, and what may be done with it. */
export const Versions = ({ config, no, effect, preview, reload, stamp }: Of & { stamp: Row }) => {
  const t = useText()
  const read = useRead(config.calls.versions as Endpoint, { [config.key]: no } as never)
  const [asked, setAsked] = useState<{ action: CallAction<Row>; row: VersionRow } | null>(null)
  const [edited, setEdited] = useState<{ from: VersionRow | undefined } | null>(null)
  if (!read.data)
    return read.error ? (
      <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
    ) : (
      <Loading rows={3} />
    )
  const { list } = read.data as { list: VersionRow[] }
  const closed = (changed?: boolean) => {
    setAsked(null)
    setEdited(null)
    if (!changed) return
    void read.retry()
    reload()
  }
  const { output } = config.calls.versions as unknown as { output: { shape: { list: { element: z.ZodObject } } } }
  return (
    <div key={String(stamp.version)}>
      {list.length === 0 && <Text color="gray">{t('config.noVersions')}</Text>}
      {list.map(row => (
        <One
          key={row.versionNo}
          config={config}
          effect={effect}
          row={row}
          list={list}
          act={(action, of) => setAsked({ action, row: of })}
          restore={from => setEdited({ from })}
        />
      ))}
      {asked && (
        <Ask
          action={asked.action}
          rows={[asked.row as unknown as Row]}
          rowKey="versionNo"
          fields={output.shape.list.element}
          close={closed}
        />
      )}
      {edited && <VersionForm config={config} no={no} from={edited.from} preview={preview} close={closed} />}
    </div>
  )
}

import type { ReactNode } from 'react'
import type { z } from 'zod'
import { useRead } from '../../client/providers.tsx'
import type { Config } from '../../contract/config.ts'
import type { VersionRow } from '../../contract/config-versions.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { sheetOf } from '../../contract/row-changes.ts'
import { can, type Machine } from '../../rules/machines/machine.ts'
import { Loading } from '../../ui/states.tsx'
import { Ask } from '../form/ask.tsx'
import type { Put } from '../screen.ts'

/** What a draft would mean, drawn below its fields: for the item, from what they hold. */
export type VersionPreview = (no: string, values: Readonly<Record<string, unknown>>, put: Put) => ReactNode
type Props = {
  config: Config
  no: string
  from?: VersionRow | undefined
  preview?: VersionPreview | undefined
  close: (changed?: boolean) => void
}

/** The draft of an item: the one there is, or one that begins as the version in force, or as the one that is restored. */
export const VersionForm = ({ config, no, from, preview, close }: Props) => {
  const read = useRead(config.calls.versions as Endpoint, { [config.key]: no } as never)
  if (!read.data) return <Loading rows={2} />
  const { list } = read.data as { list: VersionRow[] }
  const draft = list.find(one => can(config.versionMachine as Machine, one.versionStatus, 'version.save'))
  const start = from ?? draft ?? list.find(one => one.versionStatus === 'effective')
  return (
    <Ask
      action={{
        run: config.calls.versionSave as Endpoint,
        label: draft ? 'config.editVersion' : 'config.newVersion',
        button: 'config.save',
        ask: Object.keys(config.versions?.form ?? {}),
        from: () => ({ ...start?.content }),
        input: () => ({
          [config.key]: no,
          ...(draft ? { versionNo: draft.versionNo, version: draft.version } : {}),
        }),
        done: 'config.draftSaved',
        ...(Object.values(config.versions?.form ?? {}).some(one => sheetOf(one as z.ZodType)) ? { wide: true } : {}),
        ...(preview ? { preview: (values, _, put) => preview(no, values, put) } : {}),
      }}
      rows={[{ [config.key]: no }]}
      rowKey={config.key}
      fields={config.row}
      stale={() => void read.retry()}
      close={close}
    />
  )
}

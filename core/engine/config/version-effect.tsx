import { useRead } from '../../client/providers.tsx'
import type { Config } from '../../contract/config.ts'
import type { VersionRow } from '../../contract/config-versions.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { useText } from '../../element/i18n.ts'
import type { Params } from '../../i18n/engine.ts'
import type { Key } from '../../i18n/index.ts'
import { can, type Machine } from '../../rules/machines/machine.ts'
import { Callout } from '../../ui/basics.ts'
import { Failed } from '../../ui/states.tsx'

type Of = { config: Config; versionNo: string | undefined; words: Key | undefined }

/** What a version would change, in numbers of this moment; `waits` until they are known, and nothing where the screen has no words for them. */
export const useVersionEffect = ({ config, versionNo, words }: Of) => {
  const t = useText()
  const asks = words !== undefined && versionNo !== undefined
  const { data, error, retry } = useRead(config.calls.effect as Endpoint, asks ? ({ versionNo } as never) : null)
  return {
    text: asks && data ? t(words, data as Params) : null,
    waits: asks && !data,
    failed: asks && !data && error !== undefined,
    retry,
  }
}

/** The same as a note. */
export const VersionEffect = (of: Of) => {
  const t = useText()
  const { text, failed, retry } = useVersionEffect(of)
  if (failed) return <Failed message={t('common.noConnection')} onRetry={() => void retry()} />
  return text === null ? null : (
    <Callout.Root size="1" mb="2">
      <Callout.Text>{text}</Callout.Text>
    </Callout.Root>
  )
}

/** Whether a version is not in force yet, so that its effect can be computed. */
export const isAhead = (config: Config, { versionStatus }: VersionRow) =>
  ['version.submit', 'version.approve', 'version.cancel'].some(event =>
    can(config.versionMachine as Machine, versionStatus, event),
  )

/** What the version that waits for a second person would change, computed now and not when it was asked for. */
export const WaitingEffect = ({ config, no, words }: { config: Config; no: string; words: Key }) => {
  const { data } = useRead(config.calls.versions as Endpoint, { [config.key]: no } as never)
  const list = (data as { list: VersionRow[] } | undefined)?.list
  const waiting = list?.find(one => one.versionStatus === 'pending')
  return <VersionEffect config={config} versionNo={waiting?.versionNo} words={words} />
}

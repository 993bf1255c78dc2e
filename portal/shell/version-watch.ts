import { z } from 'zod'
import { version } from '../../core/element/version.ts'
import { kept } from '../../core/ui/kept.ts'
import { unsaved } from '../../core/ui/unsaved.ts'
import { keepInput } from './storage.ts'

/** Milliseconds between two looks at the version. */
export const pollMs = 30_000
/** Milliseconds from *Later* to the reload. */
export const graceMs = 300_000
/** A reload that brought the old page again is not asked for sooner than after this many milliseconds. */
const staleMs = 600_000

const Published = z.object({ version: z.string().min(1) })
const Tried = z.object({ version: z.string(), at: z.number() })
type Tried = z.output<typeof Tried>

/** The version that the server has now; null when that cannot be known. */
export const publishedVersion = async (now: number): Promise<string | null> => {
  try {
    const answer = await fetch(`/version.json?t=${now}`, { cache: 'no-store' })
    return answer.ok ? Published.parse(await answer.json()).version : null
  } catch {
    return null
  }
}

/** Whether to ask for a reload: another version is there, and a reload for it has not just brought the old page again. */
export const isNews = (o: { known: string; found: string | null; tried: Tried | null; now: number }): boolean =>
  o.found !== null && o.found !== o.known && !(o.tried?.version === o.found && o.now - o.tried.at < staleMs)

/** Whole minutes as they are counted down: 5 until four are left. */
export const minutesLeft = (ms: number): number => Math.max(1, Math.ceil(ms / 60_000))

const triedKey = 'versionTried'

/** The last reload for a version, for as long as the tab lives. */
export const lastTried = (): Tried | null => {
  try {
    return Tried.parse(JSON.parse(sessionStorage.getItem(triedKey) ?? 'null'))
  } catch {
    return null
  }
}

/** Saves what can be saved, carries over what cannot, and reloads the page. */
export const reloadFor = async (found: string): Promise<void> => {
  await unsaved.flush()
  keepInput(kept.collect())
  unsaved.carried()
  sessionStorage.setItem(triedKey, JSON.stringify({ version: found, at: Date.now() }))
  window.location.reload()
}

/** Notes which version this browser runs. */
export const keepVersion = () => localStorage.setItem('version', version)

import { setTimeout as wait } from 'node:timers/promises'
import { error, type Handler, header, jsonOf, type Route } from '../network/http.ts'

/** How the service behaves: as it should, or without an answer, with an error, or with a score that cannot be. */
export const scoreModes = ['fine', 'silent', 'error', 'range'] as const
export type ScoreMode = (typeof scoreModes)[number]
export type ScoreOptions = { apiKey: string; mode: ScoreMode; holdMs: number }

const [lowest, highest] = [300, 850]

/** What a fact is worth: every service has its secrets; this one likes what is settled and dislikes what is overdue. */
const worth: Readonly<Record<string, (value: number) => number>> = {
  'history.settledCount': value => 18 * Math.min(value, 6),
  'history.maxOverdueDays': value => -9 * Math.min(value, 20),
  'history.openOrderCount': value => -35 * Math.min(value, 3),
  'history.refusedCount30d': value => -25 * Math.min(value, 4),
  'customer.age': value => (value < 23 ? -30 : value > 58 ? -15 : 12),
  'device.accountCount': value => -30 * Math.max(0, Math.min(value, 4) - 1),
  'contacts.overdueCount': value => -20 * Math.min(value, 4),
}

/** Score and at most five reasons of some facts: the same facts always give the same. */
export const scoreOf = (facts: Readonly<Record<string, unknown>>): { score: number; reasons: string[] } => {
  const parts = Object.entries(worth).flatMap(([fact, points]) => {
    const value = Number(facts[fact])
    return facts[fact] == null || Number.isNaN(value) ? [] : [{ fact, points: points(value) }]
  })
  const total = parts.reduce((sum, one) => sum + one.points, 590)
  const reasons = parts
    .filter(one => one.points < 0)
    .sort((a, b) => a.points - b.points)
    .map(one => one.fact)
    .slice(0, 5)
  return { score: Math.max(lowest, Math.min(highest, total)), reasons }
}

/** A model may ask for a fault by the end of its number: `-SILENT`, `-ERROR`, `-RANGE`. */
const modeOf = (modelNo: unknown, mode: ScoreMode): ScoreMode =>
  scoreModes.find(one => String(modelNo).endsWith(`-${one.toUpperCase()}`)) ?? mode

/** A service that scores facts, as it looks from outside. */
export const scoreVendor = ({ apiKey, mode, holdMs }: ScoreOptions): readonly Route[] => {
  const score: Handler = async call => {
    const said = header(call, 'authorization')
    if (said !== undefined && said !== `Bearer ${apiKey}` && !said.startsWith('Bearer demo'))
      return error(401, 'UNAUTHORIZED', 'unknown key')
    const { modelNo, facts } = jsonOf(call) ?? {}
    if (typeof facts !== 'object' || facts === null) return error(400, 'BAD_REQUEST', 'facts are missing')
    const does = modeOf(modelNo, mode)
    if (does === 'silent') {
      await wait(holdMs)
      return 'cut'
    }
    if (does === 'error') return error(500, 'INTERNAL', 'the model is not loaded')
    if (does === 'range') return { status: 200, body: { score: highest + 149, reasons: [] } }
    return { status: 200, body: scoreOf(facts as Record<string, unknown>) }
  }
  return [
    ['POST', /^\/v1\/score$/, score],
    ['GET', /^\/health$/, () => ({ status: 200, body: { status: 'ok' } })],
  ]
}

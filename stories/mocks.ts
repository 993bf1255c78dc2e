import { delay, HttpResponse, http, type RequestHandler } from 'msw'
import { codes } from '../core/contract/codes.ts'
import { endpoints } from '../core/contract/contract.ts'
import { base, type Endpoint, type Envelope } from '../core/contract/endpoint.ts'
import { masked } from '../core/contract/masking.ts'
import { trackingPath } from '../core/contract/portal/tracking.ts'
import { sample } from '../core/contract/sample.ts'
import { signIn } from '../core/contract/user/sign-in.ts'
import { user } from '../core/contract/user/user.ts'
import type { Key } from '../core/i18n/index.ts'
import { type Language, languageOf } from '../core/i18n/language.ts'
import { text } from '../core/i18n/server.ts'
import { presetNames } from '../core/rules/time.ts'
import { fixtures } from './fixtures/all.ts'
import { networks, type Scene, sceneOf } from './states.ts'

type Values = Record<string, unknown>
const answers = new Map(fixtures.map(({ endpoint, answer }) => [endpoint, answer]))

/** What stays as it is when everything else is empty: who the caller is, and the sign-in page. */
const kept = new Set<Endpoint>([user.self, user.languages, signIn.challenge, signIn.login] as unknown as Endpoint[])

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isKeyName = (name: string) => /(No|Code)$/.test(name)

/** The same answer without rows; figures become zero, and choices none, where they count something, not where they describe one record. */
export const emptied = (value: unknown, counts = true): unknown => {
  if (Array.isArray(value)) return counts || value.some(isRecord) ? [] : value
  if (typeof value === 'number') return counts ? 0 : value
  if (typeof value === 'string') return counts && /^\d+\.\d\d$/.test(value) ? '0.00' : value
  if (!isRecord(value)) return value
  const one = Object.keys(value).some(isKeyName)
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (name.startsWith('oldest')) return [name, null]
      return [name, name.startsWith('page') ? part : emptied(part, counts && !one)]
    }),
  )
}

/** What says which rows of a list are wanted, whatever columns they have. */
const paging = new Set(['after', 'before', 'sort', 'pageNum', 'pageSize'])

/** A range of dates by its name, which no row has. */
const isNamedRange = (wanted: unknown) => (presetNames as readonly unknown[]).includes(wanted)
const isRange = (values: readonly unknown[]) => values.some(value => !/^[A-Za-z]/.test(String(value)))

/** Rows that a filter was set for have what it asks for, except its keys; a single record has the key it was asked by. */
const agreeing = (answer: unknown, input: Values): unknown => {
  if (!isRecord(answer)) return answer
  const asked = (row: Values, index: number, keys: boolean) =>
    Object.fromEntries(
      Object.entries(input).flatMap(([name, wanted]) => {
        if (paging.has(name) || isNamedRange(wanted) || (!keys && isKeyName(name))) return []
        const one = Array.isArray(wanted) && !isRange(wanted) ? wanted[index % wanted.length] : wanted
        const fits = name in row && !isRecord(row[name]) && ['string', 'boolean'].includes(typeof one)
        return fits ? [[name, one]] : []
      }),
    )
  const { list } = answer
  if (!Array.isArray(list)) return { ...answer, ...asked(answer, 0, true) }
  return { ...answer, list: list.map((row, index) => (isRecord(row) ? { ...row, ...asked(row, index, false) } : row)) }
}

const hash = (words: string) => [...words].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7)

/** What the mock server answers when all is well. */
export const answerOf = (endpoint: Endpoint, input: Values, language: Language, now = new Date()): unknown => {
  const made = answers.get(endpoint)
  return made
    ? made({ input: input as never, language, now })
    : agreeing(sample(endpoint.output, hash(endpoint.path)), input)
}

const refused = (code: number, key: Key, language: Language, status = 200) =>
  HttpResponse.json({ code, msg: text(language, key, { id: 'STORY-1' }), data: null } satisfies Envelope, { status })

const respond = (endpoint: Endpoint, { state, viewer }: Scene, input: Values, language: Language) => {
  const open = endpoint.auth === 'anon' || endpoint === (user.self as unknown as Endpoint)
  if (state === 'Offline') return HttpResponse.error()
  if (state === 'SignedOut' && endpoint.auth !== 'anon')
    return refused(codes.signedOut, 'errors.sessionEnded', language)
  if (state === 'Forbidden' && !open) return refused(codes.forbidden, 'errors.forbidden', language)
  if (state === 'Failing' && endpoint !== (user.self as unknown as Endpoint))
    return refused(codes.internal, 'errors.internal', language, 500)
  if (endpoint.file)
    return new HttpResponse('\uFEFFOrder no.\r\nLO2611207K3M9Q2A\r\n', {
      headers: { 'content-type': 'text/csv; charset=utf-8' },
    })
  const answer = answerOf(endpoint, input, language)
  const answers = state === 'Empty' && !kept.has(endpoint) ? emptied(answer) : answer
  const data = masked(endpoint.output, { inList: 'row' in endpoint, desensitized: viewer === 'desensitised' }, answers)
  const { error } = endpoint.output.safeParse(data)
  if (error) console.error(`${endpoint.path} was answered with what its contract does not allow`, error.issues)
  return HttpResponse.json({ code: codes.ok, msg: '', data })
}

const place = /\{(\w+)\}/g
const called = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

const byAddress = new Map(endpoints.map(({ endpoint }) => [called(endpoint), endpoint]))
const byPattern = endpoints.flatMap(({ endpoint }) =>
  endpoint.path.includes('{')
    ? [{ endpoint, fits: new RegExp(`^${called(endpoint).replace(place, '(?<$1>[^/]+)')}$`) }]
    : [],
)

/** Which endpoint has an address, and what the address itself gives. */
const found = (method: string, path: string): { endpoint: Endpoint; inPath: Values } | undefined => {
  const address = called({ method, path })
  const fixed = byAddress.get(address)
  if (fixed) return { endpoint: fixed, inPath: {} }
  for (const { endpoint, fits } of byPattern) {
    const given = fits.exec(address)?.groups
    if (given)
      return {
        endpoint,
        inPath: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, decodeURIComponent(value)])),
      }
  }
  return undefined
}

const answered = async (request: Request) => {
  const { pathname, searchParams } = new URL(request.url)
  const one = found(request.method, pathname.slice(pathname.indexOf(base) + base.length))
  if (!one) return undefined
  const { endpoint, inPath } = one
  const body = endpoint.method === 'POST' ? await request.json() : Object.fromEntries(searchParams)
  const language = languageOf(request.headers.get('language')) ?? 'zh'
  const input = endpoint.input.safeParse({ ...(body as Values), ...inPath })
  if (!input.success) {
    console.error(`${endpoint.path} was called with what its contract does not allow`, input.error.issues)
    return refused(codes.validation, 'validation.infoComplete', language)
  }
  const scene = sceneOf(request.headers.get('token'))
  if (networks[scene.network]) await delay(networks[scene.network])
  return respond(endpoint, scene, input.data as Values, language)
}

/**
 * A mock server for every call of the contract; the token of a request says in which state it answers.
 * One handler for all of them: the library tries its handlers one by one, which for each request took longer than all else a story does.
 */
export const handlers: readonly RequestHandler[] = [
  http.all(`*${base}/*`, ({ request }) => answered(request)),
  http.post(`*${trackingPath}`, () => HttpResponse.json({ code: codes.ok, msg: '', data: null })),
]

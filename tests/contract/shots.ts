import type { Endpoint } from '../../core/contract/endpoint.ts'
import { type Dice, dice } from '../../core/contract/sample-values.ts'
import type { Asked } from './http.ts'
import { type Input, inputOf, leaves, replaced } from './inputs.ts'

/** One call of a fuzz run: what is sent, and how it came to be. */
export type Shot = { kind: string; input: Input; asked: Pick<Asked, 'body' | 'query' | 'headers'> }

/** Values of the right type that a database, a calendar, a number or a page may choke on. */
const texts = [
  'a\u0000b',
  '\ud800',
  '%_\\',
  '0000-01-01',
  '9999-12-31T23:59:59.999Z',
  '9999999999999999.99',
  "' or 1=1 --",
  '$1',
  '"; drop table loan_order; --',
  '<img src=x onerror=alert(1)>',
  '{{constructor.constructor("return 1")()}}',
  '${7*7}',
  '../../etc/passwd',
  '..%2f..%2fetc',
  '\u202egnp.exe',
  '\u0000',
  '\r\nset-cookie: a=b',
  '=cmd|calc',
  '１２',
  '١٢٣',
  '0x10',
  '1e3',
  '-0',
  'NaN',
  'Infinity',
  '1,000,00',
  ' 1 000',
  '9'.repeat(30),
  '0.'.padEnd(40, '1'),
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  '😀'.repeat(40),
  'e\u0301'.repeat(20),
]
const numbers = [Number.MAX_SAFE_INTEGER, 2_147_483_648, 2_147_483_647, -1, 0, 1, -2_147_483_649, 1.5, 1e21, 5e-324]
/** E4 and E6: as JSON, so that a number need not be one that a program can hold. */
const jugglers = [
  '"1"',
  '1',
  'true',
  'false',
  'null',
  '[1]',
  '[]',
  '{}',
  '{"$gt":0}',
  '{"length":1}',
  '1e3',
  '-0',
  '1e400',
  '-1e400',
  '9007199254740993',
  '"0x10"',
  '"１２"',
  '[[[[[[]]]]]]',
  '123456789012345678901234567890.12',
]
const extra = [
  'surprise',
  'status',
  'version',
  'makerNo',
  'approvedBy',
  'isAdmin',
  'id',
  'createdTime',
  'balance',
  'toString',
]
const polluting = [
  '"__proto__":{"polluted":true}',
  '"constructor":{"prototype":{"polluted":true}}',
  '"prototype":{"polluted":true}',
]
const lengths = [0, 1, 2, 40, 41, 64, 65, 200, 201, 2_000, 2_001, 20_001]

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number'
const isLeaf = (value: unknown) => value === null || typeof value !== 'object'
const isList = (value: unknown) => Array.isArray(value)

type Make = (input: Input, d: Dice, endpoint: Endpoint) => Partial<Shot>

const at = (input: Input, d: Dice, test: (value: unknown) => boolean, by: unknown): Partial<Shot> => {
  const places = leaves(input, test)
  return places.length ? { input: replaced(input, d.pick(places), by) as Input } : {}
}

const without = (input: Input, d: Dice): Partial<Shot> => {
  const names = Object.keys(input)
  if (names.length === 0) return {}
  const gone = d.pick(names)
  return { input: Object.fromEntries(Object.entries(input).filter(([name]) => name !== gone)) }
}

const mark = '#here#'
/** A place of the input written as JSON that no program makes. */
const juggled: Make = (input, d) => {
  const places = leaves(input, isLeaf)
  if (places.length === 0) return {}
  const written = d.pick(jugglers)
  const text = JSON.stringify(replaced(input, d.pick(places), mark)).replace(JSON.stringify(mark), () => written)
  return { input: JSON.parse(text) as Input, asked: { body: text }, kind: `juggled ${written}` }
}

const inserted = (input: Input, key: string) => {
  const text = JSON.stringify(input)
  return `{${key}${text === '{}' ? '' : ','}${text.slice(1)}`
}

/** Bytes of a text with some of them wrong. */
const broken = (text: string, d: Dice): Buffer => {
  const bytes = [...Buffer.from(text)]
  for (let n = d.int(1, 4); n > 0; n--) {
    const place = d.int(0, Math.max(0, bytes.length - 1))
    const ways = [
      () => bytes.splice(place, 1),
      () => bytes.splice(place, 0, d.int(0, 255)),
      () => bytes.splice(place, 1, (bytes[place] ?? 0) ^ (1 << d.int(0, 7))),
      () => bytes.splice(place),
      () => bytes.push(...bytes.slice(place, place + 20)),
    ]
    d.pick(ways)()
  }
  return Buffer.from(bytes)
}

const queryOf = (input: Input) =>
  new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]))

const headers: readonly Record<string, string>[] = [
  { language: '"><script>' },
  { language: 'x'.repeat(4_000) },
  { language: 'sw, en;q=0.5' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-length': '1' },
  { 'idempotency-key': '../../../../etc/passwd' },
  { 'idempotency-key': "' or 1=1 -- and more" },
  { 'x-request-id': 'x'.repeat(5_000) },
  { 'x-request-id': '"}\u00ff{"' },
  { 'x-step-up': 'x'.repeat(2_000) },
  { authorization: 'Bearer x' },
  { token: 'mkopo_embed_tok_unknown' },
  { token: 'x'.repeat(4_000) },
  { origin: 'null' },
  { origin: 'https://partner.com.evil.com' },
  { 'x-forwarded-for': "1.1.1.1, ' or 1=1" },
  { 'user-agent': '\u00ff'.repeat(500) },
  { 'accept-language': '*' },
]

const kinds: readonly (readonly [kind: string, weight: number, make: Make])[] = [
  ['valid', 8, () => ({})],
  [
    'boundary',
    5,
    (input, d) =>
      d.chance(0.5) ? at(input, d, isText, 'a'.repeat(d.pick(lengths))) : at(input, d, isNumber, d.pick(numbers)),
  ],
  [
    'list',
    3,
    (input, d) =>
      at(
        input,
        d,
        value => isList(value) && (value as unknown[]).length > 0,
        d.pick([[], [''], [null], Array.from({ length: 1_001 }, (_, n) => `N${n}`)]),
      ),
  ],
  ['hostile', 9, (input, d) => at(input, d, isText, d.pick(texts))],
  ['type', 8, juggled],
  ['extra', 3, (input, d) => ({ input: { ...input, [d.pick(extra)]: d.pick<unknown>([true, 1, 'x', {}]) } })],
  ['polluting', 2, (input, d) => ({ asked: { body: inserted(input, d.pick(polluting)) } })],
  ['missing', 4, without],
  [
    'bytes',
    5,
    (input, d, { method }) =>
      method === 'POST'
        ? { asked: { body: broken(JSON.stringify(input), d) } }
        : {
            asked: {
              query: broken(String(queryOf(input)), d)
                .toString('latin1')
                .replaceAll('#', ''),
            },
          },
  ],
  ['header', 3, (_, d) => ({ asked: { headers: d.pick(headers) } })],
]
const weighted = kinds.flatMap(([kind, weight, make]) => Array.from({ length: weight }, () => [kind, make] as const))

/** Puts numbers of records that are there into the fields that are called so. */
const filled = (input: Input, known: Readonly<Record<string, readonly unknown[]>>, d: Dice): Input =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const some = known[name]
      if (!some?.length || d.chance(0.2)) return [name, value]
      return [name, Array.isArray(value) ? [d.pick(some)] : d.pick(some)]
    }),
  )

/** The case of an endpoint with a number: the same for the same seed. */
export const shotOf = (
  { name, endpoint }: { name: string; endpoint: Endpoint },
  o: { seed: number; index: number; known: Readonly<Record<string, readonly unknown[]>> },
): Shot => {
  const d = dice(`${o.seed}/${name}/${o.index}`)
  const drawn = inputOf(endpoint, d.int(1, 40))
  const input = d.chance(0.7) ? filled(drawn, o.known, d) : drawn
  const [kind, make] = d.pick(weighted)
  const made = make(input, d, endpoint)
  const asked = endpoint.method === 'POST' ? { ...made.asked, query: undefined } : { ...made.asked, body: undefined }
  return { kind: made.kind ?? kind, input: made.input ?? input, asked }
}

/** The input as the server would read it, or undefined where it is no JSON. */
export const readBack = ({ input, asked }: Shot): unknown => {
  if (asked.body === undefined) return JSON.parse(JSON.stringify(input))
  try {
    return JSON.parse(Buffer.from(asked.body).toString() || '{}')
  } catch {
    return undefined
  }
}

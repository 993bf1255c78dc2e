import { expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../contract/contract.ts'
import { dictionaries } from '../contract/dictionaries.ts'
import { plannedPages } from '../contract/page-table.ts'
import { routes } from '../contract/routes.ts'
import { eventsOf, type Machine, statesOf } from '../rules/machines/machine.ts'
import { machines } from '../rules/machines/machines.ts'
import { type Language, languages } from './language.ts'
import { isKey, messages, text } from './server.ts'

const entries = (language: Language) => Object.entries(messages[language])
const missing = (keys: Iterable<string>) => [...new Set(keys)].filter(key => !isKey(key)).sort()

/** Field names, and words of dictionaries, that a JSON schema speaks of. */
const spoken = (node: unknown): { fields: string[]; words: string[] } => {
  const found = { fields: [] as string[], words: [] as string[] }
  const walk = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return
    const { properties, dict, enum: values } = part as { properties?: object; dict?: unknown; enum?: unknown }
    if (properties) found.fields.push(...Object.keys(properties))
    if (typeof dict === 'string' && Array.isArray(values)) found.words.push(...values.map(one => `${dict}.${one}`))
    for (const inner of Object.values(part)) walk(inner)
  }
  walk(node)
  return found
}
const jsonOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
const wire = endpoints
  .flatMap(({ endpoint }) => [endpoint.input, endpoint.output])
  .map(schema => spoken(jsonOf(schema)))

it('has a word for every value of every dictionary', () => {
  const statuses = Object.values(machines).map(m => [m.dict, statesOf(m as Machine)] as const)
  const known = [...Object.entries(dictionaries), ...statuses].flatMap(([dict, values]) =>
    values.map(value => `${dict}.${value}`),
  )
  expect(known.length).toBeGreaterThan(200)
  expect(missing([...known, ...wire.flatMap(part => part.words)].map(word => `dict.${word}`))).toEqual([])
})

it('has a label for every field that a call takes or answers', () => {
  const names = wire.flatMap(part => part.fields)
  expect(names).toContain('orderNo')
  expect(missing(names.map(name => `fields.${name}`))).toEqual([])
})

it('has a title for every screen and every system', () => {
  expect(missing(routes.flatMap(({ tag, system }) => [`screens.${tag}`, `systems.${system}`]))).toEqual([])
  expect(missing(plannedPages.map(({ tag }) => `screens.${tag}`))).toEqual([])
  expect(isKey('systems.product')).toBe(true)
})

it('has words for every event of every machine', () => {
  expect(missing(Object.values(machines).flatMap(m => eventsOf(m).map(event => `machines.${event}`)))).toEqual([])
})

const withoutPlaces = (text: string) => text.replace(/\{\w+\}/g, '')

/** Names that are the same in every language. */
const names = new Set([
  'MTN',
  'Airtel',
  'MTN MoMo',
  'Airtel Money',
  'Facebook',
  'TikTok',
  'AUC',
  'KS',
  'PSI',
  'WhatsApp',
  'Google',
  'EAT',
  'English',
  'Kiswahili',
  '中文',
  ...'ABCDE',
  'V0',
  'V1',
  'V2',
  'V3',
  'V4',
  'V5',
  'V6',
  'V7',
  'V8',
  'V9',
  'JSON',
  'SMPP 3.4',
])

it.each(['en', 'sw'] as const)('Chinese differs from %s', language => {
  const isSame = ([key, words]: [string, string]) =>
    words === messages[language][key] && !names.has(words) && /\p{L}/u.test(withoutPlaces(words))
  expect(entries('zh').filter(isSame)).toEqual([])
})

it.each(languages)('%s: no text is longer than 200 characters, its places apart', language => {
  expect(entries(language).filter(([, words]) => withoutPlaces(words).length > 200)).toEqual([])
})

const header = { zh: 14, en: 20, sw: 24 }

it.each(languages)('%s: a column header is short', language => {
  const columns = endpoints.flatMap(({ endpoint }) =>
    'row' in endpoint ? spoken(jsonOf(endpoint.row as z.ZodType)).fields : [],
  )
  expect(columns).toContain('orderNo')
  const labels = new Set(columns.map(name => `fields.${name}`).filter(isKey))
  expect([...labels].filter(label => text(language, label).length > header[language])).toEqual([])
})

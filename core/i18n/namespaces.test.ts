import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../build/graph.ts'
import { generated, namespacesOf, read } from '../../build/texts/i18n-index.ts'
import { endpoints } from '../contract/contract.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { routes } from '../contract/routes.ts'
import { type Language, languages } from './language.ts'
import { needsOf, ownerOf } from './needs.ts'

const namespaces = namespacesOf('zh')
const texts = new Map(namespaces.map(one => [one, Object.keys(read('zh', one))]))
const whole = (key: string) => key.replace(/_(one|other)$/, '')

it('the indexes are as `npm run texts` writes them', () => {
  const files = Object.entries(generated())
  expect(files.length).toBe(3 * languages.length + 1)
  for (const [file, text] of files) expect(readFileSync(file, 'utf8')).toBe(text)
})

it.each(languages.filter(language => language !== 'zh'))(
  '%s has the namespaces of zh, with the same keys',
  language => {
    expect(namespacesOf(language)).toEqual(namespaces)
    const keysOf = (of: Language, one: string) => [...new Set(Object.keys(read(of, one)).map(whole))].sort()
    for (const one of namespaces) expect(keysOf(language, one)).toEqual(keysOf('zh', one))
  },
)

it('a key lies in one namespace', () => {
  const keys = namespaces.flatMap(one => [...new Set((texts.get(one) ?? []).map(whole))])
  expect(keys.length).toBeGreaterThan(1500)
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})

it('a dictionary lies in one namespace, which every screen has, only the server asks for, or its owner names', () => {
  const wrong = namespaces.flatMap(one =>
    (texts.get(one) ?? []).filter(key => {
      const dict = /^dict\.(\w+)/.exec(key)?.[1]
      return dict && one.includes('/') && !one.startsWith('server/') && ownerOf(dict) !== one
    }),
  )
  expect(wrong).toEqual([])
})

it('a call knows the file that declares it', () => {
  const folder = path.join(root, 'core/contract')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => /[\\/].*\.ts$/.test(file))
  const declared = new Map(
    files.map(file => [file.replace(/\.ts$/, ''), readFileSync(path.join(folder, file), 'utf8')]),
  )
  const wrong = endpoints.filter(
    ({ endpoint }) => !declared.get(endpoint.noun ?? '')?.includes(`noun('${endpoint.noun}'`),
  )
  expect(wrong.map(({ name }) => name)).toEqual([])
})

/** What a screen has that makes one call. */
const found = (call: Endpoint) => {
  const { nouns, dictionaries } = needsOf([call])
  const brought = nouns.filter(noun => texts.has(noun)).flatMap(noun => [noun, noun.replace(/[^/]+$/, 'system')])
  const shared = namespaces.filter(one => !one.includes('/'))
  return new Set([...brought, ...dictionaries, ...shared].flatMap(one => texts.get(one) ?? []))
}

it('the labels of a list, its filters and its forms come with its calls', () => {
  const lists = endpoints.filter(({ endpoint }) => 'row' in endpoint)
  expect(lists.length).toBeGreaterThan(8)
  const missing = lists.flatMap(({ name, endpoint }) => {
    const keys = found(endpoint)
    const { row, filters } = endpoint as unknown as Record<'row' | 'filters', { shape?: object }>
    const labels = [...Object.keys(row.shape ?? {}), ...Object.keys(filters)].map(field => `fields.${field}`)
    return labels.filter(label => !keys.has(label)).map(label => `${name}: ${label}`)
  })
  expect(missing).toEqual([])
})

it('every page has its title with its system', () => {
  const titles = namespaces.filter(one => one.endsWith('/titles')).flatMap(one => texts.get(one) ?? [])
  expect(routes.filter(({ tag }) => !titles.includes(`screens.${tag}`))).toEqual([])
})

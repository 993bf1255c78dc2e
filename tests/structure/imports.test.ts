import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../build/graph.ts'

const folders = ['core', 'widgets', 'portal', 'server']
const isOwn = (file: string) => /\.tsx?$/.test(file) && !/\.(test|gen|facts)\.|-fixture\.ts$/.test(file)
const files = folders.flatMap(folder =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(file => path.posix.join(folder, file.replaceAll(path.sep, '/')))
    .filter(isOwn),
)

/** Files that a file imports, types included. */
const importsOf = (file: string, found = /(?:from|import)\s*\(?\s*'(\.[^'?]+)/g): string[] =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(found)].map(([, to = '']) =>
    path.posix.normalize(path.posix.join(path.posix.dirname(file), to)),
  )
/** Without what is fetched later: a row of fields may hold another one. */
const importedAtOnce = (file: string): string[] => importsOf(file, /(?:from|import)\s*'(\.[^'?]+)/g)
const edges = files.flatMap(from => importsOf(from).flatMap(to => (/\.tsx?$/.test(to) ? { from, to } : [])))

/** Lowest layer first: a part imports only what stands before it. */
const ladder = ['rules', 'contract', 'i18n', 'element', 'ui', 'client', 'engine', 'widget'].map(part => `core/${part}/`)
const steps = [...ladder, 'widgets/', 'portal/']
const stepOf = (file: string) => steps.findIndex(step => file.startsWith(step))
const listed = (found: readonly { from: string; to: string }[]) => found.map(({ from, to }) => `${from} → ${to}`)

it('core, widgets and portal import downwards only', () => {
  expect(edges.length).toBeGreaterThan(1000)
  expect(listed(edges.filter(({ from, to }) => stepOf(from) >= 0 && stepOf(to) > stepOf(from)))).toEqual([])
  expect(listed(edges.filter(({ from, to }) => stepOf(from) >= 0 && to.startsWith('server/')))).toEqual([])
})

/** Tables that know every screen, every dictionary or every machine: with them a screen would grow with each other one. */
const tables = [
  'core/contract/contract.ts',
  'core/contract/dictionaries.ts',
  'core/contract/page-table.ts',
  'core/contract/routes.ts',
  'core/rules/machines/machines.ts',
  'widgets/registry.ts',
]
/** The registry itself; and Home, whose links may lead anywhere. */
const mayKnowAll = ['widgets/registry.ts', 'widgets/portal/recent.tsx']

it('no screen, and nothing that screens are made of, imports a table that knows all of them', () => {
  const made = edges.filter(
    ({ from }) => stepOf(from) >= ladder.indexOf('core/element/') && !from.startsWith('portal/'),
  )
  expect(made.length).toBeGreaterThan(500)
  expect(listed(made.filter(({ from, to }) => tables.includes(to) && !mayKnowAll.includes(from)))).toEqual([])
})

it('the server sees rules, contract and words, and nothing of the browser', () => {
  const browser = edges.filter(({ from, to }) => from.startsWith('server/') && stepOf(to) > 2)
  expect(listed(browser)).toEqual([])
})

it('screens of two systems share through widgets/shared', () => {
  const systemOf = (file: string) => /^widgets\/([^/]+)\//.exec(file)?.[1]
  const crossed = edges.filter(({ from, to }) => {
    const [mine, theirs] = [systemOf(from), systemOf(to)]
    return mine && theirs && theirs !== 'shared' && mine !== theirs
  })
  expect(listed(crossed)).toEqual([])
})

const serverSystem = (file: string) => /^server\/systems\/([^/]+)\//.exec(file)?.[1]

it('systems of the server import one another through the index.ts of a noun', () => {
  const crossed = edges.filter(({ from, to }) => {
    const [mine, theirs] = [serverSystem(from), serverSystem(to)]
    return mine && theirs && mine !== theirs && !to.endsWith('/index.ts')
  })
  expect(listed(crossed)).toEqual([])
})

/** What puts the systems together, fills them with a demo, or tests them. */
const composes = /^server\/(start\.ts|systems\/|admin\/|demo\/|testing\/|gateways\/cases\/)/

it('the platform of the server knows no system', () => {
  const known = edges.filter(({ from, to }) => from.startsWith('server/') && !composes.test(from) && serverSystem(to))
  expect(listed(known)).toEqual([])
})

/** Groups of files that import one another in a circle, types included. */
const circlesOf = (all: readonly string[], importedBy: (file: string) => string[] = importsOf): string[][] => {
  const known = new Set(all)
  const next = new Map(all.map(file => [file, importedBy(file).filter(to => known.has(to))]))
  const reach = (from: string) => {
    const seen = new Set<string>()
    const waiting = [...(next.get(from) ?? [])]
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (seen.has(file)) continue
      seen.add(file)
      waiting.push(...(next.get(file) ?? []))
    }
    return seen
  }
  const reached = new Map(all.map(file => [file, reach(file)]))
  const inCircle = all.filter(file => reached.get(file)?.has(file))
  const groups = new Map(
    inCircle.map(file => {
      const group = inCircle.filter(to => reached.get(file)?.has(to) && reached.get(to)?.has(file)).sort()
      return [group.join(), group]
    }),
  )
  return [...groups.values()]
}

it('files of the server import in no circle, types included, and stay below 400 lines', () => {
  const own = files.filter(file => file.startsWith('server/'))
  expect(own.length).toBeGreaterThan(300)
  expect(circlesOf(own)).toEqual([])
  const long = own.filter(file => readFileSync(path.join(root, file), 'utf8').split('\n').length > 401)
  expect(long).toEqual([])
})

it('files of core, widgets and portal import in no circle, types included', () => {
  const own = files.filter(file => stepOf(file) >= 0)
  expect(own.length).toBeGreaterThan(600)
  expect(circlesOf(own, importedAtOnce)).toEqual([])
})

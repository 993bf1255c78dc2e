import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { endpoints } from '../core/contract/contract.ts'
import type { Endpoint } from '../core/contract/endpoint.ts'
import { type Route, routeOf, routes } from '../core/contract/routes.ts'
import { widgetCalls } from '../core/contract/widget-calls.gen.ts'
import { languages } from '../core/i18n/language.ts'
import { messages } from '../core/i18n/server.ts'
import { eventsOf, type Machine } from '../core/rules/machines/machine.ts'
import { machines, nameOf } from '../core/rules/machines/machines.ts'
import { all } from '../server/testing/all-facts.ts'
import { kinds, parts } from '../server/testing/served.ts'
import { purposes } from '../stories/docs/words.ts'
import { filesOf, purposeOf } from '../stories/generate.ts'
import { machineDocs } from './docs/machine-docs.ts'

type Named = { name: string; endpoint: Endpoint }

const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')
const files = filesOf(textOf('widgets/registry.ts'))
const when = (wrong: boolean, line: string): string[] => (wrong ? [line] : [])

const words = (keys: readonly string[]): string[] =>
  languages.flatMap(language => {
    const known: Readonly<Record<string, string>> = messages[language]
    const missing = [...new Set(keys)].filter(key => !known[key])
    return missing.map(key => `no ${language} words for ${key}: npm run texts -- <system>/<noun> ${key} …`)
  })

const fieldsIn = (schema: z.ZodType): string[] => {
  const found: string[] = []
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const { properties } = part as { properties?: object }
    if (properties) found.push(...Object.keys(properties))
    for (const inner of Object.values(part)) walk(inner)
  }
  walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  return found
}

const ofPage = ({ tag, system }: Route): string[] => {
  const file = files[tag] && path.join('widgets', files[tag])
  return [
    ...words([`screens.${tag}`, `systems.${system}`]),
    ...when(!file, `no file: one line in widgets/registry.ts`),
    ...(file && !existsSync(path.join(root, file)) ? [`${file} is not there`] : []),
    ...when(
      !!file && existsSync(path.join(root, file)) && !purposeOf(textOf(file)),
      `no sentence above the screen in ${file}: who does what with it`,
    ),
    ...(['zh', 'sw'] as const).flatMap(language =>
      when(!purposes[language][tag], `no purpose in ${language}: stories/docs/words.ts`),
    ),
    ...when(
      !existsSync(path.join(root, `docs/screens/${tag}.jpg`)),
      `no picture: PICTURES=1 npx vitest run --config tests/stories/vitest.config.ts tests/stories/pictures.test.ts`,
    ),
    ...when(!widgetCalls[tag], 'its calls are not written down: npx vitest run tests/contract/widget-calls.test.ts -u'),
  ]
}

const codes = new Set(routes.flatMap(({ perm, actions }) => [...(perm ? [perm] : []), ...actions]))
const asked = new Set(endpoints.flatMap(({ endpoint: { perm, anyPerm } }) => [perm, ...(anyPerm ?? [])]))
const checks = new Set(parts.flatMap(part => part.approvals ?? []).map(({ perm }) => `${perm}:check`))

/** The sources of the server, for codes that handlers ask for themselves. */
const handlers = readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !/\.(test|facts|gen)\./.test(file))
  .map(file => textOf(`server/${file}`))
  .join('\n')

/** The path of a page may be its code: it opens the page, and its calls have codes of their own. */
const ofCodes = ({ perm, actions, path: own }: Route): string[] =>
  [...(perm && perm !== own ? [perm] : []), ...actions]
    .filter(code => !asked.has(code) && !checks.has(code) && !handlers.includes(`'${code}'`))
    .map(code => `nothing asks for the code ${code}`)

const ofMachine = (name: keyof typeof machines): string[] => {
  const m: Machine = machines[name]
  if (m.leased) return []
  return [
    ...when(!all.machines[name]?.row, `no facts of the machine ${name}: the row that its table takes`),
    ...words(eventsOf(m).map(event => `machines.${event}`)),
  ]
}

const ofCommand = ({ name, endpoint }: Named): string[] => {
  if (!endpoint.on || endpoint.auth !== 'staff') return []
  const m = endpoint.on.machine
  // Instances of a machine have a suite of their own, which their noun runs (`configSuite`).
  if (m.of) return words(eventsOf(m).map(event => `machines.${event}`))
  const rows = m.rows.filter(row => row.event === endpoint.on?.event)
  const begins = rows.every(row => row.from.includes('∅'))
  const known = begins ? all.beginnings : all.commands
  return [
    ...when(rows.length === 0, `${name}: the machine ${m.id} has no event ${endpoint.on.event}`),
    ...when(
      !known.some(({ call }) => call === endpoint),
      `${name}: no facts of ${begins ? 'what it is begun with (beginnings)' : 'a record from which it succeeds (commands)'}`,
    ),
    ...ofMachine(nameOf(m) as keyof typeof machines),
  ]
}

const ofEndpoint = (one: Named): string[] => {
  const { name, endpoint } = one
  const { perm, anyPerm } = endpoint
  const isList = 'defaultSort' in endpoint
  const offered = [...(perm ? [perm] : []), ...(anyPerm ?? [])]
  return [
    ...when(!kinds.has(endpoint), `${name} has no handler`),
    ...when(
      offered.length > 0 && !offered.some(code => codes.has(code)),
      `${name}: no page offers the code ${offered}`,
    ),
    ...when(
      isList && !all.lists.some(({ list }) => list === endpoint),
      `${name}: no facts of the list: its key, and how it is filled`,
    ),
    ...words([...fieldsIn(endpoint.input), ...fieldsIn(endpoint.output)].map(field => `fields.${field}`)),
    ...ofCommand(one),
  ]
}

/** What is missing for a screen, a line each. */
export const missingFor = (tag: string): string[] => {
  const route = routeOf(tag)
  if (!route) return ['no route: one line in core/contract/routes.ts']
  const called = new Set(widgetCalls[tag] ?? [])
  const known = endpoints.filter(({ name }) => called.has(name))
  return [...new Set([...ofPage(route), ...ofCodes(route), ...known.flatMap(ofEndpoint)])]
}

const staleDocs = (): string[] =>
  [...machineDocs()]
    .filter(([file, text]) => !existsSync(path.join(root, 'docs', file)) || textOf(`docs/${file}`) !== text)
    .map(([file]) => `docs/${file} differs from the machines: npx tsx build/docs/machine-docs.ts`)

/** Whether the calls that are written down are those that the screens declare. */
const areCallsTrue = (): Promise<boolean> =>
  new Promise(resolve => {
    const run = spawn('npx', ['vitest', 'run', 'tests/contract/widget-calls.test.ts'], { cwd: root, stdio: 'ignore' })
    run.on('close', code => resolve(code === 0))
  })

const main = async (): Promise<void> => {
  const calls = areCallsTrue()
  const tags = process.argv.length > 2 ? process.argv.slice(2) : routes.map(({ tag }) => tag)
  const lines = [...tags.flatMap(tag => missingFor(tag).map(line => `${tag}: ${line}`)), ...staleDocs()]
  if (!(await calls)) lines.push('calls of the screens changed: npx vitest run tests/contract/widget-calls.test.ts -u')
  for (const line of lines) console.log(line)
  process.exitCode = lines.length ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()

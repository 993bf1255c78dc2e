import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { endpoints } from '../../core/contract/contract.ts'
import { systems } from '../../core/rules/machines/all-machines.ts'
import { absent, eventsOf, type Machine, type Row, same, type Tone } from '../../core/rules/machines/machine.ts'
import { machines, nameOf } from '../../core/rules/machines/machines.ts'

type System = keyof typeof systems

const headings: Record<System, string> = {
  user: 'People, sign-in and languages',
  order: 'Orders',
  audit: 'Review of orders',
  'after-loan': 'Payouts, receipts, bills and reconciliation',
  charge: 'Refunds and transfers',
  collection: 'Collection',
  quality: 'Quality and discipline',
  operation: 'Operations, coupons and limits',
  supermarket: 'Loan supermarket',
  merchant: 'Merchants and contact blacklists',
  risk: 'Risk lists',
  telemarketing: 'Telemarketing and calls',
  'robotic-task': 'Calling robot',
  marketing: 'Marketing',
  service: 'Customer service',
  schedule: 'Shifts and leave',
  platform: 'Files, approvals and jobs',
}

const tones: Record<Tone, string> = {
  wait: 'waits',
  progress: 'in progress',
  good: 'good',
  attention: 'needs attention',
  bad: 'bad',
  ended: 'ended',
}

const code = (text: string) => `\`${text}\``
const anchor = (m: Machine) => m.id.toLowerCase()

/** Events between two states share an arrow; what leaves a state as it is stands in the table alone. */
const diagram = (m: Machine): string => {
  const arrows = new Map<string, Set<string>>()
  for (const row of m.rows as readonly Row[]) {
    if (row.refused || row.to.startsWith(same)) continue
    for (const from of row.from) {
      if (from === row.to) continue
      const arrow = `${from === absent ? '[*]' : from} --> ${row.to}`
      arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(row.event))
    }
  }
  const ends = Object.entries(m.states).filter(([, { terminal }]) => terminal)
  const lines = [
    ...[...arrows].map(([arrow, events]) => `${arrow}: ${[...events].join(', ')}`),
    ...ends.map(([state]) => `${state} --> [*]`),
  ]
  return ['```mermaid', 'stateDiagram-v2', ...lines.map(line => `  ${line}`), '```'].join('\n')
}

const target = ({ to, refused }: Row): string => {
  if (refused) return 'always refused'
  if (to === same) return 'unchanged'
  return to.startsWith(same) ? `the one before (${code(to.slice(1))})` : code(to)
}

const commandsOf = (name: string, event: string): string =>
  endpoints
    .filter(({ endpoint: { on } }) => on && nameOf(on.machine) === name && [on.event, ...(on.or ?? [])].includes(event))
    .map(({ endpoint }) => code(endpoint.path))
    .join(', ')

const table = (name: string, m: Machine): string => {
  const rows = (m.rows as readonly Row[]).map(row => {
    const event = row.as ? `${code(row.event)} (${row.as})` : code(row.event)
    const from = row.from.map(state => (state === absent ? 'none' : code(state))).join(', ')
    return `| ${event} | ${from} | ${target(row)} | ${row.perm ? code(row.perm) : 'one’s own'} | ${commandsOf(name, row.event)} |`
  })
  return ['| event | from | to | right | command |', '|---|---|---|---|---|', ...rows].join('\n')
}

/** The tables that a machine stands for as an instance. */
const tablesOf = (name: string): string[] => [
  ...new Set(
    endpoints.flatMap(({ endpoint: { on } }) =>
      on?.machine.of && nameOf(on.machine) === name ? [on.machine.table] : [],
    ),
  ),
]

const placeOf = (name: string, m: Machine): string => {
  const tables = name in machines ? [m.table] : tablesOf(name)
  return tables.length ? `${code(m.status)} of ${tables.map(code).join(', ')}` : 'declared ahead of its screens'
}

const section = (name: string, m: Machine): string => {
  const states = Object.entries(m.states).map(([state, { tone, terminal }]) => {
    const said = tones[tone]
    return `${code(state)} ${terminal && tone !== 'ended' ? `${said}, for good` : said}`
  })
  const head = `## <a id="${anchor(m)}"></a>${m.id} ${m.title}`
  const facts = `${code(name)}, ${placeOf(name, m)}. ${states.join(' · ')}.`
  return [head, facts, diagram(m), table(name, m)].join('\n\n')
}

const page = (system: System): string =>
  [
    `# Machines: ${headings[system]}`,
    '[All machines](../machines.md)',
    ...Object.entries(systems[system]).map(([name, m]) => section(name, m)),
  ].join('\n\n')

const index = (): string => {
  const all = Object.values(systems).flatMap(own => Object.values<Machine>(own))
  const pairs = (m: Machine) => new Set(m.rows.flatMap(row => row.from.map(from => `${from} ${row.event}`))).size
  const sum = (of: (m: Machine) => number) => all.reduce((total, m) => total + of(m), 0)
  const rowless = sum(m => (Object.keys(m.states).length + 1) * eventsOf(m).length - pairs(m))
  const intro = `${all.length} machines with ${sum(m => Object.keys(m.states).length)} states. A status changes only by an event that has a row for it, through \`transition\`; ${sum(pairs)} pairs of state and event have one, the other ${rowless} are refused with 40901 and the present status. ${Object.keys(machines).length} machines move by it today and have a table here; the others are declared ahead of their screens.`
  const rows = (Object.keys(systems) as System[]).flatMap(system =>
    Object.entries<Machine>(systems[system]).map(
      ([name, m]) =>
        `| ${m.id} | [${m.title}](machines/${system}.md#${anchor(m)}) | ${headings[system]} | ${Object.keys(m.states).length} | ${m.rows.length} | ${(name in machines ? [m.table] : tablesOf(name)).map(code).join(', ')} |`,
    ),
  )
  return [
    '# The machines',
    intro,
    'Written by `tsx build/docs/machine-docs.ts` from `core/rules/machines`; `npm run check` refuses a page that differs.',
    ['| | machine | system | states | rows | table |', '|---|---|---|---|---|---|', ...rows].join('\n'),
  ].join('\n\n')
}

/** Every page of the documentation of the machines, by its path below `docs`. */
export const machineDocs = (): Map<string, string> =>
  new Map([
    ['machines.md', `${index()}\n`],
    ...(Object.keys(systems) as System[]).map(system => [`machines/${system}.md`, `${page(system)}\n`] as const),
  ])

const main = (): void => {
  const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
  const pages = machineDocs()
  const present = fs.existsSync(path.join(docs, 'machines')) ? fs.readdirSync(path.join(docs, 'machines')) : []
  const stale = present.map(file => `machines/${file}`).filter(file => !pages.has(file))
  const upToDate = ([file, text]: [string, string]) =>
    fs.existsSync(path.join(docs, file)) && fs.readFileSync(path.join(docs, file), 'utf8') === text
  if (process.argv.includes('--check')) {
    const wrong = [...stale, ...[...pages].filter(one => !upToDate(one)).map(([file]) => file)]
    if (wrong.length === 0) return
    process.stderr.write(
      `docs/${wrong.join(', docs/')} differ from the machines: run \`tsx build/docs/machine-docs.ts\`\n`,
    )
    process.exitCode = 1
    return
  }
  fs.mkdirSync(path.join(docs, 'machines'), { recursive: true })
  for (const file of stale) fs.rmSync(path.join(docs, file))
  for (const [file, text] of pages) fs.writeFileSync(path.join(docs, file), text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()

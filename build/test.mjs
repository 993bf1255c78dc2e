import { built, installed, run } from './ready.mjs'

const bin = name => `node_modules/.bin/${name}`
const suites = [
  ['format', 'format, lint and boundaries', [[bin('biome'), 'check', '.']]],
  [
    'types',
    'types, and what is generated',
    [
      [bin('tsc'), '--noEmit'],
      [bin('tsx'), 'build/db-types.ts', '--check'],
    ],
  ],
  ['unit', 'rules, contract, server, portal', [[bin('vitest'), 'run']]],
  [
    'faults',
    'the server, PostgreSQL and disks are killed, stopped and filled',
    [[bin('vitest'), 'run', '--config', 'tests/faults/vitest.config.ts']],
  ],
  ['elements', 'custom elements in Chromium', [[bin('wtr')]]],
  [
    'journeys',
    'the console in Chromium, on PGlite and PostgreSQL',
    [[bin('vitest'), 'run', '--config', 'tests/journeys/vitest.config.ts']],
  ],
  [
    'portal',
    'what the portal itself does, in Chromium',
    [[bin('vitest'), 'run', '--config', 'tests/portal/vitest.config.ts']],
  ],
  [
    'embedding',
    'pages of partners on the real server, in Chromium',
    [[bin('vitest'), 'run', '--config', 'tests/embedding/vitest.config.ts']],
  ],
  ['stories', 'every story in Chromium', [[bin('vitest'), 'run', '--config', 'tests/stories/vitest.config.ts']]],
]
const asked = process.argv.slice(2)
const chosen = asked.length ? suites.filter(([name]) => asked.includes(name)) : suites

installed()
built()
const ended = chosen.map(([name, what, commands]) => {
  console.log(`\n── ${name}: ${what}`)
  const started = Date.now()
  const ok = commands.every(([command, ...args]) => run(command, args).status === 0)
  return { name, ok, seconds: (Date.now() - started) / 1000 }
})
console.log('')
for (const { name, ok, seconds } of ended)
  console.log(`${ok ? 'passed' : 'FAILED'}  ${name.padEnd(10)} ${seconds.toFixed(1)} s`)
const failed = ended.filter(suite => !suite.ok).length
console.log(`${ended.length - failed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)

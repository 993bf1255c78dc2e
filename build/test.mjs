import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { installed } from './ready.mjs'

const bin = name => `node_modules/.bin/${name}`
const suite = (name, ...more) => [[bin('vitest'), 'run', '--config', `tests/${name}/vitest.config.ts`, ...more]]

/** What needs nothing built is begun with the build. */
const unbuilt = new Set(['format', 'types'])

/** Three are run at a time on two processors, in this order: one calculates while others wait for processes and browsers, and short ones end it. */
const suites = [
  ['format', 'format, lint and boundaries', [[bin('biome'), 'check', '.']]],
  ['types', 'types', [[bin('tsc'), '--noEmit', '--checkers', '1']]],
  ['unit', 'rules, server, screens', [[bin('vitest'), 'run', '--exclude', 'tests/**']]],
  ['contract', 'calls, rights, machines, races, pages of partners that compile', [[bin('vitest'), 'run', 'tests/']]],
  ['faults', 'the server, PostgreSQL and disks are killed, stopped and filled', suite('faults')],
  ['portal', 'what the portal itself does, in Chromium', suite('portal', '--maxWorkers', '1')],
  ['stories', 'every story in Chromium', suite('stories')],
  [
    'model',
    'random lives of loans beside a model, and a storm of payouts',
    [
      [bin('tsx'), 'tests/model/main.ts', '--runs', '200', '--seed', '51'],
      [bin('tsx'), 'tests/storm/main.ts', '--orders', '250', '--seed', '7'],
    ],
  ],
  ['journeys', 'the console in Chromium, on PGlite and PostgreSQL', suite('journeys')],
  ['elements', 'custom elements in Chromium', [[bin('wtr')]]],
  ['embedding', 'pages of partners on the real server, in Chromium', suite('embedding')],
]

/** Runs a command. @returns whether it ended well, and what it said */
const ended = (command, args) =>
  new Promise(resolve => {
    const child = spawn(command, args, { shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'pipe'] })
    const said = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => said.push(bytes))
    child.on('error', error => resolve({ ok: false, output: `${error}\n` }))
    child.on('close', code => resolve({ ok: code === 0, output: Buffer.concat(said).toString() }))
  })

/** What a runner said about what failed, without what passed; the end of its output where it named nothing. */
const failuresOf = output => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: runners colour what they say
  const lines = output.replace(/\x1b\[[0-9;]*[A-Za-z]/g, '').split('\n')
  const first = lines.findIndex(line => /^\s*(FAIL |❌|⎯+ Failed)/.test(line))
  return (first < 0 ? lines.slice(-60) : lines.slice(first, first + 200)).map(line => line.slice(0, 400)).join('\n')
}

const given = process.argv.slice(2)
if (given.includes('--all')) process.env.MKOPO_ALL = 'yes'
const asked = given.filter(word => word !== '--all')
const unknown = asked.filter(name => !suites.some(([known]) => known === name))
if (unknown.length) {
  console.error(`No suite is called ${unknown.join(', ')}: ${suites.map(([name]) => name).join(', ')}`)
  process.exit(2)
}
const waiting = suites.filter(([name]) => !asked.length || asked.includes(name))
const results = []

/** Takes one suite after another, as long as there are any. */
const work = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, what, commands] = next
    if (!unbuilt.has(name) && !(await building)) return
    const started = Date.now()
    console.log(`${name} …`)
    let ok = true
    let output = ''
    for (const [command, ...args] of commands) {
      const one = await ended(command, args)
      output += one.output
      ok &&= one.ok
      if (!ok) break
    }
    const seconds = (Date.now() - started) / 1000
    console.log(`\n── ${name}: ${what}\n${output}`)
    console.log(`${ok ? 'passed' : 'FAILED'}  ${name.padEnd(10)} ${seconds.toFixed(1)} s`)
    results.push({ name, ok, seconds, output })
  }
}

installed()
/** Whether everything that is tested was built; it says so itself, and takes a lane of its own. */
const building = new Promise(resolve => {
  const build = spawn(process.execPath, ['-e', `import('./build/ready.mjs').then(({ built }) => built())`], {
    stdio: 'inherit',
  })
  build.on('error', () => resolve(false))
  build.on('close', code => resolve(code === 0))
})
await Promise.all(Array.from({ length: Math.min(3, availableParallelism() + 1) }, work))
if (!(await building)) process.exit(1)

for (const { name, ok, output } of results) if (!ok) console.log(`\n── what failed in ${name}\n${failuresOf(output)}`)
console.log('')
for (const { name, ok, seconds } of results)
  console.log(`${ok ? 'passed' : 'FAILED'}  ${name.padEnd(10)} ${seconds.toFixed(1)} s`)
const failed = results.filter(suite => !suite.ok).length
const leftOut = results.flatMap(({ output }) => output.split('\n').filter(line => line.startsWith('left out: ')))
console.log(leftOut.length ? `\n${leftOut.join('\n')}` : '\nnothing was left out')
console.log(`${results.length - failed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)

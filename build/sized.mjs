import { existsSync } from 'node:fs'
import path from 'node:path'
import { run } from './ready.mjs'

/** Suites in another size: `--cases 2000 --seed 7` becomes the environment that `tests/sizes.ts` reads. */
const given = process.argv.slice(2)
const names = given.findIndex(word => word.startsWith('--'))
const files = names < 0 ? given : given.slice(0, names)
const rest = given.slice(files.length)
for (let at = 0; at < rest.length; at += 2) {
  const name = /^--([a-z]+)$/.exec(rest[at] ?? '')?.[1]
  if (!name || rest[at + 1] === undefined) {
    console.error(`expected --name value, found ${rest[at]}`)
    process.exit(2)
  }
  process.env[`MKOPO_${name.toUpperCase()}`] = rest[at + 1]
}
const own = path.posix.join(path.posix.dirname(files[0] ?? ''), 'vitest.config.ts')
const config = existsSync(own) ? ['--config', own] : []
const unhurried = ['--testTimeout', '36000000', '--hookTimeout', '600000']
const { status } = run('node_modules/.bin/vitest', ['run', ...config, ...files, '--reporter', 'verbose', ...unhurried])
process.exit(status ?? 1)

import { run } from './ready.mjs'

/** One suite in another size: `--cases 2000 --seed 7` becomes the environment that `tests/sizes.ts` reads. */
const [file, ...rest] = process.argv.slice(2)
for (let at = 0; at < rest.length; at += 2) {
  const name = /^--([a-z]+)$/.exec(rest[at] ?? '')?.[1]
  if (!name || rest[at + 1] === undefined) {
    console.error(`expected --name value, found ${rest[at]}`)
    process.exit(2)
  }
  process.env[`MKOPO_${name.toUpperCase()}`] = rest[at + 1]
}
const unhurried = ['--testTimeout', '36000000', '--hookTimeout', '600000']
process.exit(run('node_modules/.bin/vitest', ['run', file, '--reporter', 'verbose', ...unhurried]).status ?? 1)

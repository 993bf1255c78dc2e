import { run } from './ready.mjs'

/** Mutation testing, part by part: `npm run mutation`, or `npm run mutation -- machines`. */
const asked = process.argv.slice(2)
let failed = 0
for (const part of asked.length ? asked : ['rules', 'machines', 'rights']) {
  process.env.MUTATION_PART = part
  failed += run('node_modules/.bin/stryker', ['run']).status === 0 ? 0 : 1
}
process.exit(failed ? 1 : 0)

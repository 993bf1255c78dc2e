import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/** The kill rounds of the tests in another number: `npm run kill -- --rounds 500 --postgres 50 --seed 7`. What is not named is not run. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '0' },
    embedded: { type: 'string', default: '0' },
    postgres: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(1 + Math.floor(Math.random() * 1_000_000)) },
  },
})
const isWanted = (count: string) => count !== '0'
const files = [
  ...(isWanted(values.rounds) || isWanted(values.embedded) ? ['tests/faults/kill.test.ts'] : []),
  ...(isWanted(values.postgres) ? ['tests/faults/database-gone.test.ts'] : []),
]
const { status } = spawnSync(
  'node_modules/.bin/vitest',
  ['run', '--config', 'tests/faults/vitest.config.ts', '-t', 'X5|X6', ...files],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      KILL_ROUNDS: values.rounds,
      KILL_EMBEDDED: values.embedded,
      KILL_POSTGRES: values.postgres,
      KILL_SEED: values.seed,
    },
  },
)
process.exitCode = status ?? 1

import { endpoints } from '../../core/contract/contract.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { all } from '../../server/testing/all-facts.ts'
import { isChanged } from '../chosen.ts'
import { drawn, sayLeftOut } from '../sampling.ts'
import { isChosen, isFull, sizeOf } from '../sizes.ts'
import { many, type Resource, rowsAndVersions } from './resource.ts'

const nameOf = new Map(endpoints.map(({ name, endpoint }) => [endpoint, name]))
/** Those who do something to an account wait for one another. */
const accountLock = /pg_advisory_xact_lock\(hashtextextended\((\$\d+), 0\)\)/

/** So many steps stand for all, changed ones first: one lock and one version keep each. */
const most = 12
const isAsked = !isChosen('only', '')
const raced = all.commands.filter(({ race }) => !race?.again)
const named = (call: Endpoint) => ({ name: nameOf.get(call) as string, endpoint: call })
const taken =
  isFull || isAsked
    ? raced
    : drawn('races', raced, {
        most,
        nameOf: ({ call }) => call.path,
        isChanged: ({ call }) => isChanged(named(call)),
      }).taken
if (taken.length < raced.length)
  sayLeftOut(
    'races',
    `${raced.length - taken.length} of ${raced.length} steps, which all keep the same lock and version`,
  )

/** Commands of staff on a record: all who do the same thing at once do it once. */
export const steps: Resource[] = taken.map(({ call, make, race = {} }) => ({
  name: `the step ${nameOf.get(call)}`,
  rule: 'F3: what is done is not done again under another key',
  available: 1,
  async make(fixture, parallel) {
    const { input, as = fixture.boss } = await make(fixture)
    const n = Math.min(parallel, sizeOf('parallel', 10))
    const proofs = await Promise.all(many(n, () => fixture.stepUp(as)))
    return {
      tries: many(n, i => () => fixture.ask(call, input, { as, headers: { 'x-step-up': proofs[i] as string } })),
    }
  },
  ...(race.at ? { at: race.at } : {}),
  kept: { by: [...rowsAndVersions, [accountLock, '$1']], drop: race.drop ?? [], alsoBy: race.alsoBy },
}))

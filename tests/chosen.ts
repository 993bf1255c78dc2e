import { existsSync, readFileSync } from 'node:fs'
import { afterEach } from 'vitest'
import { type Endpoint, results } from '../core/contract/endpoint.ts'
import { kinds } from '../server/testing/served.ts'
import { changedFiles, drawn, sayLeftOut, seed, shuffled } from './sampling.ts'
import { isChosen, isFull } from './sizes.ts'

type Named = { name: string; endpoint: Endpoint }

const many = 40

/** What contract and handlers say in changed files. */
const changedText = (): string =>
  changedFiles()
    .filter(file => /^(core\/contract|server)\/.*\.ts$/.test(file) && !/\.(test|facts|gen)\./.test(file))
    .map(file => (existsSync(file) ? readFileSync(file, 'utf8') : ''))
    .join('\n')
let text: string | undefined
/** Whether its contract or its handler lies in a changed file: where its path, or its name as code writes it, is found. */
export const isChanged = ({ name, endpoint }: Named): boolean => {
  text ??= changedText()
  const [, noun, call] = /^(\w+)\.(\w+?)(?:Totals|Export|Import|ImportTemplate)?$/.exec(name) ?? []
  return text.includes(`'${endpoint.path}'`) || new RegExp(`\\b${noun}\\.${call}\\b`).test(text)
}

/** How a call is mounted: what is proven of one such call is proven of the mechanism. */
export const kindOf = ({ endpoint }: Named): string =>
  [
    kinds.get(endpoint) ?? 'other',
    endpoint.method,
    endpoint.auth,
    endpoint.audit && 'command',
    endpoint.stepUp && 'proven',
    endpoint.bytes && 'bytes',
    endpoint.foreign && 'foreign',
    endpoint.output === results && 'rows',
    'defaultSort' in endpoint && 'list',
  ]
    .filter(Boolean)
    .join(' ')

/** Prints behind each failed test of a block how it is repeated; for use at the head of the block. */
export const replayed = (file: string, more: string): void => {
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.log(`again by node build/sized.mjs ${file} --seed ${seed} ${more}`)
  })
}

/**
 * The calls that a suite sends over HTTP: one of each kind of handler, and no more than `most` others, of which those come first whose contract or
 * handler was changed; every one with `npm run test:all`, or those that the command line names.
 */
export const chosen = <T extends Named>(suite: string, all: readonly T[], most = many): readonly T[] => {
  const asked = all.filter(({ name, endpoint }) => isChosen('endpoint', name, endpoint.path))
  if (isFull || asked.length < all.length) return asked
  const ofKind = new Map([...shuffled(suite, all, one => one.name)].reverse().map(one => [kindOf(one), one]))
  const sample = drawn(suite, all, { most, nameOf: one => one.name, isChanged })
  const taken = new Set([...ofKind.values(), ...sample.taken])
  if (taken.size < all.length)
    sayLeftOut(
      suite,
      `${all.length - taken.size} of ${all.length} calls (sent: one of ${ofKind.size} kinds, ${sample.changed} of ${all.filter(isChanged).length} changed, ${sample.taken.length - sample.changed} by seed ${seed})`,
    )
  return all.filter(one => taken.has(one))
}

/** Those changed calls that a suite tests at full size where it tests the others in part: no more than this many by the seed. */
export const changedOf = (suite: string, all: readonly Named[], most = 8): ReadonlySet<Endpoint> =>
  new Set(
    shuffled(suite, all.filter(isChanged), one => one.name)
      .slice(0, most)
      .map(one => one.endpoint),
  )

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { sizeOf } from './sizes.ts'

const git = (...given: string[]): string => {
  try {
    return execFileSync('git', given, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}
const baseOf = (): string => {
  const head = git('rev-parse', 'HEAD')
  const base = git('merge-base', 'HEAD', 'origin/main') || git('merge-base', 'HEAD', 'main')
  return base && base !== head ? base : git('rev-parse', 'HEAD~1')
}

let files: readonly string[] | undefined
/** Files that were changed since the branch left the main one, or by the last commit of that, or are not committed yet. */
export const changedFiles = (): readonly string[] => {
  const base = files ? '' : baseOf()
  files ??= base
    ? `${git('diff', '--name-only', base)}\n${git('ls-files', '--others', '--exclude-standard')}`.split('\n')
    : []
  return files
}

/** The number from which samples are drawn: another one with each commit, the same for all who test it. */
export const seed = sizeOf('seed', Number.parseInt(git('rev-parse', 'HEAD').slice(0, 6) || '1', 16))

/** The same names in another order for each seed. */
export const shuffled = <T>(suite: string, all: readonly T[], nameOf: (one: T) => string): readonly T[] => {
  const place = (one: T) =>
    createHash('sha256')
      .update(`${seed}/${suite}/${nameOf(one)}`)
      .digest('hex')
  return all
    .map(one => ({ one, at: place(one) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ one }) => one)
}

const said = new Set<string>()
/** Says once what a suite leaves out; the runner repeats it at its end. */
export const sayLeftOut = (suite: string, what: string): void => {
  if (!said.has(suite)) console.log(`left out: ${suite}: ${what}; all with npm run test:all`)
  said.add(suite)
}

/**
 * A fixed number of a suite's parts, however many there are: what was changed first, as long as a part of the places is left for
 * the seed's own choice; for a landing of many screens changes nearly all of them.
 * @returns what is tested, in the order of `all`, and how much of it was taken because it was changed
 */
export const drawn = <T>(
  suite: string,
  all: readonly T[],
  o: { most: number; nameOf: (one: T) => string; isChanged: (one: T) => boolean },
): { taken: readonly T[]; changed: number } => {
  const order = shuffled(suite, all, o.nameOf)
  const changed = order.filter(o.isChanged).slice(0, Math.ceil((o.most * 3) / 4))
  const taken = new Set([...changed, ...order.filter(one => !changed.includes(one))].slice(0, o.most))
  return { taken: all.filter(one => taken.has(one)), changed: changed.length }
}

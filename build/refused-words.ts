import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Words that this repository does not use in names, comments, documentation and tests, and what to write instead. */
export const refused: Readonly<Record<string, string>> = {
  whoever: 'a person who, the caller, the owner; or name the role',
  whomever: 'any person; or name the role',
  anew: 'again, or a verb with re-: reload, redraw, restart, recreate',
  told: 'gets, learns, is notified; a callback came; the answer stated',
  crowd: 'many, everyone',
  house: 'the company, the business; in tests: fixture',
  ground: 'base, reason, floor',
  reckon: 'compute, reconcile',
  hasty: 'impatient, early',
  meddle: 'change, tamper',
  thereof: 'its, of it',
  hitherto: 'so far',
  lest: 'so that … not',
  naught: 'nothing, zero',
  amiss: 'wrong',
  'at most so many': 'up to a limit; or the number',
  "nobody's business": 'not visible to, ignored, private',
  'as it is bid': 'as configured, on command',
}

/** Files that are not ours to word: data, texts of the screens (judged in core/i18n), applied migrations, and this list. */
const left = [
  /^package-lock\.json$/,
  /^core\/i18n\/(en|zh|sw)\//,
  /^server\/db\/migrations\//,
  /^server\/demo\/configs\/sensitive-words\.ts$/,
  /^build\/refused-words(\.test)?\.ts$/,
]
const read = /\.(?:[cm]?[jt]sx?|mdx?|css|html|ya?ml|json|sql|sh)$/

const pattern = new RegExp(`\\b(?:${Object.keys(refused).join('|')})s?\\b`, 'g')
/** `codesTold` and `TOLD_BY` are read as the words that they are made of. */
const wordsOf = (line: string) =>
  line
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()

export type Found = { line: number; word: string; instead: string }

/** The refused words of a text, in order, with the number of their line (from 1). */
export const refusedIn = (text: string): Found[] =>
  text.split('\n').flatMap((line, index) =>
    [...wordsOf(line).matchAll(pattern)].map(([found]) => {
      const word = found in refused ? found : found.slice(0, -1)
      return { line: index + 1, word, instead: refused[word] as string }
    }),
  )

/** The refused words of the whole repository, names of files included: `path:line: word → what to write instead`. */
export const refusedInSources = (root: string): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(file => read.test(file) && !left.some(one => one.test(file)) && existsSync(path.join(root, file)))
    .flatMap(file =>
      [...refusedIn(file), ...refusedIn(readFileSync(path.join(root, file), 'utf8'))].map(
        ({ line, word, instead }) => `${file}:${line}: ${word} → ${instead}`,
      ),
    )

if (process.argv[1] === import.meta.filename) {
  const lines = refusedInSources(path.join(import.meta.dirname, '..'))
  if (lines.length > 0) {
    process.stderr.write(`${lines.join('\n')}\n`)
    process.exitCode = 1
  }
}

/** What happens to a text with the word: it is refused, its writer is warned, or the word is replaced. */
export type WordAction = 'block' | 'warn' | 'replace'
/** A word that is searched for, with what happens where it is found. */
export type Watched = { wordNo: string; word: string; wordAction: WordAction; replacement?: string | null }
/** Where a word stands in the text as it was typed: from `start` up to, not including, `end`. */
export type Hit<W extends Watched = Watched> = { word: W; start: number; end: number }

/** Longer texts are refused. */
export const maxSearched = 10_000
/** Shortest and longest word, in characters. */
export const wordLength = { min: 2, max: 40 } as const
/** Most words of one command. */
export const maxWords = 200

const zeroWidth = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/u
const letter = /[\p{L}\p{N}\p{M}]/u
const han = /\p{Script=Han}/u
const splitter = /[.\-\s·_*]/u

/** Characters of a text as they are compared, each with the place in the text that it comes from. */
type Normal = {
  characters: string[]
  from: number[]
  to: number[]
  /** Whether a letter stood apart from the one before it. */
  apart: boolean[]
}

/** NFKC, lower case, without characters that nobody sees; white space is one space. */
const plainOf = (text: string): Normal => {
  const made: Normal = { characters: [], from: [], to: [], apart: [] }
  let at = 0
  for (const typed of text) {
    const end = at + typed.length
    for (const one of typed.normalize('NFKC').toLowerCase()) {
      if (zeroWidth.test(one)) continue
      const space = /\s/u.test(one)
      if (space && made.characters.at(-1) === ' ') continue
      made.characters.push(space ? ' ' : one)
      made.from.push(at)
      made.to.push(end)
      made.apart.push(false)
    }
    at = end
  }
  return made
}

const pick = ({ characters, from, to, apart }: Normal, places: readonly number[]): Normal => ({
  characters: places.map(at => characters[at] as string),
  from: places.map(at => from[at] as number),
  to: places.map(at => to[at] as number),
  apart: places.map(at => apart[at] as boolean),
})

/** Single letters that dots, dashes or spaces stand between are one word: `k.i.l.l`, `k i l l`. */
const joined = (text: Normal): Normal => {
  const { characters } = text
  const isLetter = (at: number) => letter.test(characters[at] ?? '')
  const isSingle = (at: number) => isLetter(at) && !isLetter(at - 1) && !isLetter(at + 1)
  const between = (at: number) => splitter.test(characters[at] ?? '') && isSingle(at - 1) && isSingle(at + 1)
  const kept = characters.flatMap((_, at) => (between(at) ? [] : [at]))
  return { ...pick(text, kept), apart: kept.map(at => at > 0 && between(at - 1)) }
}

/** Shortens three or more equal letters in a row to one or two. */
const shortened = (text: Normal, length: 1 | 2): Normal => {
  const { characters } = text
  const runs: number[][] = []
  for (const [at, one] of characters.entries()) {
    const run = runs.at(-1)
    if (run && letter.test(one) && characters[run[0] as number] === one) run.push(at)
    else runs.push([at])
  }
  const kept = runs.map(run => (run.length < 3 ? run : run.slice(0, length)))
  const made = pick(text, kept.flat())
  const ends = runs.flatMap((run, index) => {
    const shown = kept[index]?.length ?? 0
    return Array.from(
      { length: shown },
      (_, at) => text.to[(at === shown - 1 ? run.at(-1) : run[at]) as number] as number,
    )
  })
  return { ...made, to: ends }
}

/** The one form of a word: words with the same form are the same word. */
export const normalWord = (word: string): string => shortened(joined(plainOf(word.trim())), 1).characters.join('')

type Node = { next: Map<string, Node>; fail: Node | null; words: { word: Watched; length: number }[] }
const node = (): Node => ({ next: new Map(), fail: null, words: [] })

/** All words in one automaton, so that a text is read once however many words there are. */
const automaton = (words: readonly Watched[]): Node => {
  const root = node()
  for (const word of words) {
    const characters = [...normalWord(word.word)]
    let at = root
    for (const one of characters) {
      const next = at.next.get(one) ?? node()
      at.next.set(one, next)
      at = next
    }
    if (characters.length) at.words.push({ word, length: characters.length })
  }
  const queue = [...root.next.values()]
  for (const one of queue) one.fail = root
  for (let at = queue.shift(); at; at = queue.shift()) {
    for (const [character, next] of at.next) {
      let fail = at.fail
      while (fail && !fail.next.has(character)) fail = fail.fail
      next.fail = fail?.next.get(character) ?? root
      next.words.push(...next.fail.words)
      queue.push(next)
    }
  }
  return root
}

/**
 * Whether a word stands by itself, a letter that stood apart counting as the beginning of another; Chinese has no spaces, so a Chinese
 * word is found wherever it stands.
 */
const isWhole = ({ characters, apart }: Normal, from: number, to: number, word: string) => {
  if (han.test(word)) return true
  const isInside = (at: number) =>
    !apart[at] && letter.test(characters[at - 1] ?? '') && letter.test(characters[at] ?? '')
  return !isInside(from) && !isInside(to)
}

const found = <W extends Watched>(root: Node, text: Normal): Hit<W>[] => {
  const hits: Hit<W>[] = []
  let at: Node = root
  for (const [index, one] of text.characters.entries()) {
    while (at !== root && !at.next.has(one)) at = at.fail ?? root
    at = at.next.get(one) ?? root
    for (const { word, length } of at.words) {
      const from = index - length + 1
      if (!isWhole(text, from, index + 1, word.word)) continue
      hits.push({ word: word as W, start: text.from[from] as number, end: text.to[index] as number })
    }
  }
  return hits
}

/**
 * Prepares words for searching. The search answers where they stand in a text, whatever its writer did to hide them: wide or invisible
 * characters, capitals, single letters apart, letters repeated. Latin words are found as whole words, Chinese ones anywhere.
 */
export const searcher = <W extends Watched>(words: readonly W[]) => {
  const root = automaton(words)
  return (text: string): Hit<W>[] => {
    const normal = joined(plainOf(text))
    const hits = new Map<string, Hit<W>>()
    // A letter repeated hides a single one or a double one: `killll` is `kil` or `kill`.
    for (const length of [1, 2] as const)
      for (const hit of found<W>(root, shortened(normal, length)))
        hits.set(`${hit.start} ${hit.end} ${hit.word.wordNo}`, hit)
    return [...hits.values()].sort((a, b) => a.start - b.start || b.end - a.end)
  }
}

const strength: readonly WordAction[] = ['block', 'warn', 'replace']

/** What becomes of a text with these hits: the strictest of their actions. */
export const outcomeOf = (hits: readonly Hit[]): WordAction | 'pass' =>
  strength.find(action => hits.some(({ word }) => word.wordAction === action)) ?? 'pass'

/** The text with every word that is to be replaced replaced; of words that overlap the first counts. */
export const replaced = (text: string, hits: readonly Hit[]): string => {
  let made = ''
  let at = 0
  for (const { word, start, end } of hits) {
    if (word.wordAction !== 'replace' || start < at) continue
    made += text.slice(at, start) + (word.replacement ?? '')
    at = end
  }
  return made + text.slice(at)
}

/** Numbers of phones, accounts and documents, and addresses, hidden but for their ends; every other character stays where it is. */
export const withoutPersonal = (text: string): string =>
  text
    .replace(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, address => `${address[0]}${'*'.repeat(address.length - 1)}`)
    .replace(
      /[A-Z0-9]*\d[\d -]{5,}\d|\b[A-Z]{1,3}\d{4,}[A-Z0-9]*/g,
      number => number.slice(0, 2) + number.slice(2, -2).replace(/[^ -]/g, '*') + number.slice(-2),
    )

/** Words as people paste them: by commas, half or full width, or lines. */
export const wordsIn = (text: string): string[] => {
  const seen = new Map<string, string>()
  for (const one of text.split(/[,，\n]+/)) {
    const word = one.trim()
    if (word) seen.set(normalWord(word), seen.get(normalWord(word)) ?? word)
  }
  return [...seen.values()]
}

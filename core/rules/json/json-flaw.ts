/** Where a text stops being JSON; lines and columns are counted from 1. */
export type JsonFlaw = { line: number; column: number }

const space = /[ \t\n\r]*/y
const literal = /true|false|null/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y

class Flaw extends Error {
  readonly at: number
  constructor(at: number) {
    super('not JSON')
    this.at = at
  }
}

/** Reads one text, the same in every browser: their own messages name a place differently, or none. */
class Reader {
  readonly #text: string
  at = 0

  constructor(text: string) {
    this.#text = text
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.#text)) return false
    this.at = pattern.lastIndex
    return true
  }

  #is(letter: string): boolean {
    this.#take(space)
    if (this.#text[this.at] !== letter) return false
    this.at += 1
    return true
  }

  #needs(found: boolean) {
    if (!found) throw new Flaw(this.at)
  }

  #list(close: string, part: () => void) {
    if (this.#is(close)) return
    do part()
    while (this.#is(','))
    this.#needs(this.#is(close))
  }

  value = () => {
    this.#take(space)
    if (this.#is('[')) this.#list(']', this.value)
    else if (this.#is('{'))
      this.#list('}', () => {
        this.#take(space)
        this.#needs(this.#take(string))
        this.#needs(this.#is(':'))
        this.value()
      })
    else this.#needs(this.#take(string) || this.#take(number) || this.#take(literal))
  }

  all() {
    this.value()
    this.#take(space)
    this.#needs(this.at === this.#text.length)
  }
}

/** Null for a JSON text, else where it is wrong first. */
export const jsonFlaw = (text: string): JsonFlaw | null => {
  try {
    new Reader(text).all()
    return null
  } catch (error) {
    if (!(error instanceof Flaw)) throw error
    const before = text.slice(0, error.at).split('\n')
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
  }
}

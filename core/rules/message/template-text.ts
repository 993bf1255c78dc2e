/** A place for a value, as people write it: `{customerName}`. */
const place = /\{([A-Za-z][A-Za-z0-9]{0,39})\}/g
const link = /\bhttps?:\/\/|\bwww\.\w/i

/** The values that a text names, each once, in their order. */
export const placesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(place)].map(([, name]) => name as string)),
]

/** Whether every brace of a text belongs to a place. */
export const isWellFormed = (text: string): boolean => !/[{}]/.test(text.replace(place, ''))

/** Whether somebody wrote an address into a text: links come from values alone. */
export const hasLink = (text: string): boolean => link.test(text)

/** A text with its values, or the places that there is no value for: nothing is sent with a hole in it. */
export type Filled = { text: string; missing?: never } | { text?: never; missing: string[] }

/** Puts values into a text. */
export const fill = (text: string, values: Readonly<Record<string, string | null | undefined>>): Filled => {
  const missing = placesIn(text).filter(name => !values[name])
  return missing.length ? { missing } : { text: text.replace(place, (_, name: string) => String(values[name])) }
}

const normal = (text: string) => text.normalize('NFKC').toLowerCase()

/**
 * What tells somebody else that the customer owes money: places that hold amounts, dates or numbers of the loan, and words of debt.
 * Latin words stand by themselves, Chinese ones anywhere.
 */
export const debtIn = (
  text: string,
  { places, words }: { places: readonly string[]; words: readonly string[] },
): string[] => {
  const said = normal(text.replace(place, ' '))
  const latin = ` ${said.split(/[^\p{L}\p{N}]+/u).join(' ')} `
  const isSaid = (word: string) => {
    const one = normal(word)
    return /\p{Script=Han}/u.test(one) ? said.includes(one) : latin.includes(` ${one} `)
  }
  return [
    ...placesIn(text)
      .filter(name => places.includes(name))
      .map(name => `{${name}}`),
    ...words.filter(isSaid),
  ]
}

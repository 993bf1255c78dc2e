/** One segmenter for all: letters as people see them are the same in every language. */
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })
const plain = /^[\x20-\x7e]*$/

/** What people see as one letter each: a base with its accents, a composed emoji. */
export const lettersOf = (text: string): string[] =>
  plain.test(text) ? text.split('') : Array.from(letters.segment(text), ({ segment }) => segment)

/** Hides a sensitive text: five letters or fewer become five asterisks, longer ones keep the first two and the last two. */
export const mask = (text: string): string => {
  const all = lettersOf(text)
  if (all.length <= 5) return '*****'
  return all.slice(0, 2).join('') + '*'.repeat(all.length - 4) + all.slice(-2).join('')
}

/** Hides an e-mail address: the first two letters stay, and nothing says where the mailbox is. */
export const maskEmail = (address: string): string => `${lettersOf(address).slice(0, 2).join('')}***@…`

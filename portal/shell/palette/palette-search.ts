import type { MenuNode } from '../../../core/contract/user/user.ts'

/** Something that the palette offers: a page or a command. */
export type Entry = {
  id: string
  label: string
  hint?: string
  /** What it is called in other languages. */
  also?: readonly string[]
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** How well a name answers: 0 begins with what was typed, 1 a word of it does, 2 holds all words somewhere; null does not. */
const rankOf = (label: string, hint: string, typed: string): number | null => {
  const name = plain(label)
  if (name.startsWith(typed)) return 0
  const words = typed.split(/\s+/)
  const all = `${name} ${plain(hint)}`
  if (!words.every(word => all.includes(word))) return null
  return name.split(/\s+/).some(part => part.startsWith(words[0] ?? '')) ? 1 : 2
}

/** How well the best of its names answers; infinite where none does. */
const bestOf = ({ label, hint = '', also = [] }: Entry, typed: string): number =>
  Math.min(...[label, ...also].map(name => rankOf(name, hint, typed) ?? Number.POSITIVE_INFINITY))

/** Entries that answer what was typed, the best first and otherwise in their own order; all of them for nothing. */
export const matching = <E extends Entry>(entries: readonly E[], typed: string): E[] => {
  const text = plain(typed)
  if (!text) return [...entries]
  return entries
    .map(entry => ({ entry, rank: bestOf(entry, text) }))
    .filter(one => one.rank < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.rank - b.rank)
    .map(one => one.entry)
}

/** Whether a text may be the number of a record, or its beginning. */
export const isNumber = (typed: string): boolean => /^[\w-]{4,40}$/.test(typed.trim()) && /\d/.test(typed)

/** Whether a text may be the name of a person. */
export const isName = (typed: string): boolean => /^\p{L}[\p{L}\p{M}'’. -]{2,63}$/u.test(typed.trim())

export type Page = Entry & { path: string; external: boolean }

/** The pages of a menu, with the catalog that they stand in. */
export const pagesOf = (menu: readonly MenuNode[], nameOf: (node: MenuNode) => string, hint?: string): Page[] =>
  menu.flatMap(node => {
    if (node.childList.length) return pagesOf(node.childList, nameOf, nameOf(node))
    const path = node.externalUrl ?? node.perms
    return path
      ? [{ id: node.menuNo, label: nameOf(node), ...(hint ? { hint } : {}), path, external: node.externalUrl !== null }]
      : []
  })

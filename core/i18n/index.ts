import type { words as en } from './en/index.ts'
import type { words as sw } from './sw/index.ts'
import type { words as zh } from './zh/index.ts'

type Words = typeof zh
type Area = keyof Words

/** Every text of the interface: `area.key`. */
export type Key = { [A in Area]: `${A}.${keyof Words[A] & string}` }[Area]
/** All texts of one language; also the words of a host's own choice, in part. */
export type Messages = Readonly<Record<Key, string>>

type Differing<Other extends Record<Area, object>> = {
  [A in Area]: `${A}.${(Exclude<keyof Words[A], keyof Other[A]> | Exclude<keyof Other[A], keyof Words[A]>) & string}`
}[Area]
type Same<Other extends Record<Area, object>> = [Differing<Other>] extends [never] ? true : Differing<Other>

/** Does not compile when English or Swahili lack a key of Chinese or have one of their own; the error names it. */
export const complete: { en: Same<typeof en>; sw: Same<typeof sw> } = { en: true, sw: true }

/** Joins the area files of a language to one table with `area.key`. */
export const flatten = (words: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
  Object.fromEntries(
    Object.entries(words).flatMap(([area, texts]) =>
      Object.entries(texts).map(([key, text]) => [`${area}.${key}`, text]),
    ),
  ) as Messages

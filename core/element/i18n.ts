import { createContext, useContext, useMemo, useSyncExternalStore } from 'react'
import { fill, type Params } from '../i18n/fill.ts'
import type { Key, Messages } from '../i18n/index.ts'
import type { Language } from '../i18n/language.ts'
import { everyPart, fetchPart, partsOf, restPart } from '../i18n/parts.ts'
import { needBesides } from '../ui/late.ts'
import { useHost } from './context.ts'
import { loadOnce } from './load-screen.ts'

/** A language and its words. */
export type Spoken = { language: Language; words: Partial<Messages> }

const spoken = new Map<Language, Spoken>()
const fetched = new Map<string, Promise<void>>()
const listeners = new Set<() => void>()
/** Parts that are wanted besides those of the widgets on the page. */
const besides = new Set<string>()

const add = (language: Language, part: string) =>
  loadOnce(fetched, `${language}/${part}`, async () => {
    const words = await fetchPart(language, part)
    spoken.set(language, { language, words: { ...spoken.get(language)?.words, ...words } })
    for (const listener of listeners) listener()
  })

/** More words, in every language that somebody on the page speaks now or later. */
const fetchBesides = async (...parts: readonly string[]) => {
  for (const part of parts) besides.add(part)
  await Promise.all([...spoken.keys()].flatMap(language => parts.map(part => add(language, part))))
}
needBesides(() => fetchBesides(restPart))

const ready = new Map<string, Promise<Spoken>>()

/** The words that a widget cannot be drawn without, fetched once; two widgets of a page may speak two languages. */
export const wordsFor = (language: Language, tag: string): Promise<Spoken> =>
  loadOnce(ready, `${language}/${tag}`, async () => {
    await Promise.all([...partsOf(tag), ...besides].map(part => add(language, part)))
    return spoken.get(language) as Spoken
  })

/** What has been fetched of a language, kept up to date. */
export const useSpoken = (language: Language): Spoken | undefined =>
  useSyncExternalStore(subscribe, () => spoken.get(language))

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export type Translate = {
  (key: Key, params?: Params): string
  /** A text whose key is put together at run time; undefined where there is none. */
  maybe: (key: string, params?: Params) => string | undefined
  language: Language
}

const wordIn = (table: Partial<Messages>, key: string) => (Object.hasOwn(table, key) ? table[key as Key] : undefined)

/** What names a text, not words that somebody has typed. */
const isName = /^[a-z]\w*(\.[\w-]+)+$/i

/** A text that data names may be among those that were not needed so far, or be another system's: it is drawn again when they come. */
const missed = (key: string): undefined => {
  if (besides.size < everyPart.length && isName.test(key)) fetchBesides(...everyPart).catch(() => undefined)
}

export const translator = ({ language, words }: Spoken, own: Partial<Messages> = {}): Translate => {
  const maybe = (key: string, params?: Params) => {
    const word = wordIn(own, key) ?? wordIn(words, key)
    if (word === undefined) return missed(key)
    return fill(word, params, language)
  }
  return Object.assign((key: Key, params?: Params) => maybe(key, params) ?? key, { maybe, language })
}

export const TextContext = createContext<Spoken | null>(null)

/** The words of the widget's language: `t('common.search')`. The host's own words come first. */
export const useText = (): Translate => {
  const words = useContext(TextContext)
  const { messages } = useHost().props
  if (!words) throw new Error('useText outside of a widget')
  return useMemo(() => translator(words, messages), [words, messages])
}

import { createContext, useContext, useMemo } from 'react'
import { fill, type Params } from '../i18n/fill.ts'
import { type Key, load, type Messages } from '../i18n/index.ts'
import type { Language } from '../i18n/language.ts'
import { useHost } from './context.ts'
import { loadOnce } from './load-screen.ts'

/** A language and its words. */
export type Spoken = { language: Language; words: Partial<Messages> }

const spoken = new Map<Language, Promise<Spoken>>()

/** The words of a language, fetched once; two widgets of a page may speak two. */
export const wordsFor = (language: Language): Promise<Spoken> =>
  loadOnce(spoken, language, async () => ({ language, words: await load(language) }))

export type Translate = {
  (key: Key, params?: Params): string
  /** A text whose key is put together at run time; undefined where there is none. */
  maybe: (key: string, params?: Params) => string | undefined
  language: Language
}

const wordIn = (table: Partial<Messages>, key: string) => (Object.hasOwn(table, key) ? table[key as Key] : undefined)

export const translator = ({ language, words }: Spoken, own: Partial<Messages> = {}): Translate => {
  const maybe = (key: string, params?: Params) => {
    const word = wordIn(own, key) ?? wordIn(words, key)
    return word === undefined ? undefined : fill(word, params)
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

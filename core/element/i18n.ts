import { createInstance, type i18n } from 'i18next'
import { createContext, useContext, useMemo } from 'react'
import { fill, type Params } from '../i18n/fill.ts'
import { type Key, load, type Messages } from '../i18n/index.ts'
import type { Language } from '../i18n/language.ts'
import { useHost } from './context.ts'
import { loadOnce } from './load-screen.ts'

const base = createInstance()
void base.init({
  initAsync: false,
  fallbackLng: false,
  keySeparator: false,
  nsSeparator: false,
  resources: {},
  interpolation: { prefix: '{', suffix: '}', escapeValue: false },
})

const instances = new Map<Language, Promise<i18n>>()

/** One instance per language, so that two widgets of a page may speak two. */
export const i18nFor = (language: Language): Promise<i18n> =>
  loadOnce(instances, language, async () => {
    base.addResourceBundle(language, 'translation', await load(language))
    return base.cloneInstance({ lng: language })
  })

export type Translate = {
  (key: Key, params?: Params): string
  /** A text whose key is put together at run time; undefined where there is none. */
  maybe: (key: string, params?: Params) => string | undefined
  language: Language
}

export const translator = (i18n: i18n, own: Partial<Messages> = {}): Translate => {
  const maybe = (key: string, params?: Params) => {
    const word = own[key as Key]
    if (word !== undefined) return fill(word, params)
    return i18n.exists(key) ? i18n.t(key, params ?? {}) : undefined
  }
  return Object.assign((key: Key, params?: Params) => maybe(key, params) ?? key, {
    maybe,
    language: i18n.language as Language,
  })
}

export const TextContext = createContext<i18n | null>(null)

/** The words of the widget's language: `t('common.search')`. The host's own words come first. */
export const useText = (): Translate => {
  const i18n = useContext(TextContext)
  const { messages } = useHost().props
  if (!i18n) throw new Error('useText outside of a widget')
  return useMemo(() => translator(i18n, messages), [i18n, messages])
}

import { createInstance, type i18n } from 'i18next'
import type { Language } from './language.ts'

/** Values for the `{name}` places of a text. */
export type Params = Readonly<Record<string, string | number>>
/** The texts of a namespace, by whole keys. */
export type Texts = Readonly<Record<string, string>>
export type Engine = i18n

/** Which of its values decides between a text's words for one and for several: the first of these that it is given. */
const counts = ['n', 'max', 'min', 'days', 'minutes', 'rows'] as const

const countOf = (params: Params) => {
  const value = counts.map(name => params[name]).find(given => given !== undefined)
  const count = Number(String(value).replaceAll(',', ''))
  return Number.isNaN(count) ? undefined : count
}

/**
 * An engine without texts. Keys are whole (`common.search`), places are `{name}`, a value is taken literally, and a place without one stays visible.
 * What a language lacks is said in English, then in Chinese, as far as they are there.
 */
export const newEngine = (): Engine => {
  const engine = createInstance()
  void engine.init({
    lng: 'zh',
    fallbackLng: { sw: ['en', 'zh'], en: ['zh'], default: [] },
    ns: [],
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    ignoreJSONStructure: false,
    initAsync: false,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
  })
  return engine
}

/** The text of a key in the first of the namespaces that has it, or undefined. */
export const say = (
  engine: Engine,
  language: Language,
  namespaces: readonly string[],
  key: string,
  params?: Params,
): string | undefined => {
  if (!params) {
    // Tables and files say thousands of words with nothing to fill in.
    for (const namespace of namespaces) {
      const text: unknown = engine.getResource(language, namespace, key)
      if (typeof text === 'string') return text
    }
  }
  const count = params && countOf(params)
  const said = engine.t(key, {
    lng: language,
    ns: namespaces,
    replace: { ...params },
    nest: false,
    defaultValue: '',
    ...(count === undefined ? {} : { count }),
  })
  return said || undefined
}

import { all as en } from './en/all.gen.ts'
import { newEngine, type Params, say, type Texts } from './engine.ts'
import type { Key } from './index.ts'
import { type Language, languages } from './language.ts'
import { all as sw } from './sw/all.gen.ts'
import { all as zh } from './zh/all.gen.ts'

/** Every text, at once: for the server, for tests and for generators. */
export const messages: Readonly<Record<Language, Texts>> = { zh, en, sw }

const namespace = 'all'
/** Words of this installation, in place of the program's. */
const own = 'own'
const namespaces = [own, namespace]
const engine = newEngine()
for (const language of languages) engine.addResourceBundle(language, namespace, messages[language])

/** Says these texts from now on in place of the program's own; those that were put there before are forgotten. */
export const putWords = (language: Language, texts: Texts): void => {
  engine.removeResourceBundle(language, own)
  engine.addResourceBundle(language, own, texts)
}

export const isKey = (key: string): key is Key => Object.hasOwn(zh, key) || Object.hasOwn(zh, `${key}_other`)

/** One text in one language. */
export const text = (language: Language, key: Key, params?: Params): string =>
  say(engine, language, namespaces, key, params) ?? key

/** All texts of one language, as a screen says them. */
export const words = (language: Language) =>
  Object.assign((key: Key, params?: Params) => text(language, key, params), {
    maybe: (key: string, params?: Params) => say(engine, language, namespaces, key, params),
    language,
  })

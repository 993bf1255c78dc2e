import { words as en } from './en/index.ts'
import { fill, type Params } from './fill.ts'
import { flatten, type Key } from './index.ts'
import type { Language } from './language.ts'
import { words as sw } from './sw/index.ts'
import { words as zh } from './zh/index.ts'

/** Every text, at once: for the server, for tests and for generators. */
export const messages = { zh: flatten(zh), en: flatten(en), sw: flatten(sw) }

export const isKey = (key: string): key is Key => Object.hasOwn(messages.zh, key)

/** One text in one language. */
export const text = (language: Language, key: Key, params?: Params) => fill(messages[language][key], params, language)

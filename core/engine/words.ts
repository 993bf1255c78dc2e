import type { Translate } from '../element/i18n.ts'
import type { Params } from '../i18n/fill.ts'
import type { Key } from '../i18n/index.ts'

/** A text with or without its values, as screens give it. */
export const wordsOf = (t: Translate, words: Key | { key: Key; params: Params }): string =>
  typeof words === 'string' ? t(words) : t(words.key, words.params)

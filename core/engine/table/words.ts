import type { z } from 'zod'
import { metaOf } from '../../contract/fields.ts'
import type { Translate } from '../../element/i18n.ts'
import type { Params } from '../../i18n/engine.ts'
import { formatMoney, sum } from '../../rules/amount.ts'
import type { Words } from '../screen.ts'
import type { Row } from './columns.ts'

/** A text as screens give it; what a bare key names comes from `params`. */
export const wordsOf = (t: Translate, words: Words, params?: Params): string =>
  typeof words === 'string' ? t(words, params) : t(words.key, words.params)

/** What a text may name of the rows it is about: how many they are, the sum of each amount, every other field of the first. */
export const paramsOf = (fields: z.ZodObject, rows: readonly Row[]): Params => {
  const [first] = rows
  if (!first) return { n: 0 }
  const values = Object.entries(fields.shape).map(([name, schema]) => [
    name,
    metaOf(schema as z.ZodType).kind === 'money'
      ? formatMoney(sum(rows.map(row => (row[name] as string | null) ?? '0.00')))
      : String(first[name] ?? ''),
  ])
  return { ...Object.fromEntries(values), n: rows.length }
}

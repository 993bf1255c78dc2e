import type { z } from 'zod'
import { type Kind, metaOf } from '../../core/contract/fields.ts'
import type { Language } from '../../core/i18n/language.ts'
import { plain, type Words } from '../../core/i18n/plain.ts'
import { isKey, text } from '../../core/i18n/server.ts'

/** A value on its way into a file: as it is read, and for a number its plain digits. */
export type Cell = { shown: string; number?: { digits: string; money: boolean } }

const words = (language: Language): Words =>
  Object.assign((key: Parameters<Words>[0], params?: Parameters<Words>[1]) => text(language, key, params), {
    maybe: (key: string, params?: Parameters<Words>[1]) => (isKey(key) ? text(language, key, params) : undefined),
  })

const numeric: readonly Kind[] = ['money', 'int']

export type Column = { header: string; cell: (value: unknown) => Cell }

/** The columns of a file: headers and values in the language of whoever asked for it. */
export const columnsOf = (row: z.ZodObject, names: readonly string[], language: Language): Column[] => {
  const t = words(language)
  return names.map(name => {
    const meta = metaOf(row.shape[name] as z.ZodType)
    return {
      header: t.maybe(`fields.${name}`) ?? name,
      cell: value => ({
        shown: plain(t, meta, value),
        ...(numeric.includes(meta.kind) && !meta.many && value !== null && value !== undefined
          ? { number: { digits: String(value), money: meta.kind === 'money' } }
          : {}),
      }),
    }
  })
}

import type { z } from 'zod'
import { metaOf } from '../../../core/contract/fields.ts'
import { maskerOf, type Who } from '../../../core/contract/masking.ts'
import type { Language } from '../../../core/i18n/language.ts'
import { plain, type Words } from '../../../core/i18n/plain.ts'
import { words } from '../../../core/i18n/server.ts'
import { eatDateTime } from '../../../core/rules/time.ts'

/** A value on its way into a file: as it is read, and for a number its plain digits as well. */
export type Cell = string | { shown: string; digits: string; money: boolean }

/** A column of a file: its header, and how a value becomes a cell. */
export type Column = { header: string; cell: (value: unknown) => Cell }
type Meta = ReturnType<typeof metaOf>

/** Different values whose words are remembered, by column: amounts and statuses come again and again. */
const remembered = 2_000

const remembering = <T>(work: (value: unknown) => T): ((value: unknown) => T) => {
  const known = new Map<unknown, T>()
  return value => {
    const before = known.get(value)
    if (before !== undefined) return before
    const now = work(value)
    if (known.size === remembered) known.clear()
    known.set(value, now)
    return now
  }
}

/** Stamps hour by hour: EAT is whole hours away from UTC, so minutes and seconds stay as they are. */
const stamps = () => {
  const hourOf = remembering(hour => eatDateTime(`${hour}:00:00.000Z`).slice(0, 13))
  return (value: unknown) => {
    if (value === null || value === undefined) return ''
    const at = String(value)
    return hourOf(at.slice(0, 13)) + at.slice(13, 19)
  }
}

const cellOf = (t: Words, meta: Meta): Column['cell'] => {
  if (meta.many) return value => plain(t, meta, value)
  switch (meta.kind) {
    case 'money':
    case 'int':
      return remembering(value =>
        value === null || value === undefined
          ? ''
          : { shown: plain(t, meta, value), digits: String(value), money: meta.kind === 'money' },
      )
    case 'dict':
    case 'flag':
    case 'minutes':
    case 'seconds':
      return remembering(value => plain(t, meta, value))
    case 'time':
      return stamps()
    default:
      return value => plain(t, meta, value)
  }
}

/** The columns of a file: headers and values in the language of the person who asked, masked for `who` as their list masks them. */
export const columnsOf = (row: z.ZodObject, names: readonly string[], language: Language, who?: Who): Column[] => {
  const t = words(language)
  return names.map(name => {
    const schema = row.shape[name] as z.ZodType
    const hide = who && maskerOf(schema, who)
    const cell = cellOf(t, metaOf(schema))
    return { header: t.maybe(`fields.${name}`) ?? name, cell: hide ? value => cell(hide(value)) : cell }
  })
}

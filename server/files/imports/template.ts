import type { z } from 'zod'
import type { Importing } from '../../../core/contract/endpoint.ts'
import { metaOf } from '../../../core/contract/fields.ts'
import type { Language } from '../../../core/i18n/language.ts'
import { text } from '../../../core/i18n/server.ts'
import { type Served, serveDownload } from '../../http/serve.ts'
import { writers } from '../exports/store.ts'
import type { Writer } from '../exports/writer.ts'
import { noteMark } from './read/header.ts'
import { requiredOf } from './read-job.ts'
import { columnWord, type Importable } from './store.ts'

const hints = {
  money: 'common.importHintMoney',
  time: 'common.importHintTime',
  date: 'common.importHintDate',
  phone: 'common.importHintPhone',
  walletAccount: 'common.importHintPhone',
} as const

/** What may stand in a column, for people. */
const hintOf = (language: Language, schema: z.ZodType): string => {
  const { kind, dict, schema: inner } = metaOf(schema)
  if (kind === 'dict') {
    const { entries = {} } = inner.def as unknown as { entries?: Record<string, string> }
    const values = Object.values(entries).map(value =>
      text(language, `dict.${dict}.${value}` as Parameters<typeof text>[1]),
    )
    return text(language, 'common.importHintOneOf', { values: values.join(' / ') })
  }
  return kind in hints ? text(language, hints[kind as keyof typeof hints]) : ''
}

type Shown = Pick<Importing, 'row' | 'example'>

/** The rows of a template: the header, what may stand in each column, and an example. The last two are marked, so that they are not taken in. */
export const templateRows = (of: Shown, language: Language): { header: string[]; notes: string[][] } => {
  const { row, example } = of
  const required = requiredOf(of)
  const columns = Object.entries(row.shape) as [string, z.ZodType][]
  const header = columns.map(([name]) => `${columnWord(language, name)}${required.includes(name) ? '*' : ''}`)
  const said = columns.map(([name, schema]) =>
    [required.includes(name) ? text(language, 'common.importHintRequired') : '', hintOf(language, schema)]
      .filter(Boolean)
      .join(' · '),
  )
  const shown = columns.map(([name]) => example[name] ?? '')
  const marked = (cells: string[]) => [`${noteMark} ${cells[0]}`, ...cells.slice(1)]
  return { header, notes: [marked(said), marked(shown)] }
}

/** The template of an import: a header row, notes and an example, in the language of the caller. */
export const templateBytes = (of: Shown, language: Language, writer: Writer): Buffer => {
  const { header, notes } = templateRows(of, language)
  const begun = writer.begin(header, { asTyped: true })
  const body = writer.rows(begun.written, notes)
  return Buffer.concat([begun.bytes, body.bytes, writer.end(body.written).bytes])
}

/** Mounts the template of an import: its columns in the language of the caller. */
export const serveTemplate = (of: Importable): Served =>
  serveDownload(of.list.importing.template, 'import.template', async ({ input, session }) => {
    const { exportFormat } = input as { exportFormat: keyof typeof writers }
    const { as } = of.list.importing
    const bytes = templateBytes(of.list.importing, session.language, writers[exportFormat])
    const name = `${text(session.language, `dict.IMPORT_LIST.${as}`)}.${exportFormat}`
    return { bytes, name, type: writers[exportFormat].type, size: bytes.length }
  })

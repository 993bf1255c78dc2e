import type { z } from 'zod'
import { metaOf } from '../../../core/contract/fields.ts'
import { text } from '../../../core/i18n/server.ts'
import { type Money, sum } from '../../../core/rules/money.ts'
import type { Cell, Column } from './cell.ts'
import type { Exportable, ExportJob, Sums } from './store.ts'

type Values = Record<string, unknown>
/** What the rows of a file add up to so far, by column. */

const isMoney = (of: Exportable, name: string) => metaOf(of.list.row.shape[name] as z.ZodType).kind === 'money'

/** The columns of a file that are added up; its first one says of how many rows. */
const summedOf = (of: Exportable, job: ExportJob): string[] =>
  job.columns.slice(1).filter(name => of.list.totalling?.names.includes(name))

/** Adds rows that were written. */
export const added = (of: Exportable, job: ExportJob, before: Sums, rows: readonly Values[]): Sums =>
  Object.fromEntries(
    summedOf(of, job).map(name => [
      name,
      isMoney(of, name)
        ? sum([(before[name] as Money | undefined) ?? '0.00', ...rows.map(row => (row[name] ?? '0.00') as Money)])
        : rows.reduce((all, row) => all + Number(row[name] ?? 0), Number(before[name] ?? 0)),
    ]),
  )

/** The last line of a file: what its rows add up to, exactly as they were written. Without it the file ends with its last row. */
export const totalsLine = (of: Exportable, job: ExportJob, columns: readonly Column[], sums: Sums): Cell[] | null => {
  const names = summedOf(of, job)
  if (names.length === 0 || job.rowsDone === 0) return null
  return job.columns.map((name, at) => {
    if (at === 0) return text(job.language, 'list.totalOf', { n: job.rowsDone.toLocaleString('en') })
    const value = names.includes(name) ? sums[name] : undefined
    if (value === undefined) return ''
    return typeof value === 'number'
      ? { shown: value.toLocaleString('en'), digits: String(value), money: false }
      : (columns[at] as Column).cell(value)
  })
}

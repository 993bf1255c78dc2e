import type { ReactNode } from 'react'
import type { z } from 'zod'
import { metaOf } from '../../contract/fields.ts'
import type { Translate } from '../../element/i18n.ts'
import type { Key } from '../../i18n/index.ts'
import type { Column, Listed } from '../screen.ts'

/** What a field knows of itself; see `core/contract/fields.ts`. */
export type Meta = ReturnType<typeof metaOf>
/** A row of any list. */
export type Row = Readonly<Record<string, unknown>>

/** A column ready to draw. */
export type DrawnColumn = {
  id: string
  header: string
  meta: Meta | null
  sortable: boolean
  hidden: boolean
  width?: number
  cell?: (row: Row) => ReactNode
}

/** The label of a field in the language of the widget. */
export const labelOf = (t: Translate, name: string): string => t.maybe(`fields.${name}`) ?? name

/** Several words in one line, as the language of the widget lists them. */
export const listed = (t: Translate, [first = '', ...others]: readonly string[]): string =>
  others.reduce((one, more) => t('common.listed', { one, more }), first)

/** Completes the columns of a screen: header, kind and sorting come from the endpoint. */
export const drawn = (t: Translate, list: Listed, columns: readonly Column<Row>[], hidden = false): DrawnColumn[] =>
  columns.map(given => {
    const column = typeof given === 'string' ? { id: given as string } : given
    const schema = list.row.shape[column.id] as z.ZodType | undefined
    return {
      id: column.id,
      header: 'label' in column ? t(column.label as Key) : labelOf(t, column.id),
      meta: schema ? metaOf(schema) : null,
      sortable: list.sort.includes(column.id),
      hidden,
      ...('width' in column && column.width ? { width: column.width } : {}),
      ...('cell' in column && column.cell ? { cell: column.cell as (row: Row) => ReactNode } : {}),
    }
  })

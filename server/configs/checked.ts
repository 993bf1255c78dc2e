import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Config, Version } from '../../core/contract/config.ts'
import { metaOf } from '../../core/contract/fields.ts'
import { rowChanges, sheetOf } from '../../core/contract/row-changes.ts'
import { Decimal, formatMoney } from '../../core/rules/money.ts'
import { requestApproval, type SummaryLine } from '../approval/approval.ts'
import { waitsFor } from '../approval/visible.ts'
import type { Call } from '../http/serve.ts'
import type { Reader } from '../lists/listed.ts'

type Frag = RawBuilder<unknown>
type Shape = Readonly<Record<string, z.ZodType>>
type Values = Readonly<Record<string, unknown>>
type Item = Readonly<Record<string, unknown>> & { version: number }

const isRow = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
/** Rates have four decimals where they have any; a price that is an amount is a whole number of shillings. */
const rateText = (value: string): string => {
  const rate = new Decimal(value)
  return rate.isInteger() ? formatMoney(rate.toFixed(2)) : rate.toFixed(4)
}
const keyOf = (schema: z.ZodType | undefined, value: unknown): string => {
  const meta = schema ? metaOf(schema) : null
  if (meta?.kind === 'money') return `UGX ${formatMoney(String(value))}`
  if (meta?.kind === 'rate') return rateText(String(value))
  return meta?.kind === 'dict' || meta?.kind === 'weekDays' ? `dict.${meta.dict}.${String(value)}` : String(value)
}

/**
 * A value of a change as the second person reads it: keys of the words of dictionaries, everything else as it is kept. Several are
 * parted by `, `, the fields of a row, in the order of their declaration, by ` · `, so that each key is said by itself.
 */
const shown = (schema: z.ZodType | undefined, text: string | null): string | null => {
  if (text === null) return null
  const inner = schema && (metaOf(schema).schema as { element?: { shape?: Shape }; shape?: Shape })
  const shape = inner?.element?.shape ?? inner?.shape ?? {}
  const of = (value: unknown): string =>
    isRow(value)
      ? Object.keys({ ...shape, ...value })
          .flatMap(name => (value[name] === undefined ? [] : [keyOf(shape[name], value[name])]))
          .join(' · ')
      : keyOf(schema, value)
  const value: unknown = JSON.parse(text)
  if (!Array.isArray(value)) return of(value)
  return value.length ? value.map(of).join(', ') : null
}

/** Changes of a config as the second person reads them. */
export const summaryOf = (config: Config, changes: Version['changes']): SummaryLine[] => {
  const shape: Record<string, z.ZodType> = { ...config.row.shape, ...config.form }
  return changes.flatMap(({ field, before, after }): SummaryLine[] => {
    const sheet = shape[field] && sheetOf(shape[field])
    if (sheet) return sheetLines(sheet, before, after)
    return [{ label: `fields.${field}`, before: shown(shape[field], before), after: shown(shape[field], after) }]
  })
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

/** A line for each cell that differs, with the name of its row before the value. */
const sheetLines = (sheet: Shape, before: string | null, after: string | null): SummaryLine[] => {
  const key = Object.values(sheet)[0]
  return rowChanges(sheet, parsed(before), parsed(after)).map(one => {
    const said = (value: unknown) =>
      value === null ? null : `${keyOf(key, one.row)} · ${shown(one.schema, JSON.stringify(value))}`
    return { label: `fields.${one.field}`, before: said(one.before), after: said(one.after) }
  })
}

/** The merchant that an item is of, where it is of one alone: nobody else's checkers hear of it. */
export const merchantOf = (item: Readonly<Record<string, unknown>>): string | undefined => {
  const { merchantNo, merchantNos } = item
  const [of = merchantNo, ...more] = Array.isArray(merchantNos) ? (merchantNos as unknown[]) : []
  return typeof of === 'string' && more.length === 0 ? of : undefined
}

/** Holds a change of an item for a second person; answers the number of the request. */
export const askChecker = (
  call: Pick<Call, 'tx' | 'session' | 'actor'>,
  config: Config,
  item: Item,
  asked: { event: 'save' | 'state'; payload: Record<string, unknown>; changes: Version['changes'] },
): Promise<string> => {
  const merchantNo = merchantOf(item)
  return requestApproval(call, {
    action: `${config.name}.${asked.event}`,
    perm: config.codes[asked.event === 'save' ? 'save' : 'enable'],
    objectType: config.table,
    objectNo: String(item[config.key]),
    ...(merchantNo ? { merchantNo } : {}),
    version: item.version,
    payload: { ...asked.payload, version: item.version },
    summary: summaryOf(config, asked.changes),
  })
}

const ofItem = (table: string, key: Frag) => sql`a.object_type = ${table} and a.object_no = ${key}`

/** Who asked for what waits on an item. */
export const waitingMaker = (table: string, key: Frag): Frag =>
  sql`(select a.maker_name from approval a where ${ofItem(table, key)} and a.approval_status = 'pending' limit 1)`

/** Items with a change that the reader may decide. */
export const waitingFilter =
  ({ tx, session }: Reader, table: string, key: Frag) =>
  (mine: unknown): Frag | null =>
    mine ? sql`exists (select 1 from approval a where ${ofItem(table, key)} and ${waitsFor(tx, session)})` : null

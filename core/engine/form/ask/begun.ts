import { useState } from 'react'
import type { z } from 'zod'
import { useRead } from '../../../client/providers.tsx'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { CallAction } from '../../screen.ts'
import type { Row } from '../../table/columns.ts'

export type Answers = Record<string, unknown>
export type Shaped = z.ZodType & { shape?: Record<string, z.ZodType> }

/** A value that is masked is not known, so it cannot be typed over by accident. */
const isMasked = (value: unknown) => typeof value === 'string' && value.includes('*')

/** What stands in the asked fields at first: empty where nothing is known, or only in part. */
export const startOf = (asked: readonly string[], known: Readonly<Record<string, unknown>>): Answers =>
  Object.fromEntries(
    asked.flatMap(name => (known[name] == null || isMasked(known[name]) ? [] : [[name, known[name]] as const])),
  )

/** Whether two values of a field are the same to its reader. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The fields of a row that a read of it takes. */
const keysOf = (read: Endpoint, row: Row): Answers =>
  Object.fromEntries(Object.keys((read.input as Shaped).shape ?? {}).map(name => [name, row[name]]))

const isRead = (from: CallAction<Row>['from']): from is Endpoint => typeof from === 'object'

/** The record that a dialog begins with, where its action says so: undefined while it is read, and read again by `again`. */
export const useRecord = ({ from }: CallAction<Row>, rows: readonly Row[]) => {
  const [row] = rows
  const one = rows.length <= 1
  const call = isRead(from) && row && one ? from : undefined
  const { data, error, retry } = useRead(call as Endpoint, call && row ? (keysOf(call, row) as never) : null)
  const [given] = useState(() => (typeof from === 'function' && one ? (from(rows) as Row) : {}))
  const record = call ? (data as Row | undefined) : from === 'row' && one ? (row ?? {}) : given
  return { record, error, again: () => void (call && retry()) }
}

import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { metaOf } from '../../../contract/fields.ts'
import { useCarried, useKept } from '../../../ui/kept.ts'
import type { CallAction, LeftOut } from '../../screen.ts'
import type { Row } from '../../table/columns.ts'
import { keyOf } from '../field-words.ts'
import { type Answers, isSame, type Shaped, startOf } from './begun.ts'

/** What the dialog of a command is given. */
export type AskProps = {
  action: CallAction<Row>
  rows: readonly Row[]
  /** Chosen rows that it will not be done to. */
  left?: readonly LeftOut[]
  rowKey: string
  /** The shape of the rows. */
  fields: z.ZodObject
  /** What the list shows by now: the rows may have moved on since the dialog was opened. */
  page?: readonly Row[]
  /** The rows have moved on: the list is to be read again. */
  stale?: () => void
  close: (changed?: boolean) => void
}
/** The same once it is known what the fields begin with. */
export type BegunProps = AskProps & { record: Row; again: () => void }

export const shapeOf = (run: Endpoint): Record<string, z.ZodType> => (run.input as Shaped).shape ?? {}

/** The rows as the list shows them by now. */
export const presentOf = ({ rows, page, rowKey }: AskProps): readonly Row[] =>
  rows.map(row => page?.find(one => one[rowKey] === row[rowKey]) ?? row)

/** What a command is given by default: the key of its rows or their keys, and the version that was seen of a single one. */
export const inputOf = (action: CallAction<Row>, rows: readonly Row[], rowKey: string): Answers => {
  if (action.input) return action.input(rows) as Answers
  const shape = shapeOf(action.run)
  const key = action.run.on?.key ?? (rowKey in shape ? rowKey : `${rowKey}s`)
  const many = metaOf(shape[key] ?? z.string()).many
  const own = key.replace(/s$/, '')
  return {
    ...(rows.length && key in shape
      ? { [key]: many ? rows.map(row => row[own] ?? row[rowKey]) : (rows[0]?.[key] ?? rows[0]?.[rowKey]) }
      : {}),
    ...('version' in shape && rows[0] ? { version: rows[0].version } : {}),
  }
}

/** What is ticked has to be given, whether or not the command could do without it. */
const needed = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
/** An empty list where one may not be given empty, but need not be given: the record has nothing there yet. */
const isAbsent = (schema: z.ZodType, value: unknown) =>
  isSame(value, []) && accepts(schema, undefined) && !accepts(schema, value)

/** The record that the form began with. After a conflict it is the present one: fields that nobody touched follow it. */
const useBase = (record: Row, follow: (before: Row, now: Row) => void) => {
  const [base, setBase] = useState({ record, turn: 0 })
  const [moved, setMoved] = useState(false)
  const take = useRef(follow)
  take.current = follow
  useEffect(() => {
    if (!moved || record === base.record) return
    take.current(base.record, record)
    setBase({ record, turn: base.turn + 1 })
    setMoved(false)
  }, [moved, record, base])
  return { ...base, rebase: () => setMoved(true) }
}

/** The fields that a command asks for, kept over a reload. */
export const useAsked = (props: BegunProps) => {
  const { action, rows, rowKey, record, again, stale } = props
  const shape = shapeOf(action.run)
  const offered = action.ask ?? []
  const place = `${action.run.path}/${rows.map(row => row[rowKey]).join()}`
  const [ticked, setTicked] = useKept<readonly string[]>(`${place}/ticks`, [])
  const asked = action.ticks ? offered.filter(name => ticked.includes(name)) : offered
  const one = (name: string) => (action.ticks ? needed : (schema: z.ZodType) => schema)(shape[name] as z.ZodType)
  const schema = z.object(Object.fromEntries(asked.map(name => [name, one(name)])))
  /** A file is chosen again: what was on its way is not after a reload. */
  const typed = offered.filter(name => metaOf(shape[name] as z.ZodType).kind !== 'file')
  const start = (names: readonly string[], known: Row): Answers =>
    Object.fromEntries(
      Object.entries(startOf(names, known)).filter(([name, value]) => !isAbsent(shape[name] as z.ZodType, value)),
    )
  const values = useRef<() => Answers>(() => ({}))
  const carried = useCarried<Answers>(place, () =>
    Object.fromEntries(Object.entries(values.current()).filter(([name]) => typed.includes(name))),
  )
  const present = presentOf(props)
  const inputs = inputOf(action, present, rowKey)
  const form = useForm<Answers>({
    resolver: zodResolver(schema as never, { error: keyOf } as never) as never,
    defaultValues: {
      ...Object.fromEntries(offered.map(name => [name, inputs[name]])),
      ...start(offered, record),
      ...carried,
    },
  })
  values.current = form.getValues
  const base = useBase(record, (before, now) => {
    for (const name of asked)
      if (isSame(form.getValues(name), start([name], before)[name]))
        form.setValue(name, start([name], now)[name] as never)
  })
  const begins = action.from !== undefined
  const seen = begins && typeof base.record.version === 'number' ? { version: base.record.version } : {}
  return {
    ...{ shape, offered, asked, ticked, setTicked, present, form },
    given: 'version' in inputs ? { ...inputs, ...seen } : inputs,
    /** Changes when the fields are filled again. */
    turn: base.turn,
    /** Whether anything differs from what the form began with; undefined where it began empty. */
    differs: begins ? asked.some(name => !isSame(form.watch(name), start([name], base.record)[name])) : undefined,
    /** Another person has saved meanwhile: reads again, and takes what they saved where nothing was typed. */
    moveOn: () => {
      stale?.()
      again()
      base.rebase()
    },
  }
}
export type Asked = ReturnType<typeof useAsked>

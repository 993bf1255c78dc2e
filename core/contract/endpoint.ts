import { z } from 'zod'
import type { MachineName } from '../rules/machines/machines.ts'
import type { dictionaries } from './dictionaries.ts'
import { field } from './fields.ts'

/** Everything a console calls lies below this path; a host may set another base. */
export const base = '/api/hc/web'

/** Every answer: 0 or a stable number of the catalogue, words in the caller's language, the data. */
export type Envelope<T = unknown> = { code: number; msg: string; data: T }

/** The machine event that a command fires: its button reads this, its tests too. */
export type On = {
  machine: MachineName
  event: string
  /** The input field that names the row or rows. */
  key: string
}

export type Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST'
  /** Below {@link base}; `{name}` takes that field of the input. */
  path: `/${string}`
  /** Who may call: staff with a session (the default), anybody, or a merchant that signs. */
  auth: 'staff' | 'anon' | 'merchant'
  /** Operation code the caller must hold; absent means any signed-in user. */
  perm?: string
  /** Codes of which one is enough, when `perm` alone does not decide. */
  anyPerm?: readonly string[]
  /** Names a command in the audit log. Reads have none; a command needs an `Idempotency-Key`. */
  audit?: string
  /** A read that leaves a trace, such as the reveal of a sensitive value. */
  writes?: true
  /** Answers a file instead of an envelope; a refusal is an envelope all the same. */
  file?: true
  /**
   * The caller proves anew who they are (40302, `X-Step-Up`): for every call, under the code of the endpoint, or `ofRecord` where
   * the record decides whether and under which code.
   */
  stepUp?: true | 'ofRecord'
  on?: On
  input: I
  output: O
}

type Given<I extends z.ZodType, O extends z.ZodType> = Omit<Endpoint<I, O>, 'auth'> & { auth?: Endpoint['auth'] }

/** Declares a call once: server validation, client types, mocks, OpenAPI and forms are derived from it. */
export const endpoint = <I extends z.ZodType, O extends z.ZodType>(e: Given<I, O>): Endpoint<I, O> => ({
  auth: 'staff',
  ...e,
})

/** An audited write. `on` ties it to its machine, so that a button knows when it applies. */
export const command = <I extends z.ZodType, O extends z.ZodType>(
  e: Omit<Given<I, O>, 'method' | 'audit'> & { audit: string },
): Endpoint<I, O> => endpoint({ method: 'POST', ...e })

/** A single read. */
export const read = <S extends z.ZodRawShape, O extends z.ZodType>(
  path: Endpoint['path'],
  o: { perm?: string; anyPerm?: readonly string[]; input: S; output: O },
) =>
  endpoint({ method: 'GET', path, perm: o.perm, anyPerm: o.anyPerm, input: z.strictObject(o.input), output: o.output })

export const pageSizes = [10, 20, 50, 100] as const
/** Lists stop counting here; a greater number is shown as "10,000+". */
export const countCap = 10_001

/** A page of rows. `total` is at most {@link countCap}. */
export const page = <R extends z.ZodType>(row: R) =>
  z.object({ list: z.array(row), total: z.int().nonnegative(), pageNum: z.int(), pageSize: z.int() })

const sortKeys = <K extends string>(keys: readonly K[]) =>
  keys.flatMap(key => [key, `-${key}` as const]) as unknown as readonly [K | `-${K}`, ...(K | `-${K}`)[]]

/** Above so many rows an export with sensitive columns needs a reason. */
export const reasonRows = 1_000

type Exported = {
  /** What its files are called. */
  as: (typeof dictionaries.EXPORT_LIST)[number]
  perm: string
}

/** The command that writes a whole list to a file: the filters and the order of the list, and the columns wanted. */
const exporting = (
  path: Endpoint['path'],
  { as, perm }: Exported,
  o: { row: z.ZodObject; filters: z.ZodRawShape; sort: readonly string[]; defaultSort: string },
) => ({
  ...command({
    path: path.replace(/[^/]+$/, 'export') as Endpoint['path'],
    perm,
    audit: `export.${as}`,
    on: { machine: 'exportJob', event: 'export.request', key: 'exportNo' },
    input: z.strictObject({
      filters: z.strictObject(o.filters),
      columns: z
        .array(z.enum(Object.keys(o.row.shape).filter(name => name !== 'version')))
        .min(1)
        .max(60),
      sort: z.enum(sortKeys(o.sort)).default(o.defaultSort),
      exportFormat: field.dict('EXPORT_FORMAT'),
      reason: field.remark(100).optional(),
    }),
    output: z.object({ exportNo: field.key(), rowCount: z.int().nonnegative() }),
  }),
  as,
})

/** A list endpoint: filters, paging and one sort key in; a page of rows out. `sort` is `field` or `-field`. */
export const list = <
  F extends z.ZodRawShape,
  R extends z.ZodObject,
  const K extends readonly (keyof z.output<R> & string)[],
>(
  path: Endpoint['path'],
  o: {
    perm?: string
    anyPerm?: readonly string[]
    row: R
    filters: F
    sort: K
    defaultSort: K[number] | `-${K[number]}`
    /** Lets its holders write the list to a file; the command follows from the list. */
    exported?: Exported
  },
) => ({
  ...endpoint({
    method: 'POST',
    path,
    perm: o.perm,
    anyPerm: o.anyPerm,
    output: page(o.row),
    input: z.strictObject({
      ...o.filters,
      pageNum: z.int().min(1).max(1_000_000).default(1),
      pageSize: z.union(pageSizes.map(n => z.literal(n))).default(20),
      sort: z.enum(sortKeys(o.sort)).default(o.defaultSort as never),
    }),
  }),
  row: o.row,
  filters: o.filters,
  sort: o.sort as readonly string[],
  defaultSort: o.defaultSort as string,
  exporting: o.exported && exporting(path, o.exported, o),
})

export type ListEndpoint = ReturnType<typeof list<z.ZodRawShape, z.ZodObject, readonly string[]>>
export type InputOf<E> = E extends { input: infer I extends z.ZodType } ? z.input<I> : never
export type ParsedOf<E> = E extends { input: infer I extends z.ZodType } ? z.output<I> : never
export type OutputOf<E> = E extends { output: infer O extends z.ZodType } ? z.output<O> : never
export type RowOf<E> = E extends { row: infer R extends z.ZodType } ? z.output<R> : never
export type FiltersOf<E> = E extends { filters: infer F extends z.ZodRawShape }
  ? { [K in keyof F]?: z.input<F[K]> }
  : never

/** What a command on several rows answers: one line per row, refused ones with their code and words. */
export const results = z.object({
  ok: z.int(),
  fail: z.int(),
  rows: z.array(z.object({ id: z.string(), code: z.int(), msg: z.string() })),
})
export type Results = z.output<typeof results>

export const done = z.object({ version: z.int().optional() })

import { z } from 'zod'
import type { Machine } from '../rules/machines/machine.ts'
import { exportJob } from '../rules/machines/platform/export-job.ts'
import { importJob } from '../rules/machines/platform/import-job.ts'
import type { exportLists, importLists } from './common/file-lists.ts'
import { dictionary, field, metaOf, type ValueOf } from './fields.ts'
import type { SensitiveKindName } from './sensitive-kinds.ts'

/** File formats of exports and templates. */
export const exportFormats = dictionary('EXPORT_FORMAT', ['xlsx', 'csv'])

/** Everything a console calls lies below this path; a host may set another base. */
export const base = '/api/hc/web'

/** Every answer: 0 or a stable number of the catalogue, words in the caller's language, the data. */
export type Envelope<T = unknown> = { code: number; msg: string; data: T }

/** The machine event that a command fires: its button reads this, its tests too. */
export type On = {
  machine: Machine
  event: string
  /** Further events of the command, where its input says which happens. */
  or?: readonly string[]
  /** The input field that names the row or rows. */
  key: string
}

/** The declaration of one call. Validation, client types, forms, mocks, OpenAPI, rights and tests derive from it. */
export type Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'PUT'
  /** Below {@link base}; `{name}` takes that field of the input. */
  path: `/${string}`
  /** Who may call: staff with a session (the default), anybody, a merchant or a supermarket platform that signs, or a partner's back end with its key. */
  auth: 'staff' | 'anon' | 'merchant' | 'platform' | 'partner'
  /** Operation code the caller must hold; absent means any signed-in user. */
  perm?: string
  /** Codes of which one is enough, when `perm` alone does not decide. */
  anyPerm?: readonly string[]
  /** A kind of sensitive value that the whole answer is of: besides the code the caller holds `pii:reveal:{sees}`. */
  sees?: SensitiveKindName
  /** Names a command in the audit log. Reads have none; a command needs an `Idempotency-Key`. */
  audit?: string
  /** A read that leaves a trace, such as the reveal of a sensitive value. */
  writes?: true
  /** Answers a file instead of an envelope; a refusal is an envelope all the same. */
  file?: true
  /** Called by other systems: POST and PUT alike, bodies up to this many bytes, HTTP 429 when there are too many calls. */
  foreign?: {
    maxBody: number
    /** Its body is a form (`a=1&b=2`) as well as JSON. */
    form?: true
  }
  /** Takes raw bytes, up to this many, instead of JSON; its input is in path and query, as that of a read. */
  bytes?: number
  /** Headers of its own, with what they hold. */
  headers?: Readonly<Record<string, string>>
  /**
   * The caller proves again who they are (40302, `X-Step-Up`): for every call, under the code of the endpoint, or `ofRecord` where
   * the record decides whether and under which code.
   */
  stepUp?: true | 'ofRecord'
  /** Its answer holds what nobody keeps: the same call again is refused, and what was done stays done. */
  shownOnce?: true
  on?: On
  /**
   * Lets money go, come in, change its owner or its payee (`moves`), or gives up what is owed (`forgives`); also a decision that
   * does so later, or when somebody else agrees. A partner's page may call it only where the grant names it by its `audit` name,
   * and each call needs the person's own code.
   */
  money?: 'moves' | 'forgives'
  input: I
  output: O
  /** `<system>/<noun>`: the file that declares it, and the words that go with it. See {@link noun}. */
  noun?: string
}

type Given<I extends z.ZodType, O extends z.ZodType> = Omit<Endpoint<I, O>, 'auth'> & { auth?: Endpoint['auth'] }

/**
 * Declares a call once: server validation, client types, mocks, OpenAPI and forms are derived from it.
 * Use {@link read}, {@link command} or {@link list} where one of them fits.
 */
export const endpoint = <I extends z.ZodType, O extends z.ZodType>(e: Given<I, O>): Endpoint<I, O> => ({
  auth: 'staff',
  ...e,
})

/**
 * An audited write, sent with an `Idempotency-Key`. `audit` names it in the log; `on` ties it to its machine, so that a button knows
 * when it applies.
 * @example command({ path: '/rePayManage/commit', perm: 'postloan:repay:commit', audit: 'repay.commit', input, output })
 */
export const command = <I extends z.ZodType, O extends z.ZodType>(
  e: Omit<Given<I, O>, 'method' | 'audit'> & { audit: string },
): Endpoint<I, O> => endpoint({ method: 'POST', ...e })

/** A read by GET; its input is the path and the query, its answer is not stored. */
export const read = <S extends z.ZodRawShape, O extends z.ZodType>(
  path: Endpoint['path'],
  o: { perm?: string; anyPerm?: readonly string[]; input: S; output: O },
) =>
  endpoint({ method: 'GET', path, perm: o.perm, anyPerm: o.anyPerm, input: z.strictObject(o.input), output: o.output })

/** Rows per page that a list may be asked for. */
export const pageSizes = [10, 20, 50, 100] as const
/** Lists stop counting here; a greater number is shown as "10,000+". */
export const countCap = 10_001

/** An opaque cursor of a list, as the server issued it. */
const cursor = () =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(2_000)

/**
 * A page of rows. `total` is at most {@link countCap}. `next` and `previous` are what `after` and `before` take for the rows behind the
 * last and before the first one; without them there are none, or it is not known.
 */
export const page = <R extends z.ZodType>(row: R) =>
  z.object({
    list: z.array(row),
    total: z.int().nonnegative(),
    pageNum: z.int(),
    pageSize: z.int(),
    next: cursor().nullish(),
    previous: cursor().nullish(),
  })

const totalOf = (column: z.ZodType) => (metaOf(column).kind === 'money' ? field.money() : field.int())

const sortKeys = <K extends string>(keys: readonly K[]) =>
  keys.flatMap(key => [key, `-${key}` as const]) as unknown as readonly [K | `-${K}`, ...(K | `-${K}`)[]]

/** Most values of one filter. */
export const maxChoices = 1_000

/** A filter of many values takes at most {@link maxChoices}, unless it says fewer. */
const bounded = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodOptional) return bounded(schema.unwrap() as z.ZodType).optional()
  if (!(schema instanceof z.ZodArray)) return schema
  const { maximum = Number.POSITIVE_INFINITY } = schema._zod.bag as { maximum?: number }
  return maximum <= maxChoices ? schema : schema.max(maxChoices)
}

const boundedAll = <F extends z.ZodRawShape>(filters: F): F =>
  Object.fromEntries(
    Object.entries(filters).map(([name, schema]) => [name, bounded(schema as z.ZodType)]),
  ) as z.ZodRawShape as F

/** An export with sensitive columns and more rows than this needs a reason. */
export const reasonRows = 1_000

type Exported = {
  /** What its files are called. */
  as: ValueOf<typeof exportLists>
  perm: string
}

/** What rows carry for their actions, and no file holds. */
const unlisted: readonly string[] = ['version', 'blockedBy']

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
    on: { machine: exportJob, event: 'export.request', key: 'exportNo' },
    input: z.strictObject({
      filters: z.strictObject(o.filters),
      columns: z
        .array(z.enum(Object.keys(o.row.shape).filter(name => !unlisted.includes(name))))
        .min(1)
        .max(60),
      sort: z.enum(sortKeys(o.sort)).default(o.defaultSort),
      exportFormat: field.dict(exportFormats),
      reason: field.remark(100).optional(),
    }),
    output: z.object({ exportNo: field.key(), rowCount: z.int().nonnegative() }),
  }),
  as,
})

/** Most rows of a file that is taken in. */
export const maxImportRows = 50_000

type Imported = {
  /** What its files are called. */
  as: ValueOf<typeof importLists>
  perm: string
  /** A row of the file, by field kinds; what may be left out is not asked for in the header either. */
  row: z.ZodObject
  /** The column, or the columns together, that name a row: what comes a second time in a file is a duplicate. */
  key: string | readonly string[]
  /** How a row may look; the template shows it. */
  example: Readonly<Record<string, string>>
  /** It moves money: one transaction a row. */
  money?: true
  maxRows?: number
}

/** The calls that take a file in as rows of a list: the command that begins it, and a template of the file. */
const importing = (path: Endpoint['path'], o: Imported) => {
  const at = path.replace(/[^/]+$/, 'import') as Endpoint['path']
  return {
    ...o,
    maxRows: o.maxRows ?? maxImportRows,
    command: command({
      path: at,
      perm: o.perm,
      audit: `import.${o.as}`,
      on: { machine: importJob, event: 'import.upload', key: 'importNo' },
      input: z.strictObject({ uploadNo: field.file('import'), confirmDuplicate: z.boolean().optional() }),
      output: z.object({ importNo: field.key() }),
    }),
    template: endpoint({
      method: 'GET',
      path: `${at}/template`,
      perm: o.perm,
      file: true,
      input: z.strictObject({ exportFormat: field.dict(exportFormats) }),
      output: z.null(),
    }),
  }
}
/** What a list takes in, with its two calls: the command that begins an import, and the template of its files. */
export type Importing = ReturnType<typeof importing>

/** What a list adds up over all rows of a filter: amounts and numbers by their columns, and of a flag how often it is set. */
const totalling = (
  path: Endpoint['path'],
  names: readonly string[],
  o: { perm?: string; anyPerm?: readonly string[]; row: z.ZodObject; filters: z.ZodRawShape },
) => ({
  ...endpoint({
    method: 'POST',
    path: path.replace(/[^/]+$/, 'totals') as Endpoint['path'],
    perm: o.perm,
    anyPerm: o.anyPerm,
    input: z.strictObject({ filters: z.strictObject(o.filters) }),
    output: z.object({
      count: z.int().nonnegative(),
      sums: z.object(Object.fromEntries(names.map(name => [name, totalOf(o.row.shape[name] as z.ZodType)]))),
    }),
  }),
  names,
})

/**
 * A list endpoint: filters, paging and one sort key in; a page of rows out. `sort` is `field` or `-field` (descending).
 * `exported`, `imported` and `totals` add further calls, which the engine and the server find at the list.
 */
export const list = <
  F extends z.ZodRawShape,
  R extends z.ZodObject,
  const K extends readonly (keyof z.output<R> & string)[],
>(
  path: Endpoint['path'],
  given: {
    perm?: string
    anyPerm?: readonly string[]
    row: R
    filters: F
    sort: K
    defaultSort: K[number] | `-${K[number]}`
    /** Columns that are added up over all rows of a filter: the foot of the table, and of a file, follow. */
    totals?: readonly (keyof z.output<R> & string)[]
    /** Lets holders of `perm` export the list to a file; the command follows from the list. */
    exported?: Exported
    /** Lets holders of `perm` import rows from a file; calls, button and dialog follow from the columns. */
    imported?: Imported
  },
) => {
  const o = { ...given, filters: boundedAll(given.filters) }
  return {
    ...endpoint({
      method: 'POST',
      path,
      perm: o.perm,
      anyPerm: o.anyPerm,
      output: page(o.row),
      input: z.strictObject({
        ...o.filters,
        pageNum: z.int().min(1).max(1_000_000).default(1),
        /** Continues behind or before a row, whatever number the page has by now. */
        after: cursor().optional(),
        before: cursor().optional(),
        pageSize: z.union(pageSizes.map(n => z.literal(n))).default(20),
        sort: z.enum(sortKeys(o.sort)).default(o.defaultSort as never),
      }),
    }),
    row: o.row,
    filters: o.filters,
    sort: o.sort as readonly string[],
    defaultSort: o.defaultSort as string,
    totalling: o.totals && totalling(path, o.totals, o),
    exporting: o.exported && exporting(path, o.exported, o),
    importing: o.imported && importing(path, o.imported),
  }
}

type Calls = Readonly<Record<string, Endpoint & Partial<Pick<ListEndpoint, 'totalling' | 'exporting' | 'importing'>>>>

/**
 * Declares the calls of a noun, and notes the noun at each: a screen that declares one of them fetches the noun's words.
 * `name` is `<system>/<noun>`, the same for contract file, words and server folder.
 */
export const noun = <C extends Calls>(name: `${string}/${string}`, calls: C): C => {
  for (const call of Object.values(calls)) {
    const { totalling, exporting, importing } = call
    for (const one of [call, totalling, exporting, importing?.command, importing?.template]) if (one) one.noun ??= name
  }
  return calls
}

/** A list of any row: what the list engine, the server's lists and exports work on. */
export type ListEndpoint = ReturnType<typeof list<z.ZodRawShape, z.ZodObject, readonly string[]>>
/** What a caller sends, before defaults and transforms. */
export type InputOf<E> = E extends { input: infer I extends z.ZodType } ? z.input<I> : never
/** What a handler gets: the input after validation, with defaults. */
export type ParsedOf<E> = E extends { input: infer I extends z.ZodType } ? z.output<I> : never
/** What a call answers in `data`. */
export type OutputOf<E> = E extends { output: infer O extends z.ZodType } ? z.output<O> : never
/** One row of a list. */
export type RowOf<E> = E extends { row: infer R extends z.ZodType } ? z.output<R> : never
/** The filters of a list, each optional. */
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

/** The answer of a command without a result: the new `version` of its record, where it has one. */
export const done = z.object({ version: z.int().optional() })

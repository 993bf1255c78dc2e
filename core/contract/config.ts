import { z } from 'zod'
import { instance } from '../rules/machines/machine.ts'
import { configItem } from '../rules/machines/operation/config-item.ts'
import { blockedBy } from './blocked.ts'
import { type Versioned, versionCalls, versionColumns } from './config-versions.ts'
import { command, type Endpoint, list, read, results } from './endpoint.ts'
import { field, metaOf } from './fields.ts'

/** What is wrong between the fields of a form: at which field, in which words. */
export type Flaw = { path: string; message: string }
type Fields = Readonly<Record<string, unknown>>
type Shape = z.ZodRawShape
type Optional<S extends Shape> = { [K in keyof S]: z.ZodOptional<S[K]> }

const optional = <S extends Shape>(shape: S): Optional<S> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, one]) => [name, (one as z.ZodType).optional()]),
  ) as never as Optional<S>

const Change = z.object({
  field: z.string(),
  /** The value as a JSON text; null where there was none. */
  before: z.string().nullable(),
  after: z.string().nullable(),
})

const History = z.object({
  list: z.array(
    z.object({
      version: z.int(),
      event: z.string(),
      changedBy: z.string(),
      changedTime: field.time(),
      changes: z.array(Change),
    }),
  ),
})
export type Version = z.output<typeof History>['list'][number]

const Uses = z.object({
  list: z.array(z.object({ kind: z.string(), no: z.string(), name: z.string() })),
  total: z.int().nonnegative(),
})
export type Use = z.output<typeof Uses>['list'][number]

/** Most rows of one command on several. */
export const maxConfigRows = 200
/** Most entries of a history, and most uses, that are answered. */
export const maxHistory = 100
export const maxUses = 50

type Given<
  K extends string,
  R extends Shape,
  F extends Shape,
  C extends Shape,
  L extends Shape,
  O extends string,
  V extends Shape,
  E extends Shape,
> = {
  /** The noun, as commands are called in the audit log: `sensitiveWord` gives `sensitiveWord.save`. */
  name: string
  /** Below {@link base}; the calls lie under it. */
  path: `/${string}`
  /** The codes are `{area}:page`, `:save`, `:enable`, `:delete`. */
  area: string
  table: string
  key: K
  /** Columns besides the key and those that every config has. */
  row: R
  /** What people may change of an item. */
  form: F
  /** What is asked for a new item only. */
  create?: C
  /** Whether a field of the form applies to what the others hold; one that does not is empty. */
  applies?: { readonly [N in keyof F]?: (values: Fields) => boolean }
  /** What is wrong between fields, on the page as on the server. */
  flaw?: (values: Fields) => Flaw | null
  filters: L
  sort: readonly O[]
  /** `field` or `-field`; what was changed last comes first, unless said otherwise. */
  defaultSort?: O | `-${O}`
  /** Flags by which people confirm what the server asked about a save (40002). */
  confirms?: readonly string[]
  /** Enable, disable and delete for several rows at once. */
  bulk?: true
  /**
   * Changes of an item, and its enabling and disabling, wait for a second person (M74, who holds the code with `:check`). A new item is
   * disabled: it is the enabling that waits.
   */
  checked?: true
  /**
   * What holds from a time on: a version of it is drafted, agreed to by a second person, and put in force by the clock (M86). A new item
   * begins with a draft; its row shows what is in force.
   */
  versions?: Versioned<V, E>
  /** Other records name items of this one: they are listed, and keep it from being deleted. */
  used?: true
  exported?: NonNullable<Parameters<typeof list>[1]['exported']>
  imported?: NonNullable<Parameters<typeof list>[1]['imported']>
}

type Keyed<K extends string> = { [P in K]: ReturnType<typeof field.key> }

/** What every item has besides its own. */
const standard = () => ({
  enabled: field.state(configItem),
  updatedBy: field.user(),
  updatedTime: field.time(),
  version: z.int(),
  blockedBy: blockedBy(),
  /** Who asked for a change that a second person has yet to decide; null where nothing waits. */
  pendingApproval: field.user().nullable(),
})
type Standard = ReturnType<typeof standard>
type VersionCalls = ReturnType<typeof versionCalls>['calls']
type Dated = Pick<ReturnType<typeof versionColumns>, 'versionNo' | 'effectiveTime' | 'nextStatus' | 'nextTime'>
type Nullable<S extends Shape> = { [N in keyof S]: z.ZodNullable<S[N]> }

const ruled = <S extends z.ZodObject>(
  schema: S,
  key: string,
  made: Shape,
  flaws: readonly (((values: Fields, isNew: boolean) => Flaw | null) | undefined)[],
): S =>
  schema.superRefine((values, context) => {
    const given = values as Fields
    const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const isNew = given[key] === undefined
    if (!isNew && given.version === undefined) say('version', 'validation.infoComplete')
    for (const [name, one] of Object.entries(made)) {
      if (isNew && given[name] === undefined && metaOf(one as z.ZodType).required) say(name, 'validation.infoComplete')
      if (!isNew && given[name] !== undefined) say(name, 'validation.wrongValue')
    }
    for (const flaw of flaws) {
      const found = flaw?.(given, isNew)
      if (found) say(found.path, found.message)
    }
  }) as S

/**
 * Declares a config list once: items that are enabled and disabled (M69), kept under versions, with their history and, where others
 * name them, their uses. Its calls, its machine, the server's handlers (`serveConfig`) and its screen (`configScreen`) follow.
 *
 * @example config({ name: 'sensitiveWord', path: '/operation/sensitiveWord', area: 'org:sensitiveWord', table: 'sensitive_word', key: 'wordNo', … })
 */
export const config = <
  const K extends string,
  R extends Shape,
  F extends Shape,
  L extends Shape,
  const O extends string,
  C extends Shape = Record<never, never>,
  V extends Shape = Record<never, never>,
  E extends Shape = Record<never, never>,
>(
  given: Given<K, R, F, C, L, O, V, E>,
) => {
  const { name, path, area, table, key } = given
  const snake = key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  const machine = instance(configItem, { table, key: snake, perms: { '{area}': area } })
  const on = (event: string, ...or: string[]) => ({ machine, event, key, ...(or.length ? { or } : {}) })
  const perm = `${area}:page`
  const waits = Boolean(given.checked || given.versions)
  const keyed = { [key]: field.key() } as Keyed<K>
  type Row = Keyed<K> & R & Nullable<V> & (keyof V extends never ? unknown : Dated) & Standard
  const dated = given.versions && versionCalls(given, given.versions)
  const row = z.object({
    ...keyed,
    ...given.row,
    ...(given.versions ? versionColumns(given.versions.form) : {}),
    ...standard(),
  } as unknown as Row)
  const own = (given.create ?? {}) as C
  /** What a new item is asked for besides its form: its first draft too. */
  const create = { ...own, ...given.versions?.form } as C & V
  const confirms = Object.fromEntries((given.confirms ?? []).map(flag => [flag, z.boolean().optional()]))
  const one = { ...keyed, version: z.int() }
  const many = { [`${key}s`]: z.array(field.key()).min(1).max(maxConfigRows) }

  const save = command({
    path: `${path}/save`,
    perm: `${area}:save`,
    audit: `${name}.save`,
    on: on('item.update', 'item.create'),
    input: ruled(
      z.strictObject({
        ...optional(keyed),
        version: z.int().optional(),
        ...given.form,
        ...optional(create),
        ...confirms,
      }) as z.ZodObject,
      key,
      create,
      [given.flaw, (values, isNew) => (isNew ? (given.versions?.flaw?.(values) ?? null) : null)],
    ),
    output: z.object({
      /** The item that was saved; none where several were made. */
      key: z.string().nullable(),
      created: z.int(),
      /** What was there already. */
      existing: z.int(),
      /** The request that waits for a second person. */
      approvalNo: z.string().nullable(),
    }),
  })
  const state = command({
    path: `${path}/state`,
    perm: `${area}:enable`,
    audit: `${name}.state`,
    on: on('item.enable', 'item.disable'),
    input: z.strictObject({ ...one, enabled: field.flag() }) as z.ZodObject,
    output: z.object({ version: z.int(), approvalNo: z.string().nullable() }),
  })
  const remove = command({
    path: `${path}/delete`,
    perm: `${area}:delete`,
    audit: `${name}.delete`,
    on: on('item.delete'),
    input: z.strictObject(one) as z.ZodObject,
    output: z.object({}),
  })
  const states = command({
    path: `${path}/states`,
    perm: `${area}:enable`,
    audit: `${name}.states`,
    on: { ...on('item.enable', 'item.disable'), key: `${key}s` },
    input: z.strictObject({ ...many, enabled: field.flag() }) as z.ZodObject,
    output: results,
  })
  const removes = command({
    path: `${path}/deletes`,
    perm: `${area}:delete`,
    audit: `${name}.deletes`,
    on: { ...on('item.delete'), key: `${key}s` },
    input: z.strictObject(many) as z.ZodObject,
    output: results,
  })
  const calls = {
    page: list(`${path}/page`, {
      perm,
      row: row as never as z.ZodObject<Row>,
      filters: {
        ...given.filters,
        enabled: z.array(field.state(configItem)).optional(),
        updatedTime: field.dateRange().optional(),
        ...(dated ? { nextStatus: z.array(field.state(dated.machine)).optional() } : {}),
        ...(waits ? { waiting: field.flag().optional() } : {}),
      },
      sort: [...given.sort, 'updatedTime'] as never as readonly (O & keyof z.output<z.ZodObject<Row>> & string)[],
      defaultSort: (given.defaultSort ?? '-updatedTime') as never,
      ...(given.exported ? { exported: given.exported } : {}),
      ...(given.imported ? { imported: given.imported } : {}),
    }),
    detail: read(`${path}/detail`, { perm, input: keyed, output: row }),
    history: read(`${path}/history`, { perm, input: keyed, output: History }),
    save,
    state,
    remove,
    ...(given.used ? { usedBy: read(`${path}/usedBy`, { perm, input: keyed, output: Uses }) } : {}),
    ...(given.bulk ? { states, removes } : {}),
    ...(dated?.calls ?? {}),
  }
  return {
    ...given,
    /** Whether a change may wait for a second person. */
    waits,
    own,
    create,
    row,
    machine,
    versionMachine: dated?.machine,
    calls: calls as typeof calls & { usedBy?: Endpoint } & (keyof V extends never ? unknown : VersionCalls),
    /** The same calls as a button gives them: each is one event of the machine. */
    events: {
      create: { ...save, on: on('item.create') },
      update: save,
      enable: { ...state, on: on('item.enable') },
      disable: { ...state, on: on('item.disable') },
      enables: { ...states, on: { ...on('item.enable'), key: `${key}s` } },
      disables: { ...states, on: { ...on('item.disable'), key: `${key}s` } },
      remove,
      removes,
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the engine reads any declaration; its own types are checked where it is declared
type Any = any
/** A config list as server and engine see it, whichever it is. */
export type Config = ReturnType<
  typeof config<string, Any, Any, Any, string, Any, Record<never, never>, Record<never, never>>
>

/** A row of a config list. */
export type ConfigRow<C extends { row: z.ZodType }> = z.output<C['row']>

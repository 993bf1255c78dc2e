import { z } from 'zod'
import { instance, type Machine, type Part } from '../rules/machines/machine.ts'
import { configItem } from '../rules/machines/operation/config-item.ts'
import { blockedBy } from './blocked.ts'
import { type ConfigCodes, codesOf, ofActions } from './config-codes.ts'
import { stateCommands } from './config-state.ts'
import { type Flaw, type Versioned, versionCalls, versionColumns } from './config-versions.ts'
import { command, type Endpoint, list, read } from './endpoint.ts'
import { field, metaOf, together } from './fields.ts'

type Fields = Readonly<Record<string, unknown>>
type Shape = z.ZodRawShape
type Optional<S extends Shape> = { [K in keyof S]: z.ZodOptional<S[K]> }

const optional = <S extends Shape>(shape: S): Optional<S> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, one]) => [name, (one as z.ZodType).optional()]),
  ) as never as Optional<S>

/** The same where all are given or none: what only a new item is asked for. */
const allOrNone = <S extends Shape>(shape: S): Optional<S> => {
  const all = optional(shape)
  for (const one of Object.values(all)) together.add(one as z.ZodType)
  return all
}

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

/** Most entries of a history, and most uses, that are answered. */
export const maxHistory = 100
/** Most records named as using an item; `total` counts all of them. */
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
  /** The codes are `{area}:page`, `:save`, `:enable`, `:delete`, unless `codes` names others. */
  area: string
  codes?: Partial<ConfigCodes>
  table: string
  /** The table holds the items of several configs: these are the rows that have a value in a column. Their versions have it too. */
  part?: Part
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
   * disabled: it is the enabling that waits. With `state` that alone waits, and a change of an item acts at once.
   */
  checked?: true | 'state'
  /**
   * What holds from a time on: a version of it is drafted, agreed to by a second person, and put in force by the clock (M86). A new item
   * begins with a draft; its row shows what is in force.
   */
  versions?: Versioned<V, E>
  /** Other records name items of this one: they are listed, and keep it from being deleted. */
  used?: true
  /** Its values let money go, change its payee or forgive what is owed: a partner's page needs them named, an approver proves again who they are. */
  money?: Endpoint['money']
  /** Columns that are added up over all rows of a filter. */
  totals?: readonly (string & keyof R)[]
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

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

type RowShape<K extends string, R extends Shape, V extends Shape> = Keyed<K> &
  R &
  Nullable<V> &
  (keyof V extends never ? unknown : Dated) &
  Standard

const rowOf = <K extends string, R extends Shape, V extends Shape>(given: {
  key: K
  row: R
  versions?: Versioned<V, Shape>
}) =>
  z.object({
    [given.key]: field.key(),
    ...given.row,
    ...(given.versions ? versionColumns(given.versions.form) : {}),
    ...standard(),
  } as unknown as RowShape<K, R, V>)

const filtersOf = (versions: Machine | undefined, waits: boolean) => ({
  enabled: z.array(field.state(configItem)).optional(),
  updatedTime: field.dateRange().optional(),
  ...(versions ? { nextStatus: z.array(field.state(versions)).optional() } : {}),
  ...(waits ? { waiting: field.flag().optional() } : {}),
})

/** The same calls as a button gives them: each is one event of the machine. */
const eventsOf = <S extends Endpoint>(
  key: string,
  on: (event: string) => NonNullable<Endpoint['on']>,
  save: S,
  add: Endpoint | undefined,
  { state, remove, states, removes }: ReturnType<typeof stateCommands>,
) => ({
  create: { ...((add ?? save) as S), on: on('item.create') },
  update: save,
  enable: { ...state, on: on('item.enable') },
  disable: { ...state, on: on('item.disable') },
  enables: { ...states, on: { ...on('item.enable'), key: `${key}s` } },
  disables: { ...states, on: { ...on('item.disable'), key: `${key}s` } },
  remove,
  removes,
})

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

/** A new item as a call of its own, which takes neither key nor version. */
const addCommand = (given: Saved, { create, on }: Asked): Endpoint => {
  const { name, path, codes, key, form, flaw } = given
  // What is set up for a record that there is, once, is asked for that record: its number does not make the call a change.
  const itself = key in create ? '' : key
  const whole = saveCommand(given, { create, on })
  return {
    ...whole,
    perm: codes.add,
    audit: `${name}.add`,
    on: { ...on, event: 'item.create' },
    path: `${path}/save`,
    input: ruled(z.strictObject({ ...form, ...optional(create) }) as z.ZodObject, itself, create, [flaw]),
  }
}

/** A change as a call of its own: the item is named. */
const updateCommand = (given: Saved, { on }: Asked): Endpoint => {
  const { path, key, form, flaw } = given
  const input = z.strictObject({ [key]: field.key(), version: z.int(), ...form }) as z.ZodObject
  return { ...saveCommand(given, { create: {}, on }), on, path: `${path}/update`, input: ruled(input, key, {}, [flaw]) }
}

/** Making and changing as one call, or as two where different people may. */
const saves = (given: Saved, create: Shape, on: (event: string, ...or: string[]) => NonNullable<Endpoint['on']>) => {
  const save = saveCommand(given, { create, on: on('item.update', 'item.create') })
  if (!given.codes.add) return { save, add: undefined }
  const asked = { create, on: on('item.update') }
  return { save: updateCommand(given, asked) as typeof save, add: addCommand(given, asked) }
}

type Saved = {
  name: string
  path: `/${string}`
  codes: ConfigCodes
  key: string
  form: Shape
  confirms?: readonly string[]
  flaw?: (values: Fields) => Flaw | null
  money?: Endpoint['money']
  versions?: { flaw?: (values: Fields) => Flaw | null }
}
type Asked = { create: Shape; on: NonNullable<Endpoint['on']> }

/** Makes an item, or changes one. */
const saveCommand = (
  { name, path, codes, key, form, flaw, versions, money, confirms = [] }: Saved,
  { create, on }: Asked,
) =>
  command({
    ...(money && { money }),
    path: `${path}/save`,
    perm: codes.save,
    audit: `${name}.save`,
    on,
    input: ruled(
      z.strictObject({
        [key]: field.key().optional(),
        version: z.int().optional(),
        ...form,
        ...allOrNone(create),
        ...Object.fromEntries(confirms.map(flag => [flag, z.boolean().optional()])),
      }) as z.ZodObject,
      key,
      create,
      [flaw, (values, isNew) => (isNew ? (versions?.flaw?.(values) ?? null) : null)],
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

/** One item, and what was changed of it. */
const readsOf = <I extends Shape, R extends z.ZodType>(path: `/${string}`, of: { perm: string; input: I }, row: R) => ({
  detail: read(`${path}/detail`, { ...of, output: row }),
  history: read(`${path}/history`, { ...of, output: History }),
})

/** What a list is sorted by: columns of its rows. */
type SortsOf<O extends string, S extends Shape> = readonly (O & keyof z.output<z.ZodObject<S>> & string)[]

/** Calls that not every config has. */
type Further = { usedBy?: Endpoint; add?: Endpoint }

/** What a list adds up, and the files that it writes and takes in. */
const filesOf = ({
  exported,
  imported,
  totals,
}: Pick<Given<never, Shape, Shape, Shape, Shape, never, Shape, Shape>, 'exported' | 'imported' | 'totals'>) => ({
  ...(totals ? { totals: totals as never } : {}),
  ...(exported ? { exported } : {}),
  ...(imported ? { imported } : {}),
})

/** The machine of the items of one table. */
const machineOf = ({ table, key, part }: { table: string; key: string; part?: Part }, codes: ConfigCodes) => {
  const own = instance(configItem, { table, key: snake(key), perms: ofActions(codes), ...(part ? { part } : {}) })
  const { add } = codes
  if (!add) return own
  return { ...own, rows: own.rows.map(row => (row.event === 'item.create' ? { ...row, perm: add } : row)) }
}

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
  const { path, key } = given
  const codes = codesOf(given)
  const machine = machineOf(given, codes)
  const on = (event: string, ...or: string[]) => ({ machine, event, key, ...(or.length ? { or } : {}) })
  const waits = Boolean(given.checked || given.versions)
  const keyed = { [key]: field.key() } as Keyed<K>
  const dated = given.versions && versionCalls({ ...given, codes }, given.versions)
  const row = rowOf(given)
  const own = (given.create ?? {}) as C
  /** What a new item is asked for besides its form: its first draft too. */
  const create = { ...own, ...given.versions?.form } as C & V
  const coded = { ...given, codes }
  const { save, add } = saves(coded, create, on)
  const commands = stateCommands(coded, on)
  const calls = {
    page: list(`${path}/page`, {
      perm: codes.page,
      row: row as never as z.ZodObject<RowShape<K, R, V>>,
      filters: { ...given.filters, ...filtersOf(dated?.machine, waits) },
      sort: [...given.sort, 'updatedTime'] as never as SortsOf<O, RowShape<K, R, V>>,
      defaultSort: (given.defaultSort ?? '-updatedTime') as never,
      ...filesOf(given as never),
    }),
    ...readsOf(path, { perm: codes.page, input: keyed }, row),
    ...(add && { add }),
    save,
    state: commands.state,
    remove: commands.remove,
    ...(given.used ? { usedBy: read(`${path}/usedBy`, { perm: codes.page, input: keyed, output: Uses }) } : {}),
    ...(given.bulk ? { states: commands.states, removes: commands.removes } : {}),
    ...(dated?.calls ?? {}),
  }
  return {
    ...coded,
    /** Whether a change may wait for a second person. */
    waits,
    own,
    create,
    row,
    machine,
    versionMachine: dated?.machine,
    calls: calls as typeof calls & Further & (keyof V extends never ? unknown : VersionCalls),
    /** The same calls as a button gives them: each is one event of the machine. */
    events: eventsOf(key, on, save, add, commands),
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

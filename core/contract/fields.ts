import { z } from 'zod'
import { jsonExcess } from '../rules/json/json-limits.ts'
import { type Machine, statesOf, type Tone } from '../rules/machines/machine.ts'
import { idNumberFormat, moneyFormat, phoneFormat } from '../rules/text/formats.ts'
import { isVisible, visibleLine, visibleProse } from '../rules/text/text.ts'
import { presetNames } from '../rules/time.ts'
import type { PurposeName } from '../rules/upload.ts'

/** How a value is validated, shown, filtered, asked for and masked. */
export type Kind =
  | 'key'
  | 'text'
  | 'longText'
  | 'money'
  | 'rate'
  | 'int'
  | 'flag'
  | 'time'
  | 'date'
  | 'dict'
  | 'option'
  | 'user'
  | 'merchant'
  | 'organization'
  | 'product'
  | 'fundAccount'
  | 'role'
  | 'dept'
  | 'app'
  | 'richText'
  | 'refuseCode'
  | 'phone'
  | 'idNumber'
  | 'bankCardNo'
  | 'walletAccount'
  | 'contactName'
  | 'customerName'
  | 'email'
  | 'file'
  | 'json'
  | 'texts'
  | 'minutes'
  | 'seconds'
  | 'clock'
  | 'month'
  | 'weekDays'
  | 'percent'
  | 'rows'

/** Kinds that the server masks, each with the reveal permission `pii:reveal:{kind}`. */
export const sensitiveKinds = ['phone', 'idNumber', 'bankCardNo', 'walletAccount'] as const
/** A kind whose values are masked; see {@link sensitiveKinds}. */
export type SensitiveKind = (typeof sensitiveKinds)[number]

/** What a field knows of itself besides its schema. It decides the column, the input, the filter, the mask and the words. */
export type Meta = {
  kind: Kind
  /** Dictionary of a `dict`. */
  dict?: string
  /** Dictionaries of the statuses that an event changes; the words of the event lie with theirs. */
  changes?: readonly string[]
  /** A range filter: two ends, either may be empty. */
  range?: true
  /** What a `file` is sent for: which it takes, and whether it is cropped. */
  purpose?: PurposeName
  /** Which people a `user` is chosen from; all that the caller may see without it. */
  post?: Post
  /** What samples hold, where the rules of a value leave no room for chance. */
  example?: unknown
  /** A reveal asks for this object. */
  of?:
    | 'order'
    | 'customer'
    | 'loanCode'
    | 'flow'
    | 'contact'
    | 'user'
    | 'refund'
    | 'withdrawal'
    | 'phoneBill'
    | 'verifyCode'
    | 'fundAccount'
    | 'contactBlock'
}

/** A dictionary whose values code knows; its words are the texts `dict.{name}.{value}`. It stands beside the calls that speak of it. */
export type Dictionary<V extends string> = { name: string; values: readonly [V, ...V[]] }
/** Declares a dictionary. `name` is the key of its words (`dict.{name}.{value}`), `values` its codes in display order. */
export const dictionary = <const V extends string>(name: string, values: readonly [V, ...V[]]): Dictionary<V> => ({
  name,
  values,
})
/** What a field of a dictionary may hold. */
export type ValueOf<D extends Dictionary<string>> = D['values'][number]

/** The days of the week from Monday on, as the law counts working weeks. */
export const weekDays = dictionary('WEEK_DAY', ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])
type WeekDay = (typeof weekDays)['values'][number]

/** What staff do: a role is one of a post, and so are the people who have it. */
export const posts = dictionary('STAFF_TYPE', [
  'auditor',
  'collector',
  'collectorNew',
  'telemarketer',
  'customerService',
  'aiEmployee',
  'traffic',
  'finance',
  'administrator',
])
/** One of the posts. */
export type Post = (typeof posts)['values'][number]

/** What the values of a status mean to the eye, by the dictionary, of the machines whose status is a field. */
export const statusTones = new Map<string, Readonly<Record<string, { tone: Tone }>>>()

/** A key of a record, exactly as stored: invisible characters are refused, not removed. */
const named = (max: number) =>
  z.string().normalize('NFC').trim().min(1, 'validation.contentEmpty').max(max).refine(isVisible, 'validation.unseen')
/** A line of words: invisible characters, which come along with pasted text, are removed. */
const text = (max = 64) =>
  z.string().normalize('NFC').overwrite(visibleLine).trim().min(1, 'validation.contentEmpty').max(max)
/** Running text: the same, but what joins letters and emoji stays. */
const prose = () => z.string().normalize('NFC').overwrite(visibleProse).trim()
const meta = <T extends z.ZodType>(schema: T, kind: Kind, more?: Omit<Meta, 'kind'>): T =>
  schema.meta({ kind, ...more }) as T

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return jsonExcess(text) === null
  } catch {
    return false
  }
}

/** Stands for the number of an upload whose file is on its way or has stopped there: a form that holds it is not sent. */
export const unsentFile = 'unsent'

/** Optional fields of an object that are given all or none. */
export const together = new WeakSet<z.ZodType>()

/** Builders of contract fields; each call is a fresh schema that carries its {@link Meta}. */
export const field = {
  /** Names a record or a code: NFC, characters that nobody sees refused. */
  key: (max = 40) => meta(named(max), 'key'),
  /** A serial number of somebody else, as a key; it may not be empty in words of its own. */
  serial: (max = 40) =>
    meta(
      z
        .string()
        .normalize('NFC')
        .trim()
        .min(1, 'validation.serialEmpty')
        .max(max)
        .refine(isVisible, 'validation.unseen'),
      'key',
    ),
  /** One line of words: NFC, characters that nobody sees taken out. */
  text: (max = 64) => meta(text(max), 'text'),
  /** Running text that may be empty: NFC, direction controls and zero-width characters taken out, joiners kept. */
  remark: (max = 30) => meta(prose().max(max, 'validation.remarkTooLong'), 'longText'),
  /** Running text, treated as a remark. */
  longText: (max = 200) => meta(prose().min(1, 'validation.contentEmpty').max(max), 'longText'),
  money: () => meta(z.string().regex(moneyFormat, 'validation.moneyFormat'), 'money'),
  rate: () => meta(z.string().regex(/^\d+(\.\d{1,6})?$/), 'rate'),
  int: () => meta(z.int(), 'int'),
  /** A place in an order: smaller first. */
  place: () => meta(z.int('validation.sortAbove').min(1, 'validation.sortAbove').max(9_999), 'int'),
  minutes: () => meta(z.int(), 'minutes'),
  seconds: () => meta(z.int(), 'seconds'),
  /** A time of the EAT day, `HH:mm`; between two of them where they are given. */
  clock: (from = '00:00', to = '23:59') =>
    meta(
      z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'validation.clockFormat')
        .refine(at => at >= from && at <= to, { error: 'validation.clockBetween', params: { min: from, max: to } }),
      'clock',
    ),
  /** A month, `YYYY-MM`. */
  month: () => meta(z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'validation.monthFormat'), 'month'),
  /** Days of the week, at least one and each once. */
  weekDays: () =>
    meta(
      z
        .array(meta(z.enum(weekDays.values as [WeekDay, ...WeekDay[]]), 'dict', { dict: weekDays.name }))
        .min(1, 'validation.infoComplete')
        .max(weekDays.values.length)
        .refine(days => new Set(days).size === days.length, 'validation.wrongValue'),
      'weekDays',
      { dict: weekDays.name },
    ),
  /** A share of a hundred as people type it, with two decimals at most: `12.5`. */
  percent: () =>
    meta(z.string().regex(/^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/, 'validation.percentFormat'), 'percent'),
  /** Rows of a small table, each of the same fields, which people add and take away. */
  rows: <S extends z.ZodRawShape>(shape: S, max: number, example?: readonly z.input<z.ZodObject<S>>[]) =>
    meta(z.array(z.strictObject(shape)).max(max), 'rows', example ? { example } : {}),
  /** The number of an upload that is ready; its control takes the file and sends it. */
  file: (purpose: PurposeName = 'attachment') =>
    meta(
      named(40).refine(no => no !== unsentFile, 'validation.fileUnsent'),
      'file',
      { purpose },
    ),
  flag: () => meta(z.boolean(), 'flag'),
  time: () => meta(z.iso.datetime({ offset: true }), 'time'),
  date: () => meta(z.iso.date(), 'date'),
  /** A value of a dictionary. */
  dict: <V extends string>({ name, values }: Dictionary<V>) =>
    meta(z.enum(values as [V, ...V[]]), 'dict', { dict: name }),
  /** The status of a machine, in its words and colours. */
  state: <S extends string>(m: Machine<S>) => {
    statusTones.set(m.dict, m.states)
    return meta(z.enum(statesOf(m)), 'dict', { dict: m.dict })
  },
  /** A value that others may add to: any short text, in words where it has some. */
  openDict: (dict: string) => meta(text(), 'dict', { dict }),
  /** A choice that people maintain: what there is to choose, and its words, come from the server. */
  option: (dict: string) => meta(text(), 'option', { dict }),
  /** An event of the machines whose statuses these are. */
  event: (...changes: readonly [Machine, ...Machine[]]) =>
    meta(z.string(), 'key', { changes: changes.map(m => m.dict) }),
  /** A person of the staff, chosen by department and name; of one post where it is given. */
  user: (post?: Post) => meta(named(20), 'user', { post }),
  merchant: () => meta(named(20), 'merchant'),
  /** One of our companies; as a filter it stands for itself and all companies below it. */
  organization: () => meta(named(20), 'organization'),
  product: () => meta(named(20), 'product'),
  fundAccount: () => meta(named(20), 'fundAccount'),
  role: () => meta(named(20), 'role'),
  /** A department; what is meant is it and all below it. */
  dept: () => meta(named(20), 'dept'),
  /** An app of a merchant, by its name. */
  app: () => meta(named(40), 'app'),
  /** Formatted text of few tags. The server sanitises it before it is kept. */
  richText: (max = 20_000) => meta(prose().max(max), 'richText'),
  /** A code that orders are refused with, chosen by its words. */
  refuseCode: () => meta(named(40), 'refuseCode'),
  phone: (of?: Meta['of']) => meta(z.string().regex(phoneFormat, 'validation.phoneFormat'), 'phone', { of }),
  idNumber: (of?: Meta['of']) =>
    meta(z.string().regex(idNumberFormat, 'validation.idNumberFormat'), 'idNumber', { of }),
  /** What the server answers of a sensitive value: masked or in full, so any text. */
  masked: (kind: SensitiveKind, of?: Meta['of']) => meta(z.string(), kind, { of }),
  /** A JSON text as people edit it; no key stands twice in one object. */
  json: (max = 20_000) => meta(z.string().max(max).refine(isJson, 'validation.json'), 'json'),
  /** The same words in each language; Vietnamese may be left out. */
  texts: (max = 200) =>
    meta(z.strictObject({ zh: text(max), en: text(max), sw: text(max), vi: text(max).optional() }), 'texts'),
  /** A name, treated as a line of words. */
  customerName: () => meta(text(64), 'customerName'),
  /** An e-mail address as the server answers it: not in full for who sees no personal data. */
  email: () => meta(z.string(), 'email'),
  moneyRange: () =>
    meta(z.tuple([z.string().regex(moneyFormat).nullable(), z.string().regex(moneyFormat).nullable()]), 'money', {
      range: true,
    }),
  intRange: () => meta(z.tuple([z.int().nullable(), z.int().nullable()]), 'int', { range: true }),
  /** Two EAT days, both inclusive; or the name of a range that moves with the business date, which the server knows. */
  dateRange: () =>
    meta(z.union([z.tuple([z.iso.date().nullable(), z.iso.date().nullable()]), z.enum(presetNames)]), 'time', {
      range: true,
    }),
} as const

/** The inner schema of optional, nullable, default and array wrappers. */
const unwrap = (schema: z.ZodType): z.ZodType => {
  const def = schema.def as { type: string; innerType?: z.ZodType; element?: z.ZodType }
  if (['optional', 'nullable', 'default', 'prefault', 'readonly'].includes(def.type) && def.innerType)
    return unwrap(def.innerType)
  return schema
}

type Known = Meta & { many: boolean; required: boolean; schema: z.ZodType }

const readMeta = (schema: z.ZodType): Known => {
  const inner = unwrap(schema)
  const own = inner.meta() as Meta | undefined
  const def = inner.def as { type: string; element?: z.ZodType }
  const required = !schema.safeParse(undefined).success
  if (!own && def.type === 'array' && def.element) return { ...metaOf(def.element), many: true, required }
  return { kind: 'text', ...own, many: false, required, schema: inner }
}

const known = new WeakMap<z.ZodType, Known>()

/** The {@link Meta} of a field, through optional, nullable, default and one level of array; `text` where none was given. */
export const metaOf = (schema: z.ZodType): Readonly<Known> => {
  const held = known.get(schema)
  if (held) return held
  const read = readMeta(schema)
  known.set(schema, read)
  return read
}

import { z } from 'zod'
import { idNumberFormat, moneyFormat, phoneFormat } from '../rules/formats.ts'
import type { PurposeName } from '../rules/upload.ts'
import { type DictKey, dictionaries } from './dictionaries.ts'

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
  | 'user'
  | 'merchant'
  | 'organization'
  | 'product'
  | 'fundAccount'
  | 'phone'
  | 'idNumber'
  | 'bankCardNo'
  | 'walletAccount'
  | 'contactName'
  | 'customerName'
  | 'file'
  | 'json'
  | 'texts'
  | 'minutes'
  | 'seconds'

/** Kinds that the server masks, each with the reveal permission `pii:reveal:{kind}`. */
export const sensitiveKinds = ['phone', 'idNumber', 'bankCardNo', 'walletAccount'] as const
export type SensitiveKind = (typeof sensitiveKinds)[number]

export type Meta = {
  kind: Kind
  /** Dictionary of a `dict`. */
  dict?: string
  /** A range filter: two ends, either may be empty. */
  range?: true
  /** What a `file` is sent for: which it takes, and whether it is cropped. */
  purpose?: PurposeName
  /** A reveal asks for this object. */
  of?: 'order' | 'customer' | 'loanCode' | 'flow' | 'contact'
}

type Values<K extends DictKey> = { [V in (typeof dictionaries)[K][number]]: V }

const text = (max = 64) => z.string().trim().min(1, 'validation.contentEmpty').max(max)
const meta = <T extends z.ZodType>(schema: T, kind: Kind, more?: Omit<Meta, 'kind'>): T =>
  schema.meta({ kind, ...more }) as T

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Stands for the number of an upload whose file is on its way or has stopped there: a form that holds it is not sent. */
export const unsentFile = 'unsent'

/** Builders of contract fields; each call is a fresh schema that carries its {@link Meta}. */
export const field = {
  key: (max = 40) => meta(text(max), 'key'),
  text: (max = 64) => meta(text(max), 'text'),
  remark: (max = 30) => meta(z.string().trim().max(max, 'validation.remarkTooLong'), 'longText'),
  longText: (max = 200) => meta(text(max), 'longText'),
  money: () => meta(z.string().regex(moneyFormat, 'validation.moneyFormat'), 'money'),
  rate: () => meta(z.string().regex(/^\d+(\.\d{1,6})?$/), 'rate'),
  int: () => meta(z.int(), 'int'),
  minutes: () => meta(z.int(), 'minutes'),
  seconds: () => meta(z.int(), 'seconds'),
  /** The number of an upload that is ready; its control takes the file and sends it. */
  file: (purpose: PurposeName = 'attachment') =>
    meta(
      text(40).refine(no => no !== unsentFile, 'validation.fileUnsent'),
      'file',
      { purpose },
    ),
  flag: () => meta(z.boolean(), 'flag'),
  time: () => meta(z.iso.datetime({ offset: true }), 'time'),
  date: () => meta(z.iso.date(), 'date'),
  /** A value of a dictionary that code knows. */
  dict: <K extends DictKey>(dict: K) => meta(z.enum(dictionaries[dict] as unknown as Values<K>), 'dict', { dict }),
  /** A value of a dictionary that staff edit: any short text. */
  openDict: (dict: string) => meta(text(40), 'dict', { dict }),
  user: () => meta(text(20), 'user'),
  merchant: () => meta(text(20), 'merchant'),
  /** A company of the house; what is meant is it and all below it. */
  organization: () => meta(text(20), 'organization'),
  product: () => meta(text(20), 'product'),
  fundAccount: () => meta(text(20), 'fundAccount'),
  phone: (of?: Meta['of']) => meta(z.string().regex(phoneFormat, 'validation.phoneFormat'), 'phone', { of }),
  idNumber: (of?: Meta['of']) =>
    meta(z.string().regex(idNumberFormat, 'validation.idNumberFormat'), 'idNumber', { of }),
  /** What the server answers of a sensitive value: masked or in full, so any text. */
  masked: (kind: SensitiveKind, of?: Meta['of']) => meta(z.string(), kind, { of }),
  /** A JSON text as people edit it. */
  json: (max = 20_000) => meta(z.string().max(max).refine(isJson, 'validation.json'), 'json'),
  /** The same words in each language; Vietnamese may be left out. */
  texts: (max = 200) =>
    meta(z.strictObject({ zh: text(max), en: text(max), sw: text(max), vi: text(max).optional() }), 'texts'),
  customerName: () => meta(text(64), 'customerName'),
  moneyRange: () =>
    meta(z.tuple([z.string().regex(moneyFormat).nullable(), z.string().regex(moneyFormat).nullable()]), 'money', {
      range: true,
    }),
  intRange: () => meta(z.tuple([z.int().nullable(), z.int().nullable()]), 'int', { range: true }),
  /** Two EAT days, both inclusive. */
  dateRange: () => meta(z.tuple([z.iso.date().nullable(), z.iso.date().nullable()]), 'time', { range: true }),
} as const

/** The inner schema of optional, nullable, default and array wrappers. */
const unwrap = (schema: z.ZodType): z.ZodType => {
  const def = schema.def as { type: string; innerType?: z.ZodType; element?: z.ZodType }
  if (['optional', 'nullable', 'default', 'prefault', 'readonly'].includes(def.type) && def.innerType)
    return unwrap(def.innerType)
  return schema
}

/** The {@link Meta} of a field, through optional, nullable, default and one level of array; `text` where none was given. */
export const metaOf = (schema: z.ZodType): Meta & { many: boolean; required: boolean; schema: z.ZodType } => {
  const inner = unwrap(schema)
  const own = inner.meta() as Meta | undefined
  const def = inner.def as { type: string; element?: z.ZodType }
  const required = !schema.safeParse(undefined).success
  if (!own && def.type === 'array' && def.element) return { ...metaOf(def.element), many: true, required }
  return { kind: 'text', ...own, many: false, required, schema: inner }
}

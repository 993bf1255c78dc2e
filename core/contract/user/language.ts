import { z } from 'zod'
import { language as machine } from '../../rules/machines/user/language.ts'
import { blockedBy } from '../blocked.ts'
import { command, list, noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'

/** Longest code and name of a language, in characters. */
export const maxLanguageCode = 4
export const maxLanguageName = 64
/** Most dictionary items without a value that are named. */
export const maxMissing = 50

const code = () => field.key(maxLanguageCode).regex(/^[a-z]{2,4}$/, 'validation.languageCode')

const Row = z.object({
  sort: field.int(),
  languageCode: field.key(maxLanguageCode),
  languageName: field.text(maxLanguageName),
  /** The picture of its flag, as an upload. */
  flagAttachNo: z.string().nullable(),
  languageStatus: field.state(machine),
  /** Whether the interface speaks it. */
  interfaceReady: field.flag(),
  /** Items of dictionaries that have a value in it, of a hundred. */
  labelShare: field.int(),
  /** People who work in it. */
  staffCount: field.int(),
  updatedBy: field.user(),
  updatedTime: field.time(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type ManagedLanguage = z.output<typeof Row>

const one = { languageCode: field.key(), version: z.int() }
const on = (event: string) => ({ machine, event, key: 'languageCode' })
const saved = z.object({ languageCode: z.string(), version: z.int() })

/** Which languages customers and staff are offered, in which order, and which is the default. */
export const languageConfig = noun('user/language', {
  page: list('/common/language/page', {
    perm: 'language:page',
    row: Row,
    filters: { search: field.text(maxLanguageName).optional(), enabled: field.flag().optional() },
    sort: ['sort', 'languageCode', 'updatedTime'],
    defaultSort: 'sort',
  }),
  /** What a language lacks: texts of the interface, values of dictionaries. */
  detail: read('/common/language/detail', {
    perm: 'language:page',
    input: { languageCode: field.key() },
    output: z.object({
      interfaceTexts: field.int(),
      interfaceMissing: field.int(),
      itemsMissing: field.int(),
      missing: z.array(z.object({ dictType: z.string(), keyValue: z.string(), label: z.string() })).max(maxMissing),
      staffCount: field.int(),
    }),
  }),
  /** A new language when no version is sent; otherwise what may change of one. */
  save: command({
    path: '/common/language/save',
    perm: 'language:save',
    audit: 'language.save',
    input: z.strictObject({
      languageCode: code(),
      version: z.int().optional(),
      languageName: field.text(maxLanguageName),
      sort: z.int('validation.languageSort').min(1, 'validation.languageSort').max(9_999).meta({ kind: 'int' }),
      flag: field.file('flag').optional(),
    }),
    output: saved,
  }),
  state: command({
    path: '/common/language/state',
    perm: 'language:state',
    audit: 'language.state',
    on: on('lang.state'),
    input: z.strictObject({ ...one, enabled: field.flag() }),
    output: saved,
  }),
  remove: command({
    path: '/common/language/delete',
    perm: 'language:delete',
    audit: 'language.delete',
    on: on('lang.delete'),
    input: z.strictObject(one),
    output: z.object({}),
  }),
  setDefault: command({
    path: '/common/language/default',
    perm: 'language:default',
    audit: 'language.default',
    on: on('lang.default'),
    input: z.strictObject(one),
    output: saved,
  }),
})

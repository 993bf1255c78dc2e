import { z } from 'zod'
import { instance } from '../../rules/machines/machine.ts'
import { smsTemplate } from '../../rules/machines/marketing/sms-template.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { languageCodes } from '../language.ts'
import { encodings } from '../operation/message-template.ts'
import { marketingValueNames } from './marketing-value.ts'

/** Texts of marketing. */
export const marketingTemplate = instance(smsTemplate, {
  table: 'sms_template',
  key: 'template_no',
  perms: { '{tpl}': 'mkt:template' },
})

const perm = 'mkt:template:page'
const save = 'mkt:template:save'
const enable = 'mkt:template:enable'

const values = dictionary('MARKETING_VALUE', marketingValueNames)
const text = () => field.longText(640)
/** The same words in each language; a customer who reads Chinese gets English where there are none. */
const contents = { contentEn: text(), contentSw: text(), contentZh: text().optional() }

const Row = z.object({
  templateNo: field.key(),
  templateName: field.text(64),
  merchantNo: field.merchant(),
  merchantName: field.text(),
  appName: field.app(),
  textLanguages: z.array(field.dict(languageCodes)),
  /** The beginning, in the language of the reader, else in English. */
  content: field.text(64),
  contentEn: field.longText(640),
  contentSw: field.longText(640),
  contentZh: field.longText(640).nullable(),
  /** Parts of the longest of its languages, with sample values and the line that ends it. */
  mostParts: field.int(),
  templateStatus: field.state(marketingTemplate),
  templateVersion: field.int(),
  /** Tasks that sent it. */
  usedTasks: field.int(),
  authorName: field.user(),
  enabledBy: field.user().nullable(),
  createdBy: field.user(),
  createdTime: field.time(),
  updatedTime: field.time(),
  version: z.int(),
  blockedBy: blockedBy(),
})
/** A row of the texts of marketing. */
export type SmsTemplateRow = z.output<typeof Row>

const Measured = z.object({
  language: field.dict(languageCodes),
  /** With sample values and the line that ends it. */
  messageText: z.string(),
  encoding: field.dict(encodings),
  length: z.int(),
  room: z.int(),
  segments: z.int(),
  /** Characters that make the text dear. */
  forced: z.array(z.string()),
  /** What it costs to one customer, by what vendors charged for a part of late; null while that is not known. */
  cost: field.money().nullable(),
  /** What keeps it from being saved: text keys with what goes into their places. */
  flaws: z.array(z.object({ reason: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })),
  words: z.array(z.object({ word: z.string(), wordAction: z.string() })),
})
/** How a text looks in one language, and what it takes. */
export type MeasuredContent = z.output<typeof Measured>

const Version = z.object({
  templateVersion: z.int(),
  contentEn: z.string(),
  contentSw: z.string(),
  contentZh: z.string().nullable(),
  authorName: field.user(),
  enabledBy: field.user(),
  enabledTime: field.time(),
})
const Use = z.object({
  taskNo: field.key(),
  taskName: z.string(),
  textsSent: z.int(),
  textsArrived: z.int(),
  createdTime: field.time(),
})

const key = { templateNo: field.key() }
const versioned = z.strictObject({ ...key, version: z.int() })
const answer = z.object({ version: z.int() })
const on = (event: string) => ({ machine: marketingTemplate, event, key: 'templateNo' })

/** Texts that marketing sends to many customers. */
export const smsTemplates = noun('marketing/sms-template', {
  page: list('/marketing/manage/smsTemplate/page', {
    perm,
    row: Row,
    filters: {
      templateName: field.text(64).optional(),
      templateNo: field.key().optional(),
      templateStatus: z.array(field.state(marketingTemplate)).optional(),
      merchantNo: z.array(field.merchant()).optional(),
      appName: field.app().optional(),
      language: z.array(field.dict(languageCodes)).optional(),
      createdBy: z.array(field.user()).optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['updatedTime'],
    defaultSort: '-updatedTime',
  }),
  /** The values that a text may name, and what is said where one is not known. */
  variables: read('/marketing/manage/smsTemplate/variables', {
    perm,
    input: {},
    output: z.object({
      list: z.array(
        z.object({ valueName: field.dict(values), example: z.string(), saidInstead: z.string().nullable() }),
      ),
    }),
  }),
  detail: read('/marketing/manage/smsTemplate/{templateNo}', {
    perm,
    input: key,
    output: z.object({ row: Row, measured: z.array(Measured), versions: z.array(Version), uses: z.array(Use) }),
  }),
  /** Shows texts as a customer of the merchant will read them, with what they take and what is wrong with them. */
  measure: endpoint({
    method: 'POST',
    path: '/marketing/manage/smsTemplate/measure',
    perm,
    input: z.strictObject({
      merchantNo: field.merchant().optional(),
      contentEn: z.string().max(640).optional(),
      contentSw: z.string().max(640).optional(),
      contentZh: z.string().max(640).optional(),
    }),
    output: z.object({ list: z.array(Measured) }),
  }),
  save: command({
    path: '/marketing/manage/smsTemplate/save',
    perm: save,
    audit: 'smsTemplate.save',
    on: { ...on('tpl.update'), or: ['tpl.save'] },
    input: z
      .strictObject({
        templateNo: field.key().optional(),
        version: z.int().optional(),
        templateName: field.text(64),
        merchantNo: field.merchant(),
        ...contents,
      })
      .superRefine((given, context) => {
        if (given.templateNo !== undefined && given.version === undefined)
          context.addIssue({ code: 'custom', path: ['version'], message: 'validation.infoComplete' })
      }),
    output: z.object({ ...key, version: z.int() }),
  }),
  /** A draft with the same words. */
  copy: command({
    path: '/marketing/manage/smsTemplate/copy',
    perm: 'mkt:template:copy',
    audit: 'smsTemplate.copy',
    on: on('tpl.copy'),
    input: versioned,
    output: z.object(key),
  }),
  /** Puts a text in force that somebody else wrote: its version is frozen. */
  enable: command({
    path: '/marketing/manage/smsTemplate/enable',
    perm: enable,
    audit: 'smsTemplate.enable',
    on: on('tpl.enable'),
    input: versioned,
    output: answer,
  }),
  disable: command({
    path: '/marketing/manage/smsTemplate/disable',
    perm: enable,
    audit: 'smsTemplate.disable',
    on: on('tpl.disable'),
    input: versioned,
    output: answer,
  }),
  /** Sends a text with sample values to the phone of the caller. */
  test: command({
    path: '/marketing/manage/smsTemplate/test',
    perm: save,
    audit: 'smsTemplate.test',
    input: z.strictObject({ ...key, language: field.dict(languageCodes) }),
    output: z.object({ messageNo: field.key() }),
  }),
})

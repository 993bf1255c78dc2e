import { z } from 'zod'
import { instance } from '../../rules/machines/machine.ts'
import { smsTemplate } from '../../rules/machines/marketing/sms-template.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { languageCodes } from '../language.ts'
import { contactTypes, messageEventDict } from './message-event.ts'
import { channelTypes } from './sms-report.ts'

/** Texts of business nodes. */
export const messageTemplate = instance(smsTemplate, {
  table: 'message_template',
  key: 'template_no',
  perms: { '{tpl}': 'message:template' },
})

/** How a text travels. */
export const encodings = dictionary('SMS_ENCODING', ['gsm7', 'ucs2'])

const perm = 'message:template:page'
const save = 'message:template:save'
const enable = 'message:template:enable'

/** Longest text of each channel, in characters; texts by phone are measured in parts. */
export const longest: Readonly<Record<(typeof channelTypes.values)[number], { title?: number; content: number }>> = {
  sms: { content: 640 },
  phone_sms: { content: 640 },
  app_push: { title: 40, content: 120 },
  email: { title: 120, content: 4_000 },
  whatsapp: { content: 1_000 },
  voice: { content: 600 },
}

type Draft = { channelType?: unknown; title?: unknown; content?: unknown }
const tooLong = ({ channelType, title, content }: Draft) => {
  const most = longest[channelType as keyof typeof longest]
  if (!most) return null
  if (most.title && !title) return { path: 'title', message: 'validation.contentEmpty' }
  if (most.title && String(title).length > most.title) return { path: 'title', message: 'validation.textTooLong' }
  return String(content ?? '').length > most.content ? { path: 'content', message: 'validation.textTooLong' } : null
}

const draft = {
  nodeNo: field.key(),
  channelType: field.dict(channelTypes),
  contactType: field.dict(contactTypes),
  language: field.dict(languageCodes),
  title: field.text(120).optional(),
  content: field.longText(4_000),
}

const Row = z.object({
  templateNo: field.key(),
  templateName: field.text(64),
  nodeNo: field.key(),
  pointCode: field.key(64),
  /** In the language of the reader. */
  nodeName: field.text(64),
  eventKey: field.dict(messageEventDict),
  /** Null for the texts of every app. */
  appCode: field.app().nullable(),
  channelType: field.dict(channelTypes),
  contactType: field.dict(contactTypes),
  merchantNo: field.merchant().nullable(),
  merchantName: field.text().nullable(),
  language: field.dict(languageCodes),
  title: field.text(120).nullable(),
  content: field.longText(4_000),
  /** Of the text with its sample values; null for what is no text message. */
  segments: field.int().nullable(),
  sentIn7Days: field.int(),
  /** Delivered of a hundred of those of the last 7 days whose end is known. */
  deliveredRate: z.number().nullable(),
  templateStatus: field.state(messageTemplate),
  templateVersion: field.int(),
  updatedBy: field.user(),
  updatedTime: field.time(),
  version: z.int(),
  blockedBy: blockedBy(),
})
/** A row of the texts of business nodes. */
export type MessageTemplateRow = z.output<typeof Row>

const Word = z.object({ word: z.string(), wordAction: z.string() })

const Measured = z.object({
  title: z.string().nullable(),
  /** With sample values, or those of an order. */
  messageText: z.string(),
  /** Of a text message; null for other channels. */
  encoding: field.dict(encodings).nullable(),
  length: z.int(),
  room: z.int().nullable(),
  segments: z.int().nullable(),
  /** Characters that make the text dear. */
  forced: z.array(z.string()),
  /** What a text costs, by what vendors charged for a part of late; null while that is not known. */
  cost: field.money().nullable(),
  /** What keeps the text from being enabled: text keys with what goes into their places. */
  flaws: z.array(z.object({ reason: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })),
  words: z.array(Word),
})
/** How a text will look and what it costs. */
export type MeasuredText = z.output<typeof Measured>

const VersionRow = z.object({
  templateVersion: z.int(),
  title: z.string().nullable(),
  content: z.string(),
  enabledBy: field.user(),
  enabledTime: field.time(),
})

const key = { templateNo: field.key() }
const versioned = { ...key, version: z.int() }

/** Texts of what the system says at each business node. */
export const messageTemplates = noun('operation/message-template', {
  page: list('/common/messageTemplate/page', {
    perm,
    row: Row,
    filters: {
      nodeNo: z.array(field.key()).optional(),
      pointCode: field.text(64).optional(),
      appCode: field.app().optional(),
      channelType: z.array(field.dict(channelTypes)).optional(),
      contactType: z.array(field.dict(contactTypes)).optional(),
      merchantNo: z.array(field.merchant()).optional(),
      language: z.array(field.dict(languageCodes)).optional(),
      templateStatus: z.array(field.state(messageTemplate)).optional(),
      templateName: field.text(64).optional(),
    },
    sort: ['pointCode', 'updatedTime'],
    defaultSort: '-updatedTime',
    exported: { as: 'messageTemplates', perm: 'message:template:export' },
  }),
  detail: read('/common/messageTemplate/detail', {
    perm,
    input: key,
    output: z.object({ row: Row, measured: Measured, values: z.array(z.string()), versions: z.array(VersionRow) }),
  }),
  /** Shows a text as its reader will see it, with its length and cost, and what is wrong with it. */
  preview: endpoint({
    method: 'POST',
    path: '/common/messageTemplate/preview',
    perm,
    input: z.strictObject({ ...draft, content: z.string().max(4_000), orderNo: field.key().optional() }),
    output: Measured,
  }),
  /** The nodes that a text may be written for, with their channels and values. */
  nodes: read('/common/messageTemplate/nodes', {
    perm,
    input: {},
    output: z.object({
      list: z.array(
        z.object({
          nodeNo: field.key(),
          pointCode: field.key(64),
          nodeName: z.string(),
          channelTypes: z.array(field.dict(channelTypes)),
          values: z.array(z.string()),
        }),
      ),
    }),
  }),
  /** Which texts are missing: nodes by channel and language. */
  gaps: read('/common/messageTemplate/gaps', {
    perm,
    input: {},
    output: z.object({
      list: z.array(
        z.object({
          gapNo: field.key(),
          pointCode: field.key(64),
          nodeName: z.string(),
          channelType: field.dict(channelTypes),
          language: field.dict(languageCodes),
        }),
      ),
    }),
  }),
  save: command({
    path: '/common/messageTemplate/save',
    perm: save,
    audit: 'messageTemplate.save',
    on: { machine: messageTemplate, event: 'tpl.update', or: ['tpl.save'], key: 'templateNo' },
    input: z
      .strictObject({
        templateNo: field.key().optional(),
        version: z.int().optional(),
        templateName: field.text(64),
        ...draft,
        appCode: field.app().optional(),
        merchantNo: field.merchant().optional(),
      })
      .superRefine((values, context) => {
        if (values.templateNo !== undefined && values.version === undefined)
          context.addIssue({ code: 'custom', path: ['version'], message: 'validation.infoComplete' })
        const found = tooLong(values)
        if (found) context.addIssue({ code: 'custom', path: [found.path], message: found.message })
      }),
    output: z.object({ ...key, version: z.int() }),
  }),
  /** A draft with the same words, for another app, merchant or language. */
  copy: command({
    path: '/common/messageTemplate/copy',
    perm: 'message:template:copy',
    audit: 'messageTemplate.copy',
    on: { machine: messageTemplate, event: 'tpl.copy', key: 'templateNo' },
    input: z.strictObject({
      ...versioned,
      language: field.dict(languageCodes),
      appCode: field.app().optional(),
      merchantNo: field.merchant().optional(),
    }),
    output: z.object(key),
  }),
  enable: command({
    path: '/common/messageTemplate/state',
    perm: enable,
    audit: 'messageTemplate.enable',
    on: { machine: messageTemplate, event: 'tpl.enable', key: 'templateNo' },
    input: z.strictObject(versioned),
    output: z.object({ version: z.int() }),
  }),
  disable: command({
    path: '/common/messageTemplate/disable',
    perm: enable,
    audit: 'messageTemplate.disable',
    on: { machine: messageTemplate, event: 'tpl.disable', key: 'templateNo' },
    /** The last text of a node in force in its channel and language is taken away once that is confirmed. */
    input: z.strictObject({ ...versioned, confirmLast: z.boolean().optional() }),
    output: z.object({ version: z.int() }),
  }),
  /** Sends a text with sample values to the phone or address of the caller. */
  test: command({
    path: '/common/messageTemplate/test',
    perm: save,
    audit: 'messageTemplate.test',
    input: z.strictObject(key),
    output: z.object({ messageNo: field.key() }),
  }),
})

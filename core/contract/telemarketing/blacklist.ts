import { z } from 'zod'
import { contactBlock as machine } from '../../rules/machines/merchant/contact-block.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { addResults, blockColumns, blockFilters, blockHolding, typedNumbers } from '../merchant/contact-block.ts'

/** Where an entry came from. */
export const teleSources = dictionary('BLACKLIST_SOURCE', [
  'agent',
  'do_not_call',
  'sms_stop',
  'robot',
  'import',
  'privacy',
])
/** Sources that are the customer's own word: such an entry ends with a second person alone. */
export const ownWord: readonly string[] = ['do_not_call', 'sms_stop', 'privacy']

/** Most numbers that are typed at once. */
export const maxTyped = 500
const perm = 'tele:blacklist:page'
const countOf = (text: string) => text.split(/[\n,;，；]/).filter(one => one.trim()).length
const phones = () => typedNumbers(maxTyped, countOf, 'validation.phones500')

const Row = z.object({
  ...blockColumns,
  teleSource: field.dict(teleSources),
  reason: field.longText(200),
  /** The call, text or request that it came from. */
  sourceRef: field.text(40).nullable(),
})
export type TeleBlockRow = z.output<typeof Row>

/** A row of an imported file. */
export const importedTeleBlock = z.object({ phone: field.text(30), reason: field.longText(200) })
export type ImportedTeleBlock = z.output<typeof importedTeleBlock>

/** Calls of the list of numbers that no marketing reaches. */
export const teleBlock = noun('telemarketing/blacklist', {
  page: list('/telemarketing/blackList/page', {
    perm,
    row: Row,
    filters: { ...blockFilters, teleSource: z.array(field.dict(teleSources)).optional() },
    sort: ['createdTime', 'expireTime'],
    defaultSort: '-createdTime',
    exported: { as: 'teleBlocks', perm: 'tele:blacklist:export' },
    imported: {
      as: 'teleBlocks',
      perm: 'tele:blacklist:import',
      row: importedTeleBlock,
      key: 'phone',
      example: { phone: '256123456789', reason: 'Asked not to be called' },
    },
  }),
  /** Every list that the number of an entry is on. */
  detail: read('/telemarketing/blackList/{blockNo}', {
    perm,
    input: { blockNo: field.key() },
    output: z.object({ lists: z.array(blockHolding) }),
  }),
  /** Which numbers may not be called for marketing, and since when. */
  check: endpoint({
    method: 'POST',
    path: '/telemarketing/blackList/check',
    perm,
    writes: true,
    input: z.strictObject({ phones: phones() }),
    output: z.object({
      list: z.array(
        z.object({
          value: z.string(),
          /** Null where it may be called. */
          book: blockHolding.shape.book.nullable(),
          createdTime: field.time().nullable(),
          wrong: field.flag(),
        }),
      ),
    }),
  }),
  add: command({
    path: '/telemarketing/blackList/add',
    perm: 'tele:blacklist:update',
    audit: 'teleBlock.add',
    on: { machine, event: 'block.add', key: 'blockNo' },
    input: z.strictObject({
      phones: phones(),
      reason: field.longText(200),
      merchantNo: field.merchant().optional(),
      expireTime: field.time().optional(),
    }),
    output: addResults,
  }),
  /** Lets numbers be called again; what customers asked for themselves ends with a second person. */
  remove: command({
    path: '/telemarketing/blackList/delete',
    perm: 'tele:blacklist:delete',
    audit: 'teleBlock.remove',
    on: { machine, event: 'block.end', key: 'blockNos' },
    input: z.strictObject({ blockNos: z.array(field.key()).min(1).max(100), reason: field.longText(200) }),
    output: results,
  }),
})

import { z } from 'zod'
import { blockScopes, contactKinds, contactMedia } from '../../rules/contact/contact-block.ts'
import { contactBlock as machine } from '../../rules/machines/merchant/contact-block.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { relationTypes } from '../order/person.ts'

export const scopeDict = dictionary('BLOCK_SCOPE', blockScopes)
export const blockReasons = dictionary('BLOCK_REASON', [
  'not_related',
  'asked_to_stop',
  'complaint',
  'wrong_number',
  'deceased',
  'legal',
  'staff',
])
/** Where an entry came from. */
export const blockSources = dictionary('BLOCK_SOURCE', [
  'agent',
  'sms_stop',
  'network',
  'app',
  'robot',
  'privacy',
  'import',
])
export const blockBooks = dictionary('BLOCK_BOOK', ['contact', 'tele', 'black'])
/** What became of a number that was typed. */
export const blockOutcomes = dictionary('BLOCK_ADD', ['added', 'exists', 'format', 'own', 'waits'])
/** What a contact is for. */
export const kindDict = dictionary('CONTACT_KIND', contactKinds)
const mediumDict = dictionary('CONTACT_MEDIUM', contactMedia)

/** Most numbers that are added to the do-not-contact list at once. */
export const maxBlocked = 100
const perm = 'contact:blacklist:page'

/** What entries of both lists of numbers have in common. */
export const blockColumns = {
  blockNo: field.key(),
  phone: field.masked('phone', 'contactBlock'),
  merchantNo: field.merchant().nullable(),
  merchantName: field.text().nullable(),
  createdByName: field.user(),
  createdTime: field.time(),
  /** Null where it holds for ever. */
  expireTime: field.time().nullable(),
  blockStatus: field.state(machine),
  blockedCount: field.int(),
  lastBlocked: field.time().nullable(),
  endedTime: field.time().nullable(),
  endedByName: field.user().nullable(),
  endReason: field.longText(200).nullable(),
  pendingApproval: field.user().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
}

/** Filters of both lists of numbers; a phone is found by the whole of it alone, and looking for it is noted. */
export const blockFilters = {
  phone: field.text(30).optional(),
  merchantNo: z.array(field.merchant()).optional(),
  blockStatus: z.array(field.state(machine)).optional(),
  createdTime: field.dateRange().optional(),
  expireTime: field.dateRange().optional(),
}

const Row = z.object({
  ...blockColumns,
  blockScope: field.dict(scopeDict),
  blockReason: field.dict(blockReasons),
  relation: field.dict(relationTypes).nullable(),
  linkedCustomerNo: field.key().nullable(),
  linkedCustomerName: field.customerName().nullable(),
  blockSource: field.dict(blockSources),
  remark: field.remark(30).nullable(),
})
export type ContactBlockRow = z.output<typeof Row>

const Stop = z.object({
  stopNo: field.key(),
  stoppedAt: field.time(),
  phone: field.masked('phone'),
  contactKind: field.dict(kindDict),
  medium: field.dict(mediumDict),
  blockNo: field.key().nullable(),
  merchantName: field.text().nullable(),
  stoppedByName: field.text(),
})

/** One list that a number is on. */
export const blockHolding = z.object({
  holdingNo: field.key(),
  book: field.dict(blockBooks),
  blockScope: field.dict(scopeDict).nullable(),
  merchantName: field.text().nullable(),
  createdByName: field.user(),
  createdTime: field.time(),
  expireTime: field.time().nullable(),
  blockStatus: field.state(machine),
})

/** Numbers as they are typed: one to `max` of them. */
export const typedNumbers = (max: number, count: (text: string) => number, message: string) =>
  field.longText(max * 20).refine(text => {
    const n = count(text)
    return n > 0 && n <= max
  }, message)

/** A row of an imported file. */
export const importedBlock = z.object({
  phone: field.text(30),
  blockScope: field.dict(scopeDict),
  blockReason: field.dict(blockReasons),
  merchantNo: field.key(20).optional(),
  remark: field.remark(30).optional(),
})
export type ImportedBlock = z.output<typeof importedBlock>

const countOf = (text: string) => text.split(/[\n,;，；]/).filter(one => one.trim()).length

/** What came of each number that was added. */
export const addResults = z.object({
  results: z.array(z.object({ value: z.string(), outcome: field.dict(blockOutcomes) })),
  approvalNo: field.key().nullable(),
  /** Orders on loan of which one of them is a contact. */
  contactOf: z.int(),
})

/** Calls of the do-not-contact list. */
export const contactBlock = noun('merchant/contact-block', {
  page: list('/contact/blackList/page', {
    perm,
    row: Row,
    filters: {
      ...blockFilters,
      blockScope: z.array(field.dict(scopeDict)).optional(),
      blockReason: z.array(field.dict(blockReasons)).optional(),
      blockSource: z.array(field.dict(blockSources)).optional(),
      linkedCustomerNo: field.key().optional(),
    },
    sort: ['createdTime', 'expireTime', 'blockedCount'],
    defaultSort: '-createdTime',
    exported: { as: 'contactBlocks', perm: 'contact:blacklist:export' },
    imported: {
      as: 'contactBlocks',
      perm: 'contact:blacklist:import',
      row: importedBlock,
      key: 'phone',
      example: { phone: '256772345678', blockScope: 'all', blockReason: 'asked_to_stop', merchantNo: '', remark: '' },
    },
  }),
  /** What was sent to a number, before and after, and the loans whose contact it is. */
  detail: read('/contact/blackList/detail', {
    perm,
    input: { blockNo: field.key() },
    output: z.object({
      lists: z.array(blockHolding),
      sent: z.array(z.object({ messageNo: field.key(), createdTime: field.time(), template: z.string() })),
      contactOf: z.array(z.object({ orderNo: field.key(), relation: field.dict(relationTypes).nullable() })),
      proof: z.object({ uploadNo: field.key(), fileName: field.text(200) }).nullable(),
    }),
  }),
  stops: list('/contact/blackList/blocked/page', {
    perm,
    row: Stop,
    filters: {
      blockNo: field.key().optional(),
      contactKind: z.array(field.dict(kindDict)).optional(),
      medium: z.array(field.dict(mediumDict)).optional(),
      stoppedAt: field.dateRange().optional(),
    },
    sort: ['stoppedAt'],
    defaultSort: '-stoppedAt',
  }),
  /** Which lists a number is on, for the person who is about to call it. */
  lookup: endpoint({
    method: 'POST',
    path: '/contact/blackList/lookup',
    perm,
    writes: true,
    input: z.strictObject({ phone: field.text(30) }),
    output: z.object({ list: z.array(blockHolding) }),
  }),
  /** Blocks numbers at once; a customer's own one for collection waits for a second person. */
  add: command({
    path: '/contact/blackList/add',
    perm: 'contact:blacklist:save',
    audit: 'contactBlock.add',
    on: { machine, event: 'block.add', key: 'blockNo' },
    input: z.strictObject({
      phones: typedNumbers(maxBlocked, countOf, 'validation.phones100'),
      blockScopes: z.array(field.dict(scopeDict)).min(1, 'validation.infoComplete').max(blockScopes.length),
      blockReason: field.dict(blockReasons),
      relation: field.dict(relationTypes).optional(),
      linkedCustomerNo: field.key().optional(),
      /** None: with every merchant. */
      merchantNo: field.merchant().optional(),
      /** None: for ever. */
      expireTime: field.time().optional(),
      remark: field.remark(30).optional(),
    }),
    output: addResults,
  }),
  /** Another scope: a wider one at once, any other with a second person. */
  change: command({
    path: '/contact/blackList/change',
    perm: 'contact:blacklist:save',
    audit: 'contactBlock.change',
    on: { machine, event: 'block.change', key: 'blockNos' },
    input: z.strictObject({ blockNos: z.array(field.key()).min(1).max(100), blockScope: field.dict(scopeDict) }),
    output: results,
  }),
  /** Lets a number be contacted again, with a second person and the holder's own request. */
  remove: command({
    path: '/contact/blackList/remove',
    perm: 'contact:blacklist:remove',
    audit: 'contactBlock.remove',
    on: { machine, event: 'block.end', key: 'blockNo' },
    input: z.strictObject({
      blockNo: field.key(),
      version: z.int(),
      reason: field.longText(200),
      proofFile: field.file('attachment'),
    }),
    output: z.object({ approvalNo: field.key() }),
  }),
})

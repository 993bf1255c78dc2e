import { z } from 'zod'
import { nameListItem as machine } from '../../rules/machines/risk/name-list-item.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { field } from '../fields.ts'
import { dimensions, Holding, listReasons, listSources, typed, typedValues } from '../risk/name-list.ts'

const perm = 'loans:blacklist:page'

const Row = z.object({
  itemNo: field.key(),
  dimension: field.dict(dimensions),
  /** Masked; a value is found by typing all of it. */
  displayValue: z.string(),
  /** A customer whose application named the value; null where none did. */
  customerName: field.customerName().nullable(),
  reasonCode: field.dict(listReasons),
  remark: field.remark(30).nullable(),
  merchantNo: field.merchant().nullable(),
  merchantName: field.text().nullable(),
  nameListName: field.text(64),
  listSource: field.dict(listSources),
  hasEvidence: field.flag(),
  createdByName: field.user(),
  createdTime: field.time(),
  expireTime: field.time(),
  itemStatus: field.state(machine),
  timesHit: field.int(),
  lastHit: field.time().nullable(),
  pendingApproval: field.user().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type BlacklistRow = z.output<typeof Row>

/** What is said of entries that are added. */
const said = {
  reasonCode: field.dict(listReasons),
  /** For staff and who is related to them: the personnel number. */
  remark: field.remark(30).optional(),
  /** None: with every merchant, which a second person agrees to. */
  merchantNo: field.merchant().optional(),
  expireTime: field.time().optional(),
  evidenceFile: field.file('attachment'),
}

const added = z.object({
  results: typed,
  approvalNo: field.key().nullable(),
  /** Loans that are open to whom the values name, and what is owed of their principal: they are not touched. */
  openLoans: z.int(),
  openAmount: field.money(),
})

/** A row of an imported file: for one merchant, without a second person. */
export const importedBarred = z.object({
  dimension: field.dict(dimensions),
  listValue: field.text(64),
  reason: field.dict(listReasons),
  merchantNo: field.key(20),
  remark: field.remark(30).optional(),
})
export type ImportedBarred = z.output<typeof importedBarred>

const on = (event: string, key = 'itemNos') => ({ machine, event, key })

/** Calls of black lists that people fill: whom a merchant, or all of them, will not lend to. */
export const blacklist = noun('merchant/blacklist', {
  page: list('/merchant/blacklist/page', {
    perm,
    row: Row,
    filters: {
      /** All of it: there are no parts of a value to look for. */
      listValue: field.text(64).optional(),
      dimension: z.array(field.dict(dimensions)).optional(),
      reasonCode: z.array(field.dict(listReasons)).optional(),
      merchantNo: z.array(field.merchant()).optional(),
      listSource: z.array(field.dict(listSources)).optional(),
      itemStatus: z.array(field.state(machine)).optional(),
      createdTime: field.dateRange().optional(),
      expireTime: field.dateRange().optional(),
      neverHit: field.flag().optional(),
    },
    sort: ['createdTime', 'expireTime', 'timesHit'],
    defaultSort: '-createdTime',
    exported: { as: 'barred', perm: 'loans:blacklist:export' },
    imported: {
      as: 'barred',
      perm: 'loans:blacklist:import',
      row: importedBarred,
      key: 'listValue',
      example: { dimension: 'phone', listValue: '256772345678', reason: 'fraud', merchantNo: 'M001', remark: '' },
      maxRows: 1_000,
    },
  }),
  /** What an entry rests on, every list of its value, and the applications that were refused by it. */
  detail: read('/merchant/blacklist/detail', {
    perm,
    input: { itemNo: field.key() },
    output: z.object({
      evidence: z.object({ uploadNo: field.key(), fileName: field.text(200) }).nullable(),
      list: z.array(Holding),
      orders: z.array(z.object({ orderNo: field.key(), hitAt: field.time() })),
      /** Customers whose applications named the value. */
      persons: z.int(),
    }),
  }),
  lookup: endpoint({
    method: 'POST',
    path: '/merchant/blacklist/lookup',
    perm,
    writes: true,
    input: z.strictObject({ dimension: field.dict(dimensions), listValue: field.text(64) }),
    output: z.object({ conflict: z.boolean(), list: z.array(Holding) }),
  }),
  add: command({
    path: '/merchant/blacklist/add',
    perm: 'loans:blacklist',
    audit: 'blacklist.add',
    on: on('item.add', 'itemNo'),
    input: z.strictObject({ dimension: field.dict(dimensions), values: typedValues(), ...said }),
    output: added,
  }),
  /** Bars what is known of a customer, by the kinds of values that are ticked. */
  addPerson: command({
    path: '/merchant/blacklist/addPerson',
    perm: 'loans:blacklist',
    audit: 'blacklist.addPerson',
    on: on('item.add', 'itemNo'),
    input: z.strictObject({
      customerNo: field.key(),
      dimensions: z.array(field.dict(dimensions)).min(1, 'validation.infoComplete').max(dimensions.values.length),
      ...said,
    }),
    output: added,
  }),
  /** A later end, or another reason. */
  extend: command({
    path: '/merchant/blacklist/extend',
    perm: 'loans:blacklist',
    audit: 'blacklist.extend',
    on: on('item.extend'),
    input: z.strictObject({
      itemNos: z.array(field.key()).min(1).max(100),
      expireTime: field.time(),
      reasonCode: field.dict(listReasons).optional(),
    }),
    output: results,
  }),
  /** Lets somebody apply again, with a second person. */
  remove: command({
    path: '/merchant/blacklist/remove',
    perm: 'loans:blacklist:remove',
    audit: 'blacklist.remove',
    on: on('item.remove'),
    input: z.strictObject({ itemNos: z.array(field.key()).min(1).max(100), reason: field.longText(200) }),
    output: results,
  }),
})

import { z } from 'zod'
import { nameListItem } from '../../rules/machines/risk/name-list-item.ts'
import {
  defaultMonths,
  effectFits,
  listDimensions,
  listEffects,
  listKinds,
  maxMonths,
  maxValues,
  valuesIn,
} from '../../rules/text/name-list.ts'
import { blockedBy } from '../blocked.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

const kinds = dictionary('LIST_KIND', listKinds)
export const dimensions = dictionary('LIST_DIMENSION', listDimensions)
const effects = dictionary('LIST_EFFECT', listEffects)
export const listSources = dictionary('LIST_SOURCE', ['manual', 'import', 'feed'])
export const listReasons = dictionary('LIST_REASON', [
  'fraud',
  'identity_misuse',
  'bad_debt',
  'court',
  'staff_related',
  'customer_request',
  'trusted',
  'other',
])

const flaw = ({ listKind, listEffect }: Readonly<Record<string, unknown>>): Flaw | null =>
  listKind !== undefined && !effectFits(String(listKind), String(listEffect))
    ? { path: 'listEffect', message: 'validation.listEffect' }
    : null

/** Lists of persons, phones and devices that are refused, looked at twice, or trusted. */
export const nameLists = config({
  name: 'nameList',
  path: '/risk/list',
  area: 'risk:list',
  table: 'name_list',
  key: 'nameListNo',
  row: {
    nameListName: field.text(64),
    listKind: field.dict(kinds),
    dimension: field.dict(dimensions),
    listEffect: field.dict(effects),
    merchantNo: field.merchant().nullable(),
    merchantName: field.text().nullable(),
    defaultMonths: field.int(),
    /** What fills it by itself; people do not take such entries away. */
    feedKey: field.text(40).nullable(),
    activeCount: field.int(),
    hits7: field.int(),
  },
  form: {
    nameListName: field.text(64),
    listEffect: field.dict(effects),
    defaultMonths: field
      .int()
      .min(1, 'validation.wrongValue')
      .max(maxMonths, 'validation.wrongValue')
      .default(defaultMonths),
  },
  create: { listKind: field.dict(kinds), dimension: field.dict(dimensions), merchantNo: field.merchant().optional() },
  flaw,
  filters: {
    nameListName: field.text(64).optional(),
    listKind: z.array(field.dict(kinds)).optional(),
    dimension: z.array(field.dict(dimensions)).optional(),
  },
  sort: ['nameListName', 'activeCount'],
  used: true,
})

const perm = 'risk:list:page'
const Item = z.object({
  itemNo: field.key(),
  nameListNo: field.key(),
  nameListName: field.text(64),
  listKind: field.dict(kinds),
  dimension: field.dict(dimensions),
  /** Masked; a value is found by typing all of it. */
  displayValue: z.string(),
  reasonCode: field.dict(listReasons),
  remark: field.remark(30).nullable(),
  listSource: field.dict(listSources),
  createdBy: field.user(),
  createdTime: field.time(),
  expireTime: field.time(),
  itemStatus: field.state(nameListItem),
  timesHit: field.int(),
  lastHit: field.time().nullable(),
  /** The same value is on a black and on a white list: black wins. */
  conflict: field.flag(),
  pendingApproval: field.user().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type NameListItem = z.output<typeof Item>

const Hit = z.object({
  listHitNo: field.key(),
  hitAt: field.time(),
  orderNo: field.key(),
  nameListName: field.text(64),
  listKind: field.dict(kinds),
  listEffect: field.dict(effects),
  displayValue: z.string(),
})

/** An entry that holds a value, as the person reads it who is asked why. */
export const Holding = z.object({
  itemNo: field.key(),
  nameListName: field.text(64),
  listKind: field.dict(kinds),
  reasonCode: field.dict(listReasons),
  createdBy: field.user(),
  createdTime: field.time(),
  expireTime: field.time(),
  itemStatus: field.state(nameListItem),
})

const value = () => field.text(64)
/** What became of each value that was typed. */
export const typed = z.array(
  z.object({ value: z.string(), outcome: field.dict(dictionary('LIST_ADD', ['added', 'exists', 'format', 'waits'])) }),
)

/** Values as they are typed, one a line. */
export const typedValues = () =>
  field.longText(6_500).refine(text => {
    const n = valuesIn(text).length
    return n > 0 && n <= maxValues
  }, 'validation.listValues')

/** A row of an imported file. */
export const importedItem = z.object({
  nameListNo: field.key(),
  listValue: value(),
  reason: field.dict(listReasons),
  remark: field.remark(30).optional(),
})
export type ImportedItem = z.output<typeof importedItem>

const on = (event: string, key = 'itemNos') => ({ machine: nameListItem, event, key })

/** Calls of risk lists and their entries. */
export const nameList = noun('risk/name-list', {
  ...nameLists.calls,
  items: list('/risk/list/item/page', {
    perm,
    row: Item,
    filters: {
      nameListNo: field.key().optional(),
      /** All of it: there are no parts of a value to look for. */
      listValue: value().optional(),
      listKind: z.array(field.dict(kinds)).optional(),
      dimension: z.array(field.dict(dimensions)).optional(),
      reasonCode: z.array(field.dict(listReasons)).optional(),
      listSource: z.array(field.dict(listSources)).optional(),
      itemStatus: z.array(field.state(nameListItem)).optional(),
      createdTime: field.dateRange().optional(),
      expireTime: field.dateRange().optional(),
    },
    sort: ['createdTime', 'expireTime', 'timesHit'],
    defaultSort: '-createdTime',
    exported: { as: 'listItems', perm: 'risk:list:export' },
    imported: {
      as: 'listItems',
      perm: 'risk:list:import',
      row: importedItem,
      key: 'listValue',
      example: { nameListNo: 'NL1', listValue: '256772345678', reason: 'fraud', remark: '' },
      maxRows: 1_000,
    },
  }),
  /** What an entry rests on, and every entry of the same value. */
  itemDetail: read('/risk/list/item/detail', {
    perm,
    input: { itemNo: field.key() },
    output: z.object({
      evidence: z.object({ uploadNo: field.key(), fileName: field.text(200) }).nullable(),
      list: z.array(Holding),
    }),
  }),
  hits: list('/risk/list/hit/page', {
    perm,
    row: Hit,
    filters: {
      nameListNo: field.key().optional(),
      itemNo: field.key().optional(),
      orderNo: field.key().optional(),
      hitAt: field.dateRange().optional(),
    },
    sort: ['hitAt'],
    defaultSort: '-hitAt',
  }),
  /** Which lists hold a value, for the person who is asked about it. */
  lookup: endpoint({
    method: 'POST',
    path: '/risk/list/lookup',
    perm,
    writes: true,
    input: z.strictObject({ dimension: field.dict(dimensions), listValue: value() }),
    output: z.object({
      conflict: z.boolean(),
      list: z.array(Holding),
    }),
  }),
  /** Adds values, one a line; those of a white list wait for a second person. */
  add: command({
    path: '/risk/list/item/add',
    perm: 'risk:list:item',
    audit: 'nameListItem.add',
    on: { machine: nameListItem, event: 'item.add', key: 'nameListNo' },
    input: z.strictObject({
      nameListNo: field.key(),
      values: typedValues(),
      reasonCode: field.dict(listReasons),
      remark: field.remark(30).optional(),
      expireTime: field.time().optional(),
      /** A black list says why. */
      evidenceFile: field.file('attachment').optional(),
    }),
    output: z.object({ results: typed, approvalNo: field.key().nullable() }),
  }),
  /** A later end, or another reason. */
  extend: command({
    path: '/risk/list/item/extend',
    perm: 'risk:list:item',
    audit: 'nameListItem.extend',
    on: on('item.extend'),
    input: z.strictObject({
      itemNos: z.array(field.key()).min(1).max(100),
      expireTime: field.time(),
      reasonCode: field.dict(listReasons).optional(),
    }),
    output: results,
  }),
  /** Takes entries away; those of a black list wait for a second person. */
  removeItems: command({
    path: '/risk/list/item/remove',
    perm: 'risk:list:remove',
    audit: 'nameListItem.remove',
    on: on('item.remove'),
    input: z.strictObject({ itemNos: z.array(field.key()).min(1).max(100), reason: field.longText(200) }),
    output: results,
  }),
})

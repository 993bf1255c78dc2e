import { z } from 'zod'
import { placeholdersIn } from '../../rules/text/filled.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { endpoint, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** What customers agree to. */
export const contractTypes = dictionary('CONTRACT_TYPE', [
  'loan_agreement',
  'cost_summary',
  'privacy',
  'data_consent',
  'extension_agreement',
])

/** What a text may name; each stands for a value of its order. */
export const contractVariables = [
  'customerName',
  'orderNo',
  'merchantName',
  'principal',
  'amountReceived',
  'interest',
  'serviceFee',
  'managementFee',
  'totalToRepay',
  'term',
  'dueDates',
  'signDate',
] as const

/** What a summary of costs cannot do without. */
export const neededVariables: readonly (typeof contractVariables)[number][] = [
  'principal',
  'amountReceived',
  'interest',
  'serviceFee',
  'managementFee',
  'totalToRepay',
  'dueDates',
]
const bodies = ['bodyZh', 'bodyEn', 'bodySw'] as const

/** A text names values that there are. */
const flaw = (values: Readonly<Record<string, unknown>>): Flaw | null => {
  const known: readonly string[] = contractVariables
  const wrong = bodies.find(
    name =>
      typeof values[name] === 'string' && placeholdersIn(values[name]).some(variable => !known.includes(variable)),
  )
  return wrong ? { path: wrong, message: 'validation.contractVariable' } : null
}

const text = (example: string) => field.longText(20_000).meta({ kind: 'longText', example })
const perm = 'contract:list'

/** The texts that customers of a merchant agree to, in all languages, under dated versions. */
export const appContracts = config({
  name: 'appContract',
  path: '/appConfig/contract',
  area: 'contract',
  codes: { page: perm, save: 'contract:update', enable: 'contract:update', delete: 'contract:update' },
  table: 'app_contract',
  key: 'contractNo',
  row: {
    contractType: field.dict(contractTypes),
    merchantNo: field.merchant(),
    merchantName: field.text(),
    /** Of the text in force, the first twelve characters. */
    sha256: z.string().nullable(),
    /** Orders that were agreed to by it, in any version. */
    signedCount: field.int(),
    /** Orders in progress that were agreed to by an earlier version. */
    openOnOlder: field.int(),
  },
  form: {},
  create: { contractType: field.dict(contractTypes), merchantNo: field.merchant() },
  filters: {
    contractType: z.array(field.dict(contractTypes)).optional(),
    merchantNo: z.array(field.merchant()).optional(),
  },
  sort: ['effectiveTime', 'signedCount'],
  versions: {
    form: {
      bodyZh: text('借款金额 {principal}'),
      bodyEn: text('You borrow {principal}'),
      bodySw: text('Unakopa {principal}'),
    },
    flaw,
    effect: {
      /** Orders in progress, which keep the text that they were agreed to by. */
      openOrders: field.int(),
    },
  },
  used: true,
})

const Signed = z.object({
  contractNo: field.key(),
  contractType: field.dict(contractTypes),
  versionNo: field.key(),
  signedTime: field.time(),
  sha256: z.string(),
})

/** Calls of contracts: those of the config, their texts as files, and those of an order. */
export const appContract = noun('operation/app-contract', {
  ...appContracts.calls,
  /** The text of a version, with the values of an example, to be read or printed. */
  download: endpoint({
    method: 'GET',
    path: '/appConfig/contract/download',
    perm: 'contract:download',
    writes: true,
    file: true,
    input: z.strictObject({ contractNo: field.key(), versionNo: field.key() }),
    output: z.null(),
  }),
})

const ofOrder = { orderNo: field.key() }

/** What an order was agreed to by. */
export const orderContract = noun('operation/app-contract', {
  list: read('/loans/audit/contract/list', {
    perm: 'contract:download',
    input: ofOrder,
    output: z.object({ list: z.array(Signed) }),
  }),
  /** All of it, in the reader's language, to be read or printed. */
  download: endpoint({
    method: 'GET',
    path: '/loans/audit/contract/download',
    perm: 'contract:download',
    writes: true,
    file: true,
    input: z.strictObject(ofOrder),
    output: z.null(),
  }),
})

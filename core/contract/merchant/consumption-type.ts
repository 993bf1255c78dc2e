import { z } from 'zod'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'
import { type Meter, meters, neverStopped, units } from './meters.ts'

/** The price of one unit: at most four decimals, since a part of a text costs less than a shilling. */
export const unitPrice = () =>
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,4})?$/, 'validation.unitPrice')
    .meta({ kind: 'rate' })

const area = 'merchant:consumptionType'
const path = '/merchant/consumptionType'
const form = {
  typeName: field.texts(64),
  unit: field.dict(units),
  /** Merchants that pay in advance get it only while their wallet stands above its floor. */
  prepaidRequired: field.flag(),
}

/** Nobody pays in advance for what customers are owed. */
export const prepaidFlaw = ({ meter, prepaidRequired }: Readonly<Record<string, unknown>>): Flaw | null =>
  prepaidRequired === true && neverStopped.includes(meter as Meter)
    ? { path: 'prepaidRequired', message: 'validation.neverPrepaid' }
    : null

/** Services that merchants are charged for. */
export const consumptionTypes = config({
  name: 'consumptionType',
  path,
  area,
  table: 'consumption_type',
  key: 'typeNo',
  row: {
    typeCode: field.key(32),
    meter: field.dict(meters),
    ...form,
    /** For all merchants, now; null while there is none. */
    unitPrice: unitPrice().nullable(),
    effectiveTime: field.time().nullable(),
    /** The price that follows it, and from when. */
    nextPrice: unitPrice().nullable(),
    nextPriceTime: field.time().nullable(),
    /** Merchants with a price of their own. */
    ownPrices: field.int(),
    quantity30: field.int(),
    amount30: field.money(),
    yesterdayQuantity: field.int(),
    yesterdayAmount: field.money(),
  },
  form,
  create: {
    typeCode: z
      .string()
      .regex(/^[a-zA-Z][a-zA-Z0-9_-]{1,31}$/, 'validation.typeCode')
      .meta({ kind: 'key', example: 'sms' }),
    meter: field.dict(meters),
  },
  flaw: prepaidFlaw,
  filters: {
    typeName: field.text(64).optional(),
    prepaidRequired: field.flag().optional(),
    meter: z.array(field.dict(meters)).optional(),
  },
  sort: ['typeCode', 'quantity30', 'amount30'],
  used: true,
  exported: { as: 'consumptionTypes', perm: `${area}:export` },
})

const priced = { unitPrice: unitPrice() }

/** What a unit costs: for all merchants or for one, from a day on. */
export const consumptionPrices = config({
  name: 'consumptionPrice',
  path: `${path}/price`,
  area: `${area}:price`,
  codes: { page: `${area}:page`, save: `${area}:price`, enable: `${area}:price`, delete: `${area}:price` },
  table: 'consumption_price',
  key: 'priceNo',
  row: {
    typeNo: field.key(),
    typeName: field.texts(64),
    meter: field.dict(meters),
    unit: field.dict(units),
    merchantNo: field.merchant().nullable(),
    merchantName: field.text().nullable(),
    /** What it was charged for in the last 30 days. */
    quantity30: field.int(),
  },
  form: {},
  create: { typeNo: field.option('CONSUMPTION_TYPE'), merchantNo: field.merchant().optional() },
  versions: {
    form: priced,
    effect: {
      quantity: field.int(),
      before: field.money(),
      after: field.money(),
      /** Merchants whose bill it changes. */
      merchants: field.int(),
    },
  },
  filters: {
    typeNo: field.option('CONSUMPTION_TYPE').optional(),
    meter: z.array(field.dict(meters)).optional(),
    merchantNo: z.array(field.merchant()).optional(),
  },
  sort: ['effectiveTime'],
  exported: { as: 'consumptionPrices', perm: `${area}:export` },
})

const Priced = z.object({
  versionNo: field.key(),
  merchantNo: field.merchant().nullable(),
  merchantName: field.text().nullable(),
  unitPrice: unitPrice(),
  effectiveTime: field.time(),
  /** Until when it held; null while it does, or before it does. */
  supersededTime: field.time().nullable(),
})
export type PricedLine = z.output<typeof Priced>

const Simulated = z.object({
  merchantNo: field.merchant(),
  merchantName: field.text(),
  quantity: field.int(),
  before: field.money(),
  after: field.money(),
})

/** Calls of what is charged, and at which price. */
export const consumptionType = noun('merchant/consumption-type', {
  ...consumptionTypes.calls,
  /** All prices of a service in the order of time, those of single merchants among them. */
  prices: read(`${path}/prices`, {
    perm: `${area}:page`,
    input: { typeNo: field.key() },
    output: z.object({ list: z.array(Priced) }),
  }),
  /** The bill of the last 30 days at another price, merchant by merchant. */
  simulate: read(`${path}/simulate`, {
    perm: `${area}:page`,
    input: { priceNo: field.key(), unitPrice: unitPrice() },
    output: z.object({ list: z.array(Simulated) }),
  }),
})

/** Calls of the prices themselves. */
export const consumptionPrice = noun('merchant/consumption-type', consumptionPrices.calls)

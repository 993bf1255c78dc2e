import { z } from 'zod'
import { gt } from '../../rules/amount.ts'
import { moneyFormat } from '../../rules/text/formats.ts'
import { channels } from '../after-loan/channel.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** Money to the customer, and money from them. */
export const payDirections = dictionary('PAY_DIRECTION', ['payout', 'repay'])

const edit = 'payment:visual:edit'
const page = '/AdminContent/MerchantSystem/MerchantConfigManagement'

const form = {
  displayName: field.texts(64),
  hint: field.texts(200).optional(),
  /** A smaller one stands before a greater one. */
  sort: field.place(),
  minAmount: field.money(),
  maxAmount: field.money(),
  /** The account of ours that is shown. */
  fundAccountNo: field.fundAccount().optional(),
}

const flaw = ({ minAmount, maxAmount }: Readonly<Record<string, unknown>>): Flaw | null => {
  const [least, most] = [String(minAmount), String(maxAmount)]
  return moneyFormat.test(least) && moneyFormat.test(most) && gt(least, most)
    ? { path: 'maxAmount', message: 'validation.amountOrder' }
    : null
}

/** Ways to be paid and to pay, as the app of a merchant shows them; one that is disabled is not shown. */
export const paymentDisplays = config({
  name: 'paymentDisplay',
  path: '/paymentVisualConfig',
  area: 'payment:visual',
  codes: { page, save: edit, enable: edit, delete: edit },
  table: 'payment_display',
  key: 'displayNo',
  row: {
    ...form,
    hint: field.texts(200).nullable(),
    fundAccountNo: field.fundAccount().nullable(),
    merchantNo: field.merchant(),
    merchantName: field.text(),
    channel: field.dict(channels),
    direction: field.dict(payDirections),
  },
  form,
  create: { merchantNo: field.merchant(), channel: field.dict(channels), direction: field.dict(payDirections) },
  flaw,
  filters: {
    merchantNo: z.array(field.merchant()).optional(),
    channel: z.array(field.dict(channels)).optional(),
    direction: z.array(field.dict(payDirections)).optional(),
  },
  sort: ['sort'],
})

/** What the app shows of payments. */
export const paymentDisplay = noun('merchant/payment-display', paymentDisplays.calls)

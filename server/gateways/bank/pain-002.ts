import type { Money } from '../../../core/rules/money.ts'
import { moneyOf } from '../read.ts'
import { one, type Part, readMessage, unreadable, type Values } from './iso20022.ts'

/** Why something was refused: the codes, and the words that came with them. */
export type Reasons = { codes: readonly string[]; text: string }

/** What a bank says of one payment. */
export type PaymentAnswer = {
  externalId: string
  status: string
  reasons: Reasons
  /** The bank's own number of the payment. */
  serialNo?: string
  /** What it says was to be paid, where it says so. */
  amount?: Money
  currency?: string
}

/** What a bank says of one of our files. */
export type BankAnswer = {
  /** The answer's own number. */
  answerNo: string
  /** The file that it answers. */
  batchNo: string
  /** Of the file as a whole; null where it only speaks of payments. */
  status: string | null
  reasons: Reasons
  /** How many payments, and what sum, the bank read in our file. */
  count?: number
  sum?: Money
  payments: readonly PaymentAnswer[]
}

/** What one answer may hold; a batch of ours is far smaller. */
export const answerBounds = { bytes: 4 * 1024 * 1024, payments: 10_000, depth: 24, text: 2_000, id: 64 } as const

const namespace = /^urn:iso:std:iso:20022:tech:xsd:pain\.002\.001\.\d\d$/
const required = (values: Values, path: string): string => {
  const value = one(values, path)
  if (value === undefined || value.length > answerBounds.id) throw unreadable()
  return value
}
const amountAt = (values: Values, path: string): Money | undefined => {
  const text = one(values, path)
  const amount = moneyOf(text?.replace(/(\.\d\d)0*$/, '$1'))
  if (text !== undefined && amount === undefined) throw unreadable()
  return amount
}
const reasonsOf = (values: Values): Reasons => ({
  codes: [...(values.get('StsRsnInf/Rsn/Cd') ?? []), ...(values.get('StsRsnInf/Rsn/Prtry') ?? [])],
  text: (values.get('StsRsnInf/AddtlInf') ?? []).join(' ').slice(0, 200),
})

const paymentOf = (values: Values): PaymentAnswer => {
  const serialNo = one(values, 'AcctSvcrRef')
  const amount = amountAt(values, 'OrgnlTxRef/Amt/InstdAmt')
  const currency = one(values, 'OrgnlTxRef/Amt/InstdAmt@Ccy')
  return {
    externalId: required(values, 'OrgnlEndToEndId'),
    status: required(values, 'TxSts'),
    reasons: reasonsOf(values),
    ...(serialNo ? { serialNo } : {}),
    ...(amount ? { amount } : {}),
    ...(currency ? { currency } : {}),
  }
}

/** A payment information that is refused as a whole is a file that is refused: ours have one. */
const groupOf = (group: Values, infos: readonly Part[]): Pick<BankAnswer, 'status' | 'reasons'> => {
  const status = one(group, 'GrpSts') ?? null
  const refused = infos.find(({ values }) => one(values, 'PmtInfSts') === 'RJCT')
  if (status !== 'RJCT' && refused) return { status: 'RJCT', reasons: reasonsOf(refused.values) }
  return { status, reasons: reasonsOf(group) }
}

/**
 * Reads an answer of a bank (pain.002). It has no document type, one root of its kind, every element closed, each thing
 * said once, and is no larger than {@link answerBounds}. @throws {Unreadable} for anything else
 */
export const readPain002 = async (bytes: Buffer): Promise<BankAnswer> => {
  const message = await readMessage(bytes, {
    namespace,
    message: 'CstmrPmtStsRpt',
    parts: {
      head: 'GrpHdr',
      group: 'OrgnlGrpInfAndSts',
      info: 'OrgnlPmtInfAndSts',
      payment: 'OrgnlPmtInfAndSts/TxInfAndSts',
    },
    bounds: { ...answerBounds, parts: answerBounds.payments + 2_000 },
  })
  const { head: heads = [], group: groups = [], info: infos = [] } = message.parts
  const payments = infos.flatMap(info => info.parts.payment ?? [])
  if (heads.length !== 1 || groups.length !== 1 || payments.length > answerBounds.payments) throw unreadable()
  const head = (heads[0] as Part).values
  const group = (groups[0] as Part).values
  const count = one(group, 'OrgnlNbOfTxs')
  const sum = amountAt(group, 'OrgnlCtrlSum')
  if (count !== undefined && !/^\d{1,15}$/.test(count)) throw unreadable()
  return {
    answerNo: required(head, 'MsgId'),
    batchNo: required(group, 'OrgnlMsgId'),
    ...groupOf(group, infos),
    ...(count === undefined ? {} : { count: Number(count) }),
    ...(sum === undefined ? {} : { sum }),
    payments: payments.map(({ values }) => paymentOf(values)),
  }
}

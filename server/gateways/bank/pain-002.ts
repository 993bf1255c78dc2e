import type { Money } from '../../../core/rules/money.ts'
import { Unreadable } from '../../imports/unreadable.ts'
import { wholeXml } from '../../imports/xml-read.ts'
import { moneyOf } from '../read.ts'

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
const unreadable = () => new Unreadable('unreadable')

type Values = Map<string, string[]>

const one = (values: Values, path: string): string | undefined => {
  const found = values.get(path) ?? []
  if (found.length > 1) throw unreadable()
  return found[0] || undefined
}
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

const root = 'Document/CstmrPmtStsRpt'
/** What is gathered by itself, with the path of its element. */
const parts = {
  head: `${root}/GrpHdr`,
  group: `${root}/OrgnlGrpInfAndSts`,
  info: `${root}/OrgnlPmtInfAndSts`,
  payment: `${root}/OrgnlPmtInfAndSts/TxInfAndSts`,
}
type Part = keyof typeof parts

/** Gathers the leaves of every part as they come by. */
const gather = () => {
  const path: string[] = []
  const found: Record<Part, Values[]> = { head: [], group: [], info: [], payment: [] }
  let text = ''
  let done = false

  const partAt = (whole: string): [Values, string] | undefined => {
    for (const part of ['payment', 'info', 'group', 'head'] as const) {
      const values = found[part].at(-1)
      if (values && whole.startsWith(`${parts[part]}/`)) return [values, whole.slice(parts[part].length + 1)]
    }
    return undefined
  }
  const keep = (whole: string, value: string) => {
    const [values, below] = partAt(whole) ?? []
    if (!values || !below) return
    const before = values.get(below)
    if (before) before.push(value)
    else values.set(below, [value])
  }

  return {
    found,
    isWhole: () => done && path.length === 0,
    events: {
      open(name: string, attribute: (name: string) => string | undefined) {
        if (done || path.length >= answerBounds.depth) throw unreadable()
        if (path.length === 0 && (name !== 'Document' || !namespace.test(attribute('xmlns') ?? ''))) throw unreadable()
        if (path.length === 1 && name !== 'CstmrPmtStsRpt') throw unreadable()
        path.push(name)
        text = ''
        const whole = path.join('/')
        for (const part of Object.keys(parts) as Part[]) if (whole === parts[part]) found[part].push(new Map())
        if (found.payment.length > answerBounds.payments || found.head.length > 1 || found.group.length > 1)
          throw unreadable()
        const currency = attribute('Ccy')
        if (currency !== undefined) keep(`${whole}@Ccy`, currency)
      },
      close(name: string) {
        if (path.at(-1) !== name) throw unreadable()
        if (text.trim() !== '') keep(path.join('/'), text.trim())
        text = ''
        path.pop()
        if (path.length === 0) done = true
      },
      text(more: string) {
        if (path.length === 0 && more.replace('\uFEFF', '').trim() !== '') throw unreadable()
        text += more
        if (text.length > answerBounds.text) throw unreadable()
      },
    },
  }
}

async function* inOne(bytes: Buffer) {
  yield bytes
}

/** A payment information that is refused as a whole is a file that is refused: ours have one. */
const groupOf = (group: Values, infos: readonly Values[]): Pick<BankAnswer, 'status' | 'reasons'> => {
  const status = one(group, 'GrpSts') ?? null
  const refused = infos.find(info => one(info, 'PmtInfSts') === 'RJCT')
  if (status !== 'RJCT' && refused) return { status: 'RJCT', reasons: reasonsOf(refused) }
  return { status, reasons: reasonsOf(group) }
}

/**
 * Reads an answer of a bank (pain.002). It has no document type, one root of its kind, every element closed, each thing
 * said once, and is no larger than {@link answerBounds}. @throws {Unreadable} for anything else
 */
export const readPain002 = async (bytes: Buffer): Promise<BankAnswer> => {
  if (bytes.length > answerBounds.bytes) throw unreadable()
  const { found, events, isWhole } = gather()
  await wholeXml(inOne(bytes), events)
  const [head] = found.head
  const [group] = found.group
  if (!isWhole() || !head || !group) throw unreadable()
  const count = one(group, 'OrgnlNbOfTxs')
  const sum = amountAt(group, 'OrgnlCtrlSum')
  if (count !== undefined && !/^\d{1,15}$/.test(count)) throw unreadable()
  return {
    answerNo: required(head, 'MsgId'),
    batchNo: required(group, 'OrgnlMsgId'),
    ...groupOf(group, found.info),
    ...(count === undefined ? {} : { count: Number(count) }),
    ...(sum === undefined ? {} : { sum }),
    payments: found.payment.map(paymentOf),
  }
}

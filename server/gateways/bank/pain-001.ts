import { type Money, sum } from '../../../core/rules/money.ts'
import type { EatDate } from '../../../core/rules/time.ts'
import { shillings } from '../read.ts'

/** One payment to a bank account. */
export type BankPayment = {
  /** What the bank answers by: at most 35 characters. */
  externalId: string
  /** Whole shillings. */
  amount: Money
  holder: string
  accountNumber: string
  bankName: string | null
  branch: string | null
  /** What the payee reads beside the money. */
  message: string
}

/** Everything that one payout file says. */
export type BankFile = {
  batchNo: string
  created: Date
  /** The day on which the bank is to pay. */
  executionDate: EatDate
  debtor: { name: string; accountNumber: string; bankName: string | null; branch: string | null }
  payments: readonly BankPayment[]
}

/** Longest identification of ISO 20022 (Max35Text). */
export const idLength = 35
const nameLength = 70
const remittanceLength = 140

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
/** What XML 1.0 cannot hold at all, and breaks of lines, which no bank expects in a name. */
const unfit =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /[\u0000-\u001F\u007F-\u009F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/** A text as an element holds it: cut to a length in characters, escaped. */
const written = (text: string, length: number): string =>
  [...text.replace(unfit, ' ').trim()]
    .slice(0, length)
    .join('')
    .replace(/[&<>"']/g, letter => entities[letter] ?? letter)

const element = (name: string, content: string, attributes = ''): string => `<${name}${attributes}>${content}</${name}>`
const named = (text: string) => element('Nm', written(text, nameLength))
const accountOf = (number: string, more = '') =>
  element('Id', element('Othr', element('Id', written(number, idLength)))) + more

/** A bank by its name, and its branch; the standard wants one even where we know none. */
const agent = (name: string, { bankName, branch }: { bankName: string | null; branch: string | null }) => {
  const bank = bankName ? named(bankName) : element('Othr', element('Id', 'NOTPROVIDED'))
  return element(name, element('FinInstnId', bank) + (branch ? element('BrnchId', named(branch)) : ''))
}

/** An identification is refused rather than cut: the bank answers by it. */
const identified = (id: string): string => {
  if (id === '' || id.length > idLength || written(id, idLength) !== id)
    throw new RangeError(`${id} is no identification for a bank`)
  return id
}

const transfer = (payment: BankPayment): string =>
  element(
    'CdtTrfTxInf',
    element('PmtId', element('EndToEndId', identified(payment.externalId))) +
      element('Amt', element('InstdAmt', shillings(payment.amount), ' Ccy="UGX"')) +
      agent('CdtrAgt', payment) +
      element('Cdtr', named(payment.holder)) +
      element('CdtrAcct', accountOf(payment.accountNumber)) +
      element('RmtInf', element('Ustrd', written(payment.message, remittanceLength))),
  )

/**
 * A payout file of the format pain.001.001.03: one payment information, each payment booked by itself. The same input
 * gives the same text to the byte. @throws {RangeError} for an identification that is too long, and for cents
 */
export const writePain001 = ({ batchNo, created, executionDate, debtor, payments }: BankFile): string => {
  const sums =
    element('NbOfTxs', String(payments.length)) +
    element('CtrlSum', shillings(sum(payments.map(({ amount }) => amount))))
  const header = element(
    'GrpHdr',
    element('MsgId', identified(batchNo)) +
      element('CreDtTm', created.toISOString().replace(/\.\d+Z$/, 'Z')) +
      sums +
      element('InitgPty', named(debtor.name)),
  )
  const payment = element(
    'PmtInf',
    element('PmtInfId', identified(batchNo)) +
      element('PmtMtd', 'TRF') +
      element('BtchBookg', 'false') +
      sums +
      element('ReqdExctnDt', executionDate) +
      element('Dbtr', named(debtor.name)) +
      element('DbtrAcct', accountOf(debtor.accountNumber, element('Ccy', 'UGX'))) +
      agent('DbtrAgt', debtor) +
      payments.map(one => `\n${transfer(one)}`).join('') +
      '\n',
  )
  const document = element('CstmrCdtTrfInitn', `\n${header}\n${payment}\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('Document', `\n${document}\n`, ' xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"')}\n`
}

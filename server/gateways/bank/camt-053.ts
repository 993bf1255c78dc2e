import { eq, isNegative, isZero, type Money, neg, sub, sum, zeroMoney } from '../../../core/rules/money.ts'
import { type EatDate, eatDate } from '../../../core/rules/time.ts'
import { bounds, Unreadable } from '../../files/imports/read/unreadable.ts'
import type { Statement, StatementLine } from '../gateway.ts'
import { moneyOf } from '../read.ts'
import { one, type Part, readMessage, unreadable, type Values } from './iso20022.ts'

/** What a bank writes about one account and day. */
export type BankStatement = Statement & { accountNumber: string; date: EatDate }

/** What one file of statements may hold. */
export const statementBounds = { bytes: bounds.bytes, entries: 50_000, depth: 32, text: 2_000, id: 64 } as const

const required = <T>(value: T | undefined): T => {
  if (value === undefined) throw unreadable()
  return value
}

/** An amount in shillings; banks may write places that say nothing. */
const amountAt = (values: Values, path: string): Money => {
  const currency = required(one(values, `${path}@Ccy`))
  if (currency !== 'UGX') throw new Unreadable('currency', { currency: currency.slice(0, 10) })
  const said = required(one(values, path))
  const amount = moneyOf(said.replace(/(\.\d\d)0*$/, '$1'))
  if (!amount) throw new Unreadable('amount', { written: said.slice(0, 40) })
  return amount
}
const directionOf = (values: Values): StatementLine['direction'] => {
  const found = one(values, 'CdtDbtInd')
  if (found !== 'CRDT' && found !== 'DBIT') throw unreadable()
  return found === 'CRDT' ? 'in' : 'out'
}
const signedAt = (values: Values): Money =>
  directionOf(values) === 'in' ? amountAt(values, 'Amt') : neg(amountAt(values, 'Amt'))

/** A day, or a moment; without an offset it is one of Kampala. */
const momentAt = (values: Values, path: string): string => {
  const day = one(values, `${path}/Dt`)
  const written = one(values, `${path}/DtTm`) ?? (day ? `${day}T00:00:00` : '')
  const at = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(written) ? written : `${written}+03:00`)
  if (Number.isNaN(at)) throw unreadable()
  return new Date(at).toISOString()
}

const accountOf = (values: Values, path: string): string | undefined =>
  one(values, `${path}/Id/IBAN`) ?? one(values, `${path}/Id/Othr/Id`)
/** Banks say by this word that there is no reference. */
const referenceAt = (values: Values, path: string): string | undefined => {
  const found = one(values, path)
  return found === 'NOTPROVIDED' ? undefined : found
}

const isBooked = ({ values }: Part): boolean => (one(values, 'Sts/Cd') ?? one(values, 'Sts')) === 'BOOK'

/** Families of entries that are charges as a whole (external code set of ISO 20022, sub-family). */
const chargeFamilies = ['CHRG', 'FEES', 'COMM']
const isCharge = (values: Values) => chargeFamilies.includes(one(values, 'BkTxCd/Domn/Fmly/SubFmlyCd') ?? '')

/** Charges that the amount of an entry contains, debit negative. Those that stand on entries of their own are left to these. */
const chargesIn = (charges: readonly Part[] = []): Money =>
  sum(
    charges
      .flatMap(
        ({ values, parts }) =>
          parts.record ?? parts.recordOfTransaction ?? (values.has('Amt') ? [{ values, parts }] : []),
      )
      .filter(({ values }) => one(values, 'ChrgInclInd') !== 'false')
      .map(({ values }) => signedAt(new Map([['CdtDbtInd', ['DBIT']], ...values]))),
  )

const isReturn = (entry: Values, found: Values): boolean =>
  one(entry, 'RvslInd') === 'true' || [...found.keys()].some(path => path === 'RtrInf' || path.startsWith('RtrInf/'))

type Transfer = { serialNo: string; signed: Money; found: Values }

/** A line of an entry, with what one of its transactions tells. */
const lineOf = (values: Values, { serialNo, signed, found }: Transfer): StatementLine => {
  if (serialNo.length > statementBounds.id) throw unreadable()
  const direction = isNegative(signed) ? 'out' : 'in'
  const words = [...(found.get('RmtInf/Ustrd') ?? []), ...(values.get('AddtlNtryInf') ?? [])].join(' ')
  const payment = isReturn(values, found) ? 'reversal' : 'payment'
  return {
    serialNo,
    direction,
    lineKind: isCharge(values) || isCharge(found) ? 'fee' : payment,
    amount: direction === 'out' ? neg(signed) : signed,
    time: momentAt(values, 'BookgDt'),
    reference: referenceAt(found, 'Refs/EndToEndId') ?? null,
    relatesTo: null,
    payerAccount: accountOf(found, direction === 'in' ? 'RltdPties/DbtrAcct' : 'RltdPties/CdtrAcct') ?? null,
    narrative: words.slice(0, 200) || null,
  }
}

/** The amount of a transaction, debit negative, where the bank tells it; without a sign it is of the direction of its entry. */
const amountOfTransaction = (entry: Values, { values }: Part): Money | undefined => {
  const path = ['Amt', 'AmtDtls/TxAmt/Amt'].find(at => values.has(at))
  if (!path) return undefined
  const isOut = (one(values, 'CdtDbtInd') ?? one(entry, 'CdtDbtInd')) === 'DBIT'
  const amount = amountAt(values, path)
  return isOut ? neg(amount) : amount
}

/** The transactions of an entry one by one; nothing where the bank does not say what each is of, or they do not add up to the entry. */
const oneByOne = (
  values: Values,
  transactions: readonly Part[],
  serialNo: string,
  total: Money,
): Transfer[] | undefined => {
  const amounts = transactions.map(one => amountOfTransaction(values, one))
  const known = amounts.filter(amount => amount !== undefined && !isZero(amount)) as Money[]
  if (known.length < transactions.length || !eq(sum(known), total)) return undefined
  const numbers = transactions.map((found, at) => one(found.values, 'Refs/AcctSvcrRef') ?? `${serialNo}-${at + 1}`)
  const areApart = new Set(numbers).size === numbers.length
  return transactions.map(({ values: found }, at) => ({
    serialNo: (areApart ? numbers[at] : undefined) ?? `${serialNo}-${at + 1}`,
    signed: known[at] as Money,
    found,
  }))
}

/** An entry is one line for each transaction that it adds up, and one for the charges inside its amount. */
const linesOf = ({ values, parts }: Part): StatementLine[] => {
  const transactions = parts.transaction ?? []
  const only: Values = transactions.length === 1 ? (transactions[0] as Part).values : new Map()
  const serialNo = required(one(values, 'AcctSvcrRef') ?? one(only, 'Refs/AcctSvcrRef') ?? one(values, 'NtryRef'))
  const entry = signedAt(values)
  const own = parts.charges ?? transactions.flatMap(transaction => transaction.parts.chargesOfTransaction ?? [])
  const charges = isCharge(values) ? zeroMoney : chargesIn(own)
  const paid = sub(entry, charges)
  if (!isZero(paid) && isNegative(paid) !== isNegative(entry)) throw unreadable()
  const apart = transactions.length > 1 ? oneByOne(values, transactions, serialNo, paid) : undefined
  const lines = (apart ?? [{ serialNo, signed: paid, found: only }])
    .filter(({ signed }) => !isZero(signed))
    .map(one => lineOf(values, one))
  if (isZero(charges)) return lines
  const fee = { ...lineOf(values, { serialNo, signed: charges, found: new Map() }), lineKind: 'fee' as const }
  return [...lines, { ...fee, relatesTo: lines.length === 1 ? serialNo : null }]
}

const balanceOf = ({ parts }: Part, ...kinds: string[]): Part | undefined =>
  (parts.balance ?? []).find(({ values }) => kinds.includes(one(values, 'Tp/CdOrPrtry/Cd') ?? ''))

const statementOf = (stated: Part): BankStatement => {
  const opening = required(balanceOf(stated, 'OPBD', 'PRCD')).values
  const closing = required(balanceOf(stated, 'CLBD')).values
  return {
    accountNumber: required(accountOf(stated.values, 'Acct')),
    date: eatDate(momentAt(closing, 'Dt')),
    opening: signedAt(opening),
    closing: signedAt(closing),
    lines: (stated.parts.entry ?? []).filter(isBooked).flatMap(linesOf),
  }
}

/**
 * Reads a file of statements of a bank (camt.053, any version): one or more, each of an account and a day. What is not
 * booked yet is left out; a reversal or a return is distinguished from a payment. One amount in another currency, or an
 * entry that does not say what it must, and nothing of the file is taken. @throws {Unreadable}
 */
export const readCamt053 = async (bytes: Buffer): Promise<BankStatement[]> => {
  const { entries, ...most } = statementBounds
  const message = await readMessage(bytes, {
    namespace: /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d\d$/,
    message: 'BkToCstmrStmt',
    parts: {
      statement: 'Stmt',
      balance: 'Stmt/Bal',
      entry: 'Stmt/Ntry',
      transaction: 'Stmt/Ntry/NtryDtls/TxDtls',
      charges: 'Stmt/Ntry/Chrgs',
      chargesOfTransaction: 'Stmt/Ntry/NtryDtls/TxDtls/Chrgs',
      record: 'Stmt/Ntry/Chrgs/Rcrd',
      recordOfTransaction: 'Stmt/Ntry/NtryDtls/TxDtls/Chrgs/Rcrd',
    },
    bounds: { ...most, parts: 6 * entries },
  })
  const statements = message.parts.statement ?? []
  const count = statements.reduce((sum, { parts }) => sum + (parts.entry?.length ?? 0), 0)
  if (statements.length === 0 || count > entries) throw unreadable()
  return statements.map(statementOf)
}

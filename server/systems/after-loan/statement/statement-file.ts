import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { z } from 'zod'
import { StatementRow, type statementFormats } from '../../../../core/contract/after-loan/reconciliation.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import { add, isZero, type Money, sub } from '../../../../core/rules/money.ts'
import { addDays, type EatDate, eatDate } from '../../../../core/rules/time.ts'
import { encodingOf, textOf } from '../../../files/imports/read/decode.ts'
import { readFile as readTable } from '../../../files/imports/read/reader.ts'
import { type FailParams, type ImportFail, Unreadable } from '../../../files/imports/read/unreadable.ts'
import { namesOf, requiredOf } from '../../../files/imports/read-job.ts'
import { type RowMessage, readRow } from '../../../files/imports/values.ts'
import type { StoredFile } from '../../../files/uploads/stored.ts'
import { type BankStatement, readCamt053, statementBounds } from '../../../gateways/bank/camt-053.ts'
import { looksLikeMt940, readMt940 } from '../../../gateways/bank/mt940.ts'
import type { Statement, StatementLine } from '../../../gateways/gateway.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { signedOf } from '../reconciliation/statement-store.ts'

/** What is wrong with a row, and where it stands. */
export type WrongRow = RowMessage & { rowNo: number }
/** The statement of a day. */
export type Day = { date: EatDate; statement: Statement }
/** What a file says of an account, day by day. Balances stand where every row is right. */
export type FileRead = {
  statementFormat: ValueOf<typeof statementFormats>
  lines: StatementLine[]
  days: Day[]
  opening: Money | null
  closing: Money | null
  wrong: WrongRow[]
}

/** What a file is read for: the account and the days that the person named. */
export type Asked = {
  file: StoredFile
  accountNumber: string
  fromDate: EatDate
  toDate: EatDate
  opening: Money | null
  closing: Money | null
}

type Row = { rowNo: number; row: z.output<typeof StatementRow> }
const wrongAt = (rowNo: number, column: string, key: string): WrongRow => ({ rowNo, path: column, key, params: {} })

const spooledRows = async (spool: string, columns: readonly string[]) => {
  const rows: Row[] = []
  const wrong: WrongRow[] = []
  for await (const line of createInterface({ input: createReadStream(spool) })) {
    const [rowNo, cells] = JSON.parse(line) as [number, string[]]
    const read = readRow(StatementRow, columns, cells)
    if ('values' in read) rows.push({ rowNo, row: read.values as Row['row'] })
    else wrong.push(...read.messages.map(message => ({ ...message, rowNo })))
  }
  return { rows, wrong }
}

const tableRows = async (file: string, format: 'csv' | 'xlsx') => {
  const dir = await mkdtemp(path.join(tmpdir(), 'statement-'))
  try {
    const spool = path.join(dir, 'rows')
    const names = namesOf({ row: StatementRow })
    const required = requiredOf({ row: StatementRow })
    const read = await readTable({ file, format, names, required, maxRows: statementBounds.entries, spool })
    return await spooledRows(spool, read.columns)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** What stands against a row by itself. */
const flawsOf = ({ rowNo, row }: Row, seen: Set<string>, { fromDate, toDate }: Asked): WrongRow[] => {
  const key = `${row.serialNo} ${row.lineDirection ?? 'in'}`
  const date = eatDate(row.entryTime)
  const flaws: WrongRow[] = []
  if (isZero(row.amount)) flaws.push(wrongAt(rowNo, 'amount', 'validation.amountPositive'))
  if (date < fromDate || date > toDate) flaws.push(wrongAt(rowNo, 'entryTime', 'validation.statementPeriod'))
  if (seen.has(key)) flaws.push(wrongAt(rowNo, 'serialNo', 'validation.statementTwice'))
  seen.add(key)
  return flaws
}

/** A row is one line, and one more for what the channel charged for it. */
const linesOf = ({ row }: Row): StatementLine[] => {
  const { serialNo, amount, fee } = row
  const line: StatementLine = {
    serialNo,
    direction: row.lineDirection ?? 'in',
    lineKind: 'payment',
    amount,
    time: new Date(row.entryTime).toISOString(),
    reference: row.paymentCode ?? row.orderNo ?? null,
    relatesTo: null,
    payerAccount: row.payerAccount ?? null,
    payerName: row.payerName ?? null,
    narrative: row.narrative ?? null,
  }
  if (!fee || isZero(fee)) return [line]
  const charged = { direction: 'out', lineKind: 'fee', amount: fee, relatesTo: serialNo, payerAccount: null } as const
  return [line, { ...line, ...charged, payerName: null, narrative: null }]
}

const movedBy = (lines: readonly StatementLine[]): Money =>
  lines.reduce((sum, line) => add(sum, signedOf(line)), '0.00')
const incomplete = (difference: Money) => invalid('uploadNo', 'errors.statementIncomplete', { difference })

/** What the rows began and ended with: as their own column of balances says, else as the person does. */
const balancesOf = (rows: readonly Row[], lines: readonly StatementLine[], asked: Asked) => {
  const [first, last] = [rows[0], rows.at(-1)]
  const balanced = rows.length > 0 && rows.every(({ row }) => row.runningBalance !== undefined)
  const opening = balanced && first ? sub(String(first.row.runningBalance), movedBy(linesOf(first))) : asked.opening
  const closing = balanced && last ? String(last.row.runningBalance) : asked.closing
  if (opening === null) throw invalid('openingStatement', 'validation.statementBalance')
  if (closing === null) throw invalid('closingStatement', 'validation.statementBalance')
  const left = sub(sub(closing, opening), movedBy(lines))
  if (!isZero(left)) throw incomplete(left)
  for (const [said, found] of [
    [asked.opening, opening],
    [asked.closing, closing],
  ] as const)
    if (said !== null && !isZero(sub(said, found))) throw incomplete(sub(said, found))
  return { opening, closing }
}

const dayByDay = (lines: readonly StatementLine[], opening: Money, { fromDate, toDate }: Asked): Day[] => {
  const days: Day[] = []
  let before = opening
  for (let date = fromDate; date <= toDate; date = addDays(date, 1)) {
    const own = lines.filter(({ time }) => eatDate(time) === date)
    const closing = add(before, movedBy(own))
    days.push({ date, statement: { opening: before, closing, lines: own } })
    before = closing
  }
  return days
}

const readOurTable = async (asked: Asked, format: 'csv' | 'xlsx'): Promise<FileRead> => {
  const { rows, wrong } = await tableRows(asked.file.path, format)
  const [first, last] = [rows[0], rows.at(-1)]
  // Many channels write the newest row first.
  if (first && last && first.row.entryTime > last.row.entryTime) rows.reverse()
  const seen = new Set<string>()
  const all = [...wrong, ...rows.flatMap(row => flawsOf(row, seen, asked))].sort((a, b) => a.rowNo - b.rowNo)
  const lines = rows.flatMap(linesOf)
  const read = { statementFormat: 'template' as const, lines, wrong: all }
  if (all.length > 0) return { ...read, days: [], opening: null, closing: null }
  const balances = balancesOf(rows, lines, asked)
  return { ...read, ...balances, days: dayByDay(lines, balances.opening, asked) }
}

const sameAccount = (said: string, own: string) => {
  const plain = (number: string) => number.replace(/[\s-]/g, '').toUpperCase()
  return plain(said) === plain(own) || plain(said).endsWith(`/${plain(own)}`)
}

/** The statements of a message as those of the account and the days; each must be whole. */
const ofBank = (
  statementFormat: 'mt940' | 'camt053',
  statements: readonly BankStatement[],
  { accountNumber, fromDate, toDate }: Asked,
): FileRead => {
  const foreign = statements.find(one => !sameAccount(one.accountNumber, accountNumber))
  if (foreign) throw invalid('uploadNo', 'errors.statementOfOther', { account: foreign.accountNumber })
  const days = statements.toSorted((a, b) => (a.date < b.date ? -1 : 1))
  const wrong: WrongRow[] = []
  for (const [at, { date, opening, closing, lines }] of days.entries()) {
    const left = sub(sub(closing, opening), movedBy(lines))
    if (!isZero(left)) throw incomplete(left)
    if (date < fromDate || date > toDate) wrong.push(wrongAt(at + 1, 'statementDate', 'validation.statementPeriod'))
    if (days[at - 1]?.date === date) wrong.push(wrongAt(at + 1, 'statementDate', 'validation.statementTwice'))
  }
  return {
    statementFormat,
    lines: days.flatMap(({ lines }) => lines),
    days: days.map(({ date, accountNumber: _, ...statement }) => ({ date, statement })),
    opening: days[0]?.opening ?? null,
    closing: days.at(-1)?.closing ?? null,
    wrong,
  }
}

const wholeText = async (file: string): Promise<string> => {
  let text = ''
  for await (const piece of textOf(file, await encodingOf(file))) text += piece
  return text.replace(/^\uFEFF/, '')
}

const read = async (asked: Asked): Promise<FileRead> => {
  const { fileName, path: file } = asked.file
  const extension = path.extname(fileName).toLowerCase()
  if (extension === '.xlsx') return readOurTable(asked, 'xlsx')
  if (extension === '.xml') return ofBank('camt053', await readCamt053(await readFile(file)), asked)
  const text = await wholeText(file)
  if (looksLikeMt940(text)) return ofBank('mt940', readMt940(text), asked)
  return readOurTable(asked, 'csv')
}

type Refused = { fault: Fault } | { why: ImportFail; params: FailParams }

/** Reads a statement that a person brought, in whatever format; refusals come as values, to be said in the words of the reader. */
export const readStatementFile = async (asked: Asked): Promise<FileRead | Refused> => {
  try {
    return await read(asked)
  } catch (error) {
    if (error instanceof Unreadable) return { why: error.why, params: error.params }
    if (error instanceof Fault) return { fault: error }
    throw error
  }
}

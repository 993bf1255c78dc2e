import { eatDate } from '../../core/rules/time.ts'
import type { Statement, StatementLine } from './gateway.ts'
import type { Reply } from './http-client.ts'
import { moneyOf, text, unavailable } from './read.ts'

/** The kind of each line that counts, by the network's word for it. A word that is not in it makes the whole statement unreadable. */
export type LineKinds = Readonly<Record<string, StatementLine['lineKind']>>

/** A line as a network writes it: `amount` is signed. */
export type WrittenLine = {
  serialNo: unknown
  amount: unknown
  time: unknown
  lineKind: StatementLine['lineKind'] | undefined
  reference?: unknown
  relatesTo?: unknown
  payerAccount?: unknown
  narrative?: unknown
}

/** A signed amount apart: no sign, or a minus. */
const signed = (value: unknown): Pick<StatementLine, 'direction' | 'amount'> | undefined => {
  const written = text(value) ?? ''
  const amount = moneyOf(written.replace(/^-/, ''))
  return amount === undefined ? undefined : { direction: written.startsWith('-') ? 'out' : 'in', amount }
}

const instant = (value: unknown): string | undefined => {
  const at = Date.parse(text(value) ?? '')
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

const readLine = (written: WrittenLine, date: string): StatementLine | undefined => {
  const [serialNo, money, time] = [text(written.serialNo), signed(written.amount), instant(written.time)]
  if (!serialNo || !money || !time || !written.lineKind || eatDate(time) !== date) return undefined
  return {
    serialNo,
    ...money,
    time,
    lineKind: written.lineKind,
    reference: text(written.reference) ?? null,
    relatesTo: text(written.relatesTo) ?? null,
    payerAccount: text(written.payerAccount) ?? null,
    narrative: text(written.narrative) ?? null,
  }
}

/** A statement of which everything could be read. One line that nobody understands, or that is of another day, and it is none. */
export const readStatement = (
  reply: Reply,
  date: string,
  parsed: { opening: unknown; closing: unknown; currency: unknown; lines: readonly WrittenLine[] | undefined },
): Statement => {
  const [opening, closing] = [moneyOf(parsed.opening), moneyOf(parsed.closing)]
  const lines = parsed.lines?.map(line => readLine(line, date))
  if (parsed.currency !== 'UGX' || !opening || !closing || !lines) throw unavailable('statement', reply)
  const read = lines.filter(line => line !== undefined)
  if (read.length < lines.length) throw unavailable('statement line', reply)
  return { opening, closing, lines: read }
}

import { eq, type Money, neg } from '../../../core/rules/money.ts'
import { type EatDate, isDate } from '../../../core/rules/time.ts'
import { Unreadable } from '../../files/imports/read/unreadable.ts'
import type { StatementLine } from '../gateway.ts'
import { moneyOf } from '../read.ts'
import { type BankStatement, statementBounds } from './camt-053.ts'
import { unreadable } from './iso20022.ts'

/** A field of a message: its tag, and its lines. */
type Tag = { tag: string; text: string }

const balance = /^([CD])(\d{6})([A-Z]{3})([\d.,]+)$/
/** Value date, entry date, direction, amount, kind, our reference, that of the bank. */
const entry = /^(\d{6})(\d{4})?(R?[CD])[A-Z]?(\d[\d,]*)([NFS][A-Z0-9]{3})([^\n]*?)(?:\/\/([^\n]*))?(?:\n|$)/
const none = ['', 'NONREF', 'NOREF']

/** Fields in their order. What begins a message for the network, and what ends it, says nothing. */
const tagsOf = (text: string): Tag[] => {
  const tags: Tag[] = []
  for (const written of text.replace(/\r\n?/g, '\n').split('\n')) {
    const line = written.replace(/^(?:\{[1-3]:[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*(?:\{4:)?/, '').trimEnd()
    const found = /^:(\d\d[A-Z]?):(.*)$/.exec(line)
    const last = tags.at(-1)
    if (found) tags.push({ tag: found[1] as string, text: found[2] as string })
    else if (last && line !== '' && !/^-\}?/.test(line)) last.text += `\n${line}`
    else if (line !== '' && !/^-\}?/.test(line)) throw unreadable()
    if ((tags.at(-1)?.text.length ?? 0) > statementBounds.text) throw unreadable()
  }
  return tags
}

const amountOf = (written: string): Money => {
  const amount = moneyOf(written.replace(/,$/, '').replace(',', '.'))
  if (!amount) throw new Unreadable('amount', { written: written.slice(0, 40) })
  return amount
}

const dayOf = (yymmdd: string): EatDate => {
  const day = `20${yymmdd.slice(0, 2)}-${yymmdd.slice(2, 4)}-${yymmdd.slice(4)}`
  if (!isDate(day)) throw unreadable()
  return day
}

const balanceOf = (text: string): { date: EatDate; amount: Money } => {
  const [, sign, day = '', currency = '', amount = ''] = balance.exec(text.trim()) ?? []
  if (!sign) throw unreadable()
  if (currency !== 'UGX') throw new Unreadable('currency', { currency })
  return { date: dayOf(day), amount: sign === 'C' ? amountOf(amount) : neg(amountOf(amount)) }
}

/** The day of booking: beside the value date only month and day are written, and the year may have turned between them. */
const bookedOn = (value: EatDate, entered: string | undefined): EatDate => {
  if (!entered) return value
  const near = [0, 1, -1].map(
    years => `${Number(value.slice(0, 4)) + years}-${entered.slice(0, 2)}-${entered.slice(2)}`,
  )
  const apart = (day: string) => Math.abs(Date.parse(day) - Date.parse(value))
  const [found] = near.filter(isDate).sort((a, b) => apart(a) - apart(b))
  if (!found) throw unreadable()
  return found
}

const lineOf = (text: string): StatementLine => {
  const [, value = '', entered, mark = '', amount = '', , ours = '', theirs = ''] = entry.exec(`${text}\n`) ?? []
  if (!value) throw unreadable()
  const [own, bank] = [ours.trim(), theirs.trim()]
  const serialNo = none.includes(bank) ? own : bank
  if (none.includes(serialNo) || serialNo.length > statementBounds.id) throw unreadable()
  const isBack = mark.startsWith('R')
  return {
    serialNo,
    direction: mark.endsWith('C') === isBack ? 'out' : 'in',
    lineKind: isBack ? 'reversal' : 'payment',
    amount: amountOf(amount),
    time: new Date(`${bookedOn(dayOf(value), entered)}T00:00:00+03:00`).toISOString(),
    reference: none.includes(own) ? null : own,
    relatesTo: null,
    payerAccount: null,
    narrative: null,
  }
}

type Begun = Omit<BankStatement, 'lines' | 'closing' | 'date'> & {
  lines: StatementLine[]
  closing: Money | null
  date: EatDate
}

/** Puts the fields of a file together; a statement of several pages goes on with the balance that the page before ended with. */
const gather = (tags: readonly Tag[]): Begun[] => {
  const all: Begun[] = []
  let accountNumber = ''
  for (const { tag, text } of tags) {
    const last = all.at(-1)
    if (tag === '25') accountNumber = text.trim()
    else if (tag === '60F') all.push({ accountNumber, ...begun(text), lines: [], closing: null })
    else if (tag === '60M') goOn(last, text)
    else if (tag === '61') ongoing(last).lines.push(lineOf(text))
    else if (tag === '62F' || tag === '62M') {
      const { date, amount } = balanceOf(text)
      Object.assign(ongoing(last), { date, closing: amount })
    } else if (tag === '86' && last && !last.closing) narrate(last, text)
  }
  return all
}
const begun = (text: string) => {
  const { date, amount } = balanceOf(text)
  return { date, opening: amount }
}
const goOn = (last: Begun | undefined, text: string) => {
  if (!last?.closing || !eq(last.closing, balanceOf(text).amount)) throw unreadable()
  last.closing = null
}
const ongoing = (last: Begun | undefined): Begun => {
  if (!last) throw unreadable()
  return last
}
const narrate = ({ lines }: Begun, text: string) => {
  const line = lines.at(-1)
  if (line) line.narrative = text.replace(/\n/g, ' ').slice(0, 200) || null
}

/** Whether a text is of this format. */
export const looksLikeMt940 = (text: string): boolean => /(?:^|\n|\{4:\s*):20:/.test(text.slice(0, 2_000))

/**
 * Reads a file of statements of a bank (MT940): one or more, each of an account and the day of its closing balance. Money of
 * another currency, or a field that cannot be read, and nothing of the file is taken. @throws {Unreadable}
 */
export const readMt940 = (text: string): BankStatement[] => {
  const all = gather(tagsOf(text))
  const entries = all.reduce((n, { lines }) => n + lines.length, 0)
  if (all.length === 0 || entries > statementBounds.entries) throw unreadable()
  return all.map(({ closing, ...said }) => {
    if (closing === null || said.accountNumber === '') throw unreadable()
    return { ...said, closing }
  })
}

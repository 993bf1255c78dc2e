import { randomUUID } from 'node:crypto'
import { openRecord } from '../network/record.ts'
import { openSoon } from '../network/soon.ts'
import type { Customer } from './customer.ts'
import { type Fate, fateOf, type Mode, type Said } from './numbers.ts'

/** A text as the vendor took it. */
export type Text = {
  entry: 'text'
  at: string
  ref: string
  username: string
  phone: string
  from: string
  content: string
  /** The customer's number of it, where the protocol has one. */
  reference?: string
  /** Whether the phone really got it. */
  arrived: boolean
}
type Entry = Text | { entry: 'report'; at: string; ref: string; status: string; taken: boolean }

/** How a customer is spoken to: each answers whether it was taken. */
export type Outlet = {
  report: (text: Text, said: Said) => Promise<boolean>
  reply: (text: Text, words: string) => Promise<boolean>
}
type Options = { dir: string; speed: number; synced?: boolean }
type Given = Pick<Text, 'phone' | 'from' | 'content' | 'reference'>

const pauses = [1, 2, 4, 8, 16]

/** The texts of a vendor, whatever the protocol: taken, brought or not, and reported. Its record is what really reached whom. */
export const openTexts = ({ dir, speed, synced = true }: Options) => {
  const record = openRecord<Entry>(dir, 'texts', { synced })
  const texts = record.entries.filter((one): one is Text => one.entry === 'text')
  const byRef = new Map(texts.map(one => [one.ref, one]))
  const byReference = new Map(texts.filter(one => one.reference).map(one => [`${one.username} ${one.reference}`, one]))
  const counts = new Map<string, number>()
  for (const { username } of texts) counts.set(username, (counts.get(username) ?? 0) + 1)
  const reports = new Map<string, string[]>()
  for (const one of record.entries)
    if (one.entry === 'report') reports.set(one.ref, [...(reports.get(one.ref) ?? []), one.status])
  const mode = new Map<string, Mode>()
  const { soon, forget } = openSoon(speed)

  /** Says something until it is taken. */
  const speak = async (say: () => Promise<boolean>): Promise<boolean> => {
    for (const pause of pauses) {
      if (await say().catch(() => false)) return true
      await new Promise(resolve => setTimeout(resolve, (pause * 1000) / speed).unref())
    }
    return false
  }
  const report = async (outlet: Outlet, text: Text, said: Said) => {
    const taken = await speak(() => outlet.report(text, said))
    reports.set(text.ref, [...(reports.get(text.ref) ?? []), said.status])
    record.append({ entry: 'report', at: new Date().toISOString(), ref: text.ref, status: said.status, taken })
  }

  return {
    soon,
    modeOf: (username: string): Mode => mode.get(username) ?? 'ok',
    setMode: (username: string, to: Mode) => mode.set(username, to),
    fateFor: ({ username }: Customer, phone: string): Fate => fateOf(phone, mode.get(username) ?? 'ok'),
    named: (username: string, reference: string) => byReference.get(`${username} ${reference}`),
    known: (ref: string) => byRef.get(ref),
    reportsOf: (ref: string) => reports.get(ref) ?? [],
    countOf: (username: string) => counts.get(username) ?? 0,
    /** The last ones, newest first. */
    last: (n: number) => texts.slice(-n).reverse(),
    /** Takes a text as its number says. @returns null for one that is refused or lost */
    take({ username }: Customer, given: Given, prefix: string, fate: Fate, outlet: Outlet | null): Text | null {
      const isRefused = typeof fate.answer === 'number' && fate.answer >= 400
      if (isRefused || (fate.answer === 'none' && !fate.arrives)) return null
      const ref = `${prefix}${randomUUID().replaceAll('-', '')}`
      const text: Text = { entry: 'text', at: new Date().toISOString(), ref, username, ...given, arrived: fate.arrives }
      record.append(text)
      texts.push(text)
      byRef.set(ref, text)
      counts.set(username, (counts.get(username) ?? 0) + 1)
      if (text.reference) byReference.set(`${username} ${text.reference}`, text)
      if (!outlet) return text
      for (const said of fate.reports) soon(said.after, () => void report(outlet, text, said))
      const { reply } = fate
      if (reply) soon(reply.after, () => void speak(() => outlet.reply(text, reply.text)))
      return text
    },
    close() {
      forget()
      record.close()
    },
  }
}
export type Texts = ReturnType<typeof openTexts>

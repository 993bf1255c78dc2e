import { randomUUID } from 'node:crypto'
import { isIP, type LookupFunction } from 'node:net'
import type { Reply } from '../sms-vendor.ts'
import { unreached } from '../unreached.ts'
import { loadSmpp, type Pdu, type Session, type Smpp, wordsOf } from './protocol.ts'
import { bindRefused, type Receipt, receiptIn, wordOfState } from './smpp-outcomes.ts'

/** Where a vendor is reached, and as whom. */
export type SmppAccess = {
  host: string
  port: number
  tls?: boolean
  systemId: string
  password: string
  /** How long an answer is waited for. */
  timeoutMs?: number
  /** How often it is asked whether the line still stands. */
  enquireMs?: number
  /** Resolves its name: to public addresses alone, outside of a demo. */
  lookup?: LookupFunction
  load?: () => Promise<Smpp>
}

/** What came on a line: it is acknowledged once it is stored. */
export type Heard = { receipt: Receipt } | { reply: Reply }
export type Hear = (heard: Heard) => Promise<void>

/** Whether there is a line to speak on; what is not has carried nothing. */
type Opened = { session: Session } | { refused: string } | { later: string }
/** What was answered; `unsent` where nothing went out, `none` where nobody answered. */
export type Answered = { pdu: Pdu } | { unsent: string } | { none: string }

const ok = 0
const tryLater = 0x64
const [firstWaitMs, mostWaitMs] = [1_000, 60_000]
const kindOf = (esmClass = 0) => (esmClass & 0x3c) >> 2

const heardIn = (pdu: Pdu): Heard | null => {
  const [words, from] = [wordsOf(pdu), String(pdu.source_addr ?? '')]
  if (kindOf(pdu.esm_class) === 1 || pdu.receipted_message_id) {
    const inText = receiptIn(words)
    const id = pdu.receipted_message_id || inText?.id
    const status = pdu.message_state === undefined ? inText?.status : wordOfState(pdu.message_state) || inText?.status
    if (!id || !status) return null
    return { receipt: { id, status, phoneNumber: from, ...(inText?.err ? { err: inText.err } : {}) } }
  }
  const [, , part] = pdu.short_message?.udh?.find(one => one[0] === 0)?.subarray(2) ?? []
  // What follows the first part of a long reply begins with no word that asks for anything.
  const text = part && part > 1 ? `… ${words}` : words
  return { reply: { id: randomUUID(), from, text: text.slice(0, 2_000) } }
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? 'no connection')

/** Opens a connection and binds on it, or says why there is none. */
const bind = async (access: SmppAccess, timeoutMs: number): Promise<Opened> => {
  const { host, port, tls = false, lookup } = access
  if (lookup && isIP(host)) return { refused: 'private_address' }
  const smpp = await (access.load ?? loadSmpp)()
  return new Promise(resolve => {
    const end = (opened: Opened) => {
      clearTimeout(timer)
      if (!('session' in opened)) session.destroy()
      resolve(opened)
    }
    const place = { host, port, tls, ...(lookup ? { lookup } : {}), ...(tls ? { servername: host } : {}) }
    const session = smpp.connect(place, () => {
      const asked = { system_id: access.systemId, password: access.password, interface_version: 0x34, system_type: '' }
      session.bind_transceiver(asked, ({ command_status: status }) => {
        if (status === ok) end({ session })
        else end(bindRefused.has(status) ? { refused: `bind ${status}` } : { later: `bind ${status}` })
      })
    })
    const timer = setTimeout(() => end({ later: 'no answer to bind' }), timeoutMs)
    session.on('error', error => end({ later: unreached.has(codeOf(error)) ? codeOf(error) : 'connection lost' }))
    session.on('close', () => end({ later: 'connection lost' }))
  })
}

/**
 * A line to one vendor: bound when it is first needed, asked whether it stands, and opened again when it breaks. A question that is under
 * way when it breaks has no answer.
 */
export class SmppLine {
  readonly #access: SmppAccess
  readonly #hear: Hear
  readonly #timeoutMs: number
  #opening: Promise<Opened> | null = null
  #current: Session | null = null
  #held = false
  #closed = false
  #waitMs = firstWaitMs
  #again: NodeJS.Timeout | undefined
  readonly #broken = new Set<(why: string) => void>()

  constructor(access: SmppAccess, hear: Hear) {
    this.#access = access
    this.#hear = hear
    this.#timeoutMs = access.timeoutMs ?? 20_000
  }

  get isOpen(): boolean {
    return this.#current !== null
  }

  /** Keeps it open from now on, whether anything is sent or not. */
  hold(): void {
    if (this.#held || this.#closed) return
    this.#held = true
    void this.#open().then(opened => {
      if (!('session' in opened) && !this.#closed) this.#reopen()
    })
  }

  /** Asks something, and hears `late` of an answer that comes after nobody waits for it. */
  async ask(command: 'submit_sm' | 'query_sm', options: object, late?: (pdu: Pdu) => void): Promise<Answered> {
    const opened = await this.#open()
    if (!('session' in opened)) return { unsent: 'refused' in opened ? `refused ${opened.refused}` : opened.later }
    return new Promise(resolve => {
      let waits = true
      const end = (answered: Answered) => {
        waits = false
        clearTimeout(timer)
        this.#broken.delete(breaks)
        resolve(answered)
      }
      const breaks = (why: string) => end({ none: why })
      const timer = setTimeout(() => end({ none: 'timeout' }), this.#timeoutMs)
      this.#broken.add(breaks)
      const isSent = opened.session[command](options, pdu => (waits ? end({ pdu }) : late?.(pdu)))
      if (isSent) return
      end({ unsent: 'connection lost' })
      this.#lost(opened.session, 'connection lost')
    })
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#again)
    const session = this.#current
    if (!session) return
    session.unbind({}, () => session.close())
    setTimeout(() => this.#lost(session, 'closed'), 500).unref()
  }

  #open(): Promise<Opened> {
    this.#opening ??= bind(this.#access, Math.min(this.#timeoutMs, 10_000)).then(opened => {
      if (!('session' in opened)) this.#opening = null
      else if (this.#closed) opened.session.destroy()
      else {
        this.#current = opened.session
        this.#waitMs = firstWaitMs
        this.#attend(opened.session)
      }
      return opened
    })
    return this.#opening
  }

  #reopen(): void {
    clearTimeout(this.#again)
    this.#again = setTimeout(async () => {
      const opened = await this.#open()
      if (!('session' in opened) && this.#held && !this.#closed) this.#reopen()
    }, this.#waitMs)
    this.#again.unref()
    this.#waitMs = Math.min(this.#waitMs * 2, mostWaitMs)
  }

  #lost(session: Session, why: string): void {
    if (this.#current !== session) return
    this.#current = null
    this.#opening = null
    for (const end of this.#broken) end(why)
    session.destroy()
    if (this.#held && !this.#closed) this.#reopen()
  }

  async #deliver(session: Session, pdu: Pdu): Promise<void> {
    const heard = heardIn(pdu)
    const stored = await (heard ? this.#hear(heard) : Promise.resolve()).then(
      () => true,
      () => false,
    )
    session.send(pdu.response(stored ? {} : { command_status: tryLater }))
  }

  #attend(session: Session): void {
    const enquiry = setInterval(() => {
      const timer = setTimeout(() => this.#lost(session, 'enquire_link'), this.#timeoutMs)
      if (!session.enquire_link({}, () => clearTimeout(timer))) clearTimeout(timer)
    }, this.#access.enquireMs ?? 30_000)
    enquiry.unref()
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()))
    session.on('unknown', (pdu: Pdu) => session.send(pdu.response()))
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response())
      this.#lost(session, 'unbind')
    })
    session.on('deliver_sm', (pdu: Pdu) => void this.#deliver(session, pdu))
    session.on('error', () => this.#lost(session, 'connection lost'))
    session.on('close', () => {
      clearInterval(enquiry)
      this.#lost(session, 'connection lost')
    })
  }
}

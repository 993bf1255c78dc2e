import { randomUUID } from 'node:crypto'
import { isIP, type LookupFunction } from 'node:net'
import { unreached } from '../../unreached.ts'
import type { Reply } from '../sms-vendor.ts'
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
export const smppLine = (access: SmppAccess, hear: Hear) => {
  const { timeoutMs = 20_000, enquireMs = 30_000 } = access
  let opening: Promise<Opened> | null = null
  let current: Session | null = null
  let [held, closed, waitMs] = [false, false, firstWaitMs]
  let again: NodeJS.Timeout | undefined
  const broken = new Set<(why: string) => void>()

  const lost = (session: Session, why: string) => {
    if (current !== session) return
    current = null
    opening = null
    for (const end of broken) end(why)
    session.destroy()
    if (held && !closed) reopen()
  }
  const deliver = async (session: Session, pdu: Pdu) => {
    const heard = heardIn(pdu)
    const stored = await (heard ? hear(heard) : Promise.resolve()).then(
      () => true,
      () => false,
    )
    session.send(pdu.response(stored ? {} : { command_status: tryLater }))
  }
  const attend = (session: Session) => {
    const enquiry = setInterval(() => {
      const timer = setTimeout(() => lost(session, 'enquire_link'), timeoutMs)
      if (!session.enquire_link({}, () => clearTimeout(timer))) clearTimeout(timer)
    }, enquireMs)
    enquiry.unref()
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()))
    session.on('unknown', (pdu: Pdu) => session.send(pdu.response()))
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response())
      lost(session, 'unbind')
    })
    session.on('deliver_sm', (pdu: Pdu) => void deliver(session, pdu))
    session.on('error', () => lost(session, 'connection lost'))
    session.on('close', () => {
      clearInterval(enquiry)
      lost(session, 'connection lost')
    })
  }
  const open = (): Promise<Opened> => {
    opening ??= bind(access, Math.min(timeoutMs, 10_000)).then(opened => {
      if (!('session' in opened)) opening = null
      else if (closed) opened.session.destroy()
      else {
        current = opened.session
        waitMs = firstWaitMs
        attend(opened.session)
      }
      return opened
    })
    return opening
  }
  const reopen = () => {
    clearTimeout(again)
    again = setTimeout(async () => {
      const opened = await open()
      if (!('session' in opened) && held && !closed) reopen()
    }, waitMs)
    again.unref()
    waitMs = Math.min(waitMs * 2, mostWaitMs)
  }

  return {
    /** Keeps it open from now on, whether anything is sent or not. */
    hold() {
      if (held || closed) return
      held = true
      void open().then(opened => {
        if (!('session' in opened) && !closed) reopen()
      })
    },
    /** Asks something, and hears `late` of an answer that comes after nobody waits for it. */
    async ask(command: 'submit_sm' | 'query_sm', options: object, late?: (pdu: Pdu) => void): Promise<Answered> {
      const opened = await open()
      if (!('session' in opened)) return { unsent: 'refused' in opened ? `refused ${opened.refused}` : opened.later }
      return new Promise(resolve => {
        let waits = true
        const end = (answered: Answered) => {
          waits = false
          clearTimeout(timer)
          broken.delete(breaks)
          resolve(answered)
        }
        const breaks = (why: string) => end({ none: why })
        const timer = setTimeout(() => end({ none: 'timeout' }), timeoutMs)
        broken.add(breaks)
        const isSent = opened.session[command](options, pdu => (waits ? end({ pdu }) : late?.(pdu)))
        if (!isSent) {
          end({ unsent: 'connection lost' })
          lost(opened.session, 'connection lost')
        }
      })
    },
    isOpen: () => current !== null,
    close() {
      closed = true
      clearTimeout(again)
      const session = current
      if (!session) return
      session.unbind({}, () => session.close())
      setTimeout(() => lost(session, 'closed'), 500).unref()
    },
  }
}
export type SmppLine = ReturnType<typeof smppLine>

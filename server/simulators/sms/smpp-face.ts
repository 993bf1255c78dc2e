import { loadSmpp, type Pdu, type Session, wordsOf } from '../../gateways/texts/smpp/protocol.ts'
import type { Customer } from './customer.ts'
import type { Said } from './numbers.ts'
import type { Outlet, Text, Texts } from './texts.ts'

const [ok, badSystem, badCommand, busyOrDown] = [0, 15, 3, 20]
/** Refusals by the answer that a number has; those of a kind of its own lie in the range that vendors have for themselves. */
const statusOf: Readonly<Record<number, number>> = { 403: 11, 405: 1025, 406: 1026 }
const receiptOf: Readonly<Record<string, { stat: string; state: number; err: string }>> = {
  Success: { stat: 'DELIVRD', state: 2, err: '000' },
  Sent: { stat: 'ACCEPTD', state: 6, err: '000' },
  Failed: { stat: 'UNDELIV', state: 5, err: '027' },
  Rejected: { stat: 'REJECTD', state: 8, err: '406' },
}
const answerMs = 5_000

type Given = { texts: Texts; customers: readonly Customer[] }
type Bound = { session: Session; customer: Customer }

/** `yyMMddHHmm`, as receipts write it. */
const stamp = (at: string) => at.slice(2, 16).replace(/[-T:]/g, '')

/** The vendor by SMPP 3.4: transceivers, texts in parts, receipts and replies to any line of the customer. */
export const smppFace = async ({ texts, customers }: Given) => {
  const bound = new Set<Bound>()

  const deliver = (username: string, options: object): Promise<boolean> => {
    const [line] = [...bound].filter(({ customer }) => customer.username === username).slice(-1)
    if (!line) return Promise.resolve(false)
    return new Promise(resolve => {
      setTimeout(() => resolve(false), answerMs).unref()
      line.session.deliver_sm(options, ({ command_status: status }) => resolve(status === ok))
    })
  }
  const outletOf = ({ username }: Customer): Outlet => ({
    report({ ref, phone, from, at, content }: Text, { status }: Said) {
      const { stat, err } = receiptOf[status] ?? { stat: 'UNKNOWN', err: '000' }
      const came = stat === 'DELIVRD' ? '001' : '000'
      const dates = `submit date:${stamp(at)} done date:${stamp(new Date().toISOString())}`
      const words = `id:${ref} sub:001 dlvrd:${came} ${dates} stat:${stat} err:${err} text:${content.slice(0, 20).replace(/[^ -~]/g, '?')}`
      return deliver(username, { source_addr: phone, destination_addr: from, esm_class: 4, short_message: words })
    },
    reply: ({ phone, from }: Text, words) =>
      deliver(username, { source_addr: phone, destination_addr: from, esm_class: 0, short_message: words }),
  })

  const attend = (session: Session, customer: Customer) => {
    const parts = new Map<string, string[]>()
    /** The words of a whole text; null while parts of it are on their way. */
    const whole = (pdu: Pdu): string | null => {
      const header = pdu.short_message?.udh?.find(one => one[0] === 0)
      if (!header) return wordsOf(pdu)
      const [, , shared, all = 1, which = 1] = header
      const key = `${pdu.destination_addr} ${shared}`
      const known = parts.get(key) ?? []
      known[which - 1] = wordsOf(pdu)
      parts.set(key, known)
      if (known.filter(one => one !== undefined).length < all) return null
      parts.delete(key)
      return known.join('')
    }
    session.on('submit_sm', (pdu: Pdu) => {
      if (texts.modeOf(customer.username) === 'down') return session.destroy()
      const phone = String(pdu.destination_addr)
      const fate = texts.fateFor(customer, phone)
      if (typeof fate.answer === 'number' && fate.answer >= 400)
        return session.send(pdu.response({ command_status: statusOf[fate.answer] ?? busyOrDown }))
      const content = whole(pdu)
      if (content === null) return session.send(pdu.response({ message_id: `part_${pdu.sequence_number}` }))
      const about = { phone, from: String(pdu.source_addr), content }
      const outlet = (pdu.registered_delivery ?? 0) & 1 ? outletOf(customer) : null
      const text = texts.take(customer, about, 'smpp_', fate, outlet)
      if (fate.answer !== 'none') session.send(pdu.response({ message_id: text?.ref ?? '' }))
    })
    session.on('query_sm', (pdu: Pdu) => {
      const text = texts.known(String(pdu.message_id))
      if (!text) return session.send(pdu.response({ command_status: 12 }))
      const last = texts.reportsOf(text.ref).findLast(one => one !== 'Sent')
      const state = last ? receiptOf[last]?.state : text.arrived ? 2 : 6
      session.send(pdu.response({ message_id: text.ref, final_date: '', message_state: state ?? 7, error_code: 0 }))
    })
  }

  const { createServer } = await loadSmpp()
  return createServer(session => {
    session.on('error', () => session.destroy())
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()))
    session.on('unknown', (pdu: Pdu) => session.send(pdu.response({ command_status: badCommand })))
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response())
      session.close()
    })
    session.on('bind_transceiver', (pdu: Pdu) => {
      const customer = customers.find(one => one.username === pdu.system_id && one.apiKey === pdu.password)
      if (!customer) {
        session.send(pdu.response({ command_status: badSystem }))
        return session.close()
      }
      const line = { session, customer }
      bound.add(line)
      session.on('close', () => bound.delete(line))
      attend(session, customer)
      session.send(pdu.response({ system_id: 'sms-sim' }))
    })
  })
}

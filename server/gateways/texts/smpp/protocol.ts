import type { EventEmitter } from 'node:events'
import type { LookupFunction } from 'node:net'

/** A message of the protocol, as far as we read it. */
export type Pdu = {
  command: string
  command_status: number
  sequence_number: number
  system_id?: string
  password?: string
  message_id?: string
  message_state?: number
  receipted_message_id?: string
  esm_class?: number
  data_coding?: number
  registered_delivery?: number
  source_addr?: string
  destination_addr?: string
  short_message?: { message?: string | Buffer; udh?: Buffer[] }
  message_payload?: { message?: string | Buffer } | string | Buffer
  response: (options?: object) => Pdu
}

type Ask = (options: object, answered?: (pdu: Pdu) => void) => boolean
/** One connection, of a customer or of a vendor. */
export type Session = EventEmitter & {
  send: (pdu: Pdu, answered?: (pdu: Pdu) => void) => boolean
  bind_transceiver: Ask
  submit_sm: Ask
  deliver_sm: Ask
  query_sm: Ask
  enquire_link: Ask
  unbind: Ask
  close: () => void
  destroy: () => void
}
type Place = { host: string; port: number; tls: boolean; lookup?: LookupFunction; servername?: string }

/** The library of the protocol. */
export type Smpp = {
  connect: (place: Place, connected: () => void) => Session
  createServer: (each: (session: Session) => void) => import('node:net').Server
}

/** Loads the library: only where an account of the kind is used. */
export const loadSmpp = async (): Promise<Smpp> => {
  // It brings no types of its own.
  const name = 'smpp'
  const loaded = (await import(name)) as { default: Smpp }
  return loaded.default
}

/** The words of a message, wherever it carries them. */
export const wordsOf = ({ short_message: short, message_payload: payload }: Pdu): string => {
  const inPayload = typeof payload === 'object' && !Buffer.isBuffer(payload) ? payload.message : payload
  const words = short?.message?.length ? short.message : inPayload
  return words === undefined ? '' : words.toString()
}

import { refuseInTransaction } from '../../../db/in-transaction.ts'
import type { Asked, Enquiry, Handed, Sms, SmsVendor } from '../sms-vendor.ts'
import type { Pdu } from './protocol.ts'
import type { Hear, SmppLine } from './smpp-line.ts'
import { refusalOf, reportOf, type VendorWords, wordOfState } from './smpp-outcomes.ts'
import { type Part, partsOf } from './smpp-parts.ts'

type Given = { line: SmppLine; hear: Hear; words?: VendorWords }

/** Type of number and its plan: a name is a name, and a number is one of the world. */
const sender = (senderId: string) =>
  /^\+?\d{7,15}$/.test(senderId)
    ? { source_addr_ton: 1, source_addr_npi: 1, source_addr: senderId.replace('+', '') }
    : { source_addr_ton: 5, source_addr_npi: 0, source_addr: senderId }

const submit = ({ phone, senderId }: Sms, { dataCoding, udh, message }: Part, isLast: boolean) => ({
  ...sender(senderId),
  ...{ dest_addr_ton: 1, dest_addr_npi: 1, destination_addr: phone },
  ...{ data_coding: dataCoding, esm_class: udh ? 0x40 : 0 },
  // The last part is the one that is reported on: its number is that of the message.
  registered_delivery: isLast ? 1 : 0,
  short_message: udh ? { udh, message } : message,
})

const unsentOf = (reason: string): Handed =>
  reason.startsWith('refused ') ? { is: 'refused', reason: 'vendor_error' } : { is: 'later', reason }

/**
 * SMPP 3.4: `submit_sm` on a line that is bound, a long text as parts of one message. No answer, or a line that breaks before it, is
 * unknown; a first part that was taken with a later one refused is so too, since a phone may show it.
 */
export const smppVendor = ({ line, hear, words = {} }: Given): SmsVendor => {
  let shared = Math.floor(Math.random() * 256)
  const query = async ({ vendorRef, phone, senderId }: Asked): Promise<Enquiry> => {
    refuseInTransaction('a vendor is asked')
    if (!vendorRef) return { is: 'unknown' }
    const answered = await line.ask('query_sm', { message_id: vendorRef, ...sender(senderId) })
    if (!('pdu' in answered) || answered.pdu.command_status !== 0) return { is: 'unknown' }
    const status = wordOfState(Number(answered.pdu.message_state))
    const report = reportOf({ id: vendorRef, status, phoneNumber: phone }, words)
    return report ? { is: 'found', report } : { is: 'unknown' }
  }
  return {
    async send(sms): Promise<Handed> {
      refuseInTransaction('a text is sent')
      const parts = partsOf(sms.content, shared++)
      /** Its number after all: a report finds the message by it. */
      const late = ({ command_status: status, message_id: id }: Pdu) => {
        if (status !== 0 || !id) return
        void hear({ receipt: { id, status: 'ACCEPTD', phoneNumber: sms.phone } }).catch(() => undefined)
      }
      let vendorRef: string | null = null
      for (const [at, part] of parts.entries()) {
        const isLast = at === parts.length - 1
        const answered = await line.ask('submit_sm', submit(sms, part, isLast), isLast ? late : undefined)
        const said = 'pdu' in answered ? answered.pdu : null
        if (said?.command_status === 0) {
          vendorRef = said.message_id || null
          continue
        }
        const handed: Handed =
          'none' in answered
            ? { is: 'unknown', reason: answered.none }
            : 'unsent' in answered
              ? unsentOf(answered.unsent)
              : refusalOf(answered.pdu.command_status, words)
        if (at > 0) return { is: 'unknown', reason: `part ${at + 1} of ${parts.length}` }
        return handed
      }
      return { is: 'accepted', vendorRef, cost: null }
    },
    query,
    parseReport: body => reportOf(body, words),
    hold: () => line.hold(),
    close: () => line.close(),
  }
}

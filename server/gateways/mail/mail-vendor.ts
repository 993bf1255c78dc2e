import type { Handed } from '../texts/sms-vendor.ts'

/** One letter by e-mail, in plain text. */
export type Mail = { messageNo: string; to: string; subject: string; body: string }

/** What carries letters by e-mail. */
export type MailVendor = {
  vendorName: string
  /** The address that letters come from. */
  senderId: string
  /** @throws while a transaction is open */
  send: (mail: Mail) => Promise<Handed>
}

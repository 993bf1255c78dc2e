import type { ChannelAccount } from '../gateways/channels/channel-vendor.ts'
import type { MailVendor } from '../gateways/mail/mail-vendor.ts'
import type { SmsAccount } from '../gateways/texts/sms-vendor.ts'

/** What carries letters and texts out of the company. Texts go by the first account that takes them. */
export type Vendors = {
  mail: MailVendor | null
  sms: readonly SmsAccount[]
  /** WhatsApp, voice and push; one account each. */
  others?: readonly ChannelAccount[]
}

/** Nothing leaves the company. */
export const noVendors: Vendors = { mail: null, sms: [] }

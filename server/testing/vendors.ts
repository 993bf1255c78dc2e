import type { Mail } from '../gateways/mail/mail-vendor.ts'
import { africasTalking } from '../gateways/texts/africas-talking.ts'
import type { Handed, Sms } from '../gateways/texts/sms-vendor.ts'
import type { Vendors } from '../outgoing/vendors.ts'

/** Where reports of the accounts below come from. */
export const reportSecret = 'a-secret-of-the-vendor-and-of-ours'

/** Vendors that take everything, unless they are given another answer first; what they were given can be read. */
export const fakeVendors = () => {
  const texts: (Sms & { accountNo: string })[] = []
  const mails: Mail[] = []
  const answers: Handed[] = []
  let refs = 0
  const answer = (): Handed => answers.shift() ?? { is: 'accepted', vendorRef: `V${++refs}`, cost: '35.00' }
  const { parseReport } = africasTalking({ baseUrl: '', username: '', apiKey: '' })
  const account = (accountNo: string, vendorName: string) => ({
    ...{ accountNo, vendorName, senderId: 'NILE', reportSecret },
    vendor: {
      parseReport,
      async send(sms: Sms) {
        texts.push({ ...sms, accountNo })
        return answer()
      },
    },
  })
  const vendors: Vendors = {
    mail: {
      vendorName: 'mail.example',
      senderId: 'no-reply@example.com',
      async send(mail) {
        mails.push(mail)
        return answer()
      },
    },
    sms: [account('sms-1', 'Nile Text'), account('sms-2', 'Lake SMS')],
  }
  return { vendors, texts, mails, answers }
}

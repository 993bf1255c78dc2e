import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { refuseInTransaction } from '../../db/in-transaction.ts'
import type { MailVendor } from '../mail/mail-vendor.ts'
import type { SmsAccount } from '../texts/sms-vendor.ts'

const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ')
const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`

/** A letter as a mail server picks it up. */
const mailText = (to: string, subject: string, body: string): string =>
  [
    `To: ${oneLine(to)}`,
    `Subject: ${encoded(oneLine(subject))}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(body).toString('base64').replace(/.{76}/g, '$&\r\n'),
    '',
  ].join('\r\n')

/** Lays a file under the number of its message: laid again, it is the same file. It gets its name when it is whole, and only the owner may read it. */
const lay = async (folder: string, file: string, text: string) => {
  refuseInTransaction('a letter is laid down')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = path.join(folder, file)
  await writeFile(`${name}.part`, text, { mode: 0o600 })
  await rename(`${name}.part`, name)
  return { is: 'accepted' as const, vendorRef: null, cost: null }
}

/** Lays letters into a folder from which a mail server picks them up (`*.eml`). */
export const mailFolder = (folder: string): MailVendor => ({
  vendorName: 'folder',
  senderId: '-',
  send: ({ messageNo, to, subject, body }) => lay(folder, `${messageNo}.eml`, mailText(to, subject, body)),
})

/** Lays texts into a folder from which an SMS gateway picks them up (`*.sms`). */
export const smsFolder = (folder: string): SmsAccount => ({
  accountNo: 'folder',
  vendorName: 'folder',
  senderId: '-',
  vendor: {
    send: ({ messageNo, phone, content }) => lay(folder, `${messageNo}.sms`, `To: ${oneLine(phone)}\n\n${content}\n`),
    parseReport: () => null,
  },
})

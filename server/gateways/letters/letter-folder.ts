import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { refusingInTransaction } from '../../db/in-transaction.ts'

/** A message to a member of staff that leaves the console: an e-mail, or a text message to a phone. */
export type Letter = { channel: 'email' | 'phone'; to: string; subject: string; body: string }

export type Letters = { send: (letter: Letter) => Promise<void> }

const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ')
const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`

/** The letter as a mail server or an SMS gateway picks it up. */
const textOf = ({ channel, to, subject, body }: Letter): string =>
  channel === 'phone'
    ? `To: ${oneLine(to)}\n\n${body}\n`
    : [
        `To: ${oneLine(to)}`,
        `Subject: ${encoded(oneLine(subject))}`,
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from(body).toString('base64').replace(/.{76}/g, '$&\r\n'),
        '',
      ].join('\r\n')

/**
 * Lays letters into a folder from which a mail server (`*.eml`) and an SMS gateway (`*.sms`) pick them up. A file gets its name when
 * it is whole, and only the owner may read it: it holds a link with which somebody signs in.
 */
export const letterFolder = (folder: string): Letters =>
  refusingInTransaction(
    {
      async send(letter: Letter) {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const name = path.join(folder, `${randomUUID()}.${letter.channel === 'email' ? 'eml' : 'sms'}`)
        await writeFile(`${name}.part`, textOf(letter), { mode: 0o600 })
        await rename(`${name}.part`, name)
      },
    },
    'a letter is sent',
  )

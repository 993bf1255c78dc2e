/** A letter as a person reads it. */
export type ReadMail = { subject: string; body: string }

const encodedWord = /=\?utf-8\?([bq])\?([^?]*)\?=/gi

const fromQuoted = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  )

const wordsOf = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(encodedWord, (_, how: string, text: string) =>
      how.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : fromQuoted(text.replaceAll('_', ' ')).toString(),
    )

/** Reads the plain letters of one text part that our own server writes; nothing more. */
export const readMail = (raw: string): ReadMail => {
  const [head = '', ...rest] = raw.split(/\r?\n\r?\n/)
  const headers = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headerOf = (name: string): string =>
    headers
      .find(line => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? ''
  const body = rest.join('\n\n')
  const encoding = headerOf('content-transfer-encoding').toLowerCase()
  const decoded =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : encoding === 'quoted-printable'
        ? fromQuoted(body).toString()
        : body
  return { subject: wordsOf(headerOf('subject')), body: decoded.replace(/\r\n/g, '\n').trim() }
}

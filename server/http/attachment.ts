import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Context } from 'hono'
import type { Download } from './serve.ts'

/** The `content-disposition` of a file: plain letters for old clients, UTF-8 for all others. */
const disposition = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7E]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, letter => `%${letter.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

const bodyOf = (file: Download) =>
  'bytes' in file ? new Uint8Array(file.bytes) : (Readable.toWeb(createReadStream(file.path)) as ReadableStream)

/** Answers a file piece by piece; it is never shown inside of a page. */
export const attachment = (c: Context, file: Download, headers: Record<string, string>): Response =>
  c.body(bodyOf(file), 200, {
    ...headers,
    'content-type': file.type,
    'content-length': String(file.size),
    'content-disposition': disposition(file.name),
    'content-security-policy': "default-src 'none'; sandbox",
  })

import { codes } from '../../contract/codes.ts'
import { chunkHeaders, type Ready, upload } from '../../contract/common/upload.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { PurposeName } from '../../rules/upload.ts'
import { newKey } from '../call.ts'
import { CallError, TransportError } from '../errors.ts'
import type { Client } from '../providers.tsx'
import { type Hasher, startHasher } from './file-hash.ts'
import { sendBytes } from './send-bytes.ts'

/** How far an upload is. `offline` goes on by itself. */
export type Sending = { step: 'reading' | 'sending' | 'offline' | 'checking'; sent: number }
type Options = { purpose: PurposeName; signal: AbortSignal; onProgress: (sending: Sending) => void }
type Ticket = OutputOf<typeof upload.token>

/** Milliseconds before a piece is sent again, each time longer. */
const pauses = [500, 1_500, 4_000]
/** Milliseconds after which a new token is requested: one is valid for ten minutes. */
const tokenMs = 480_000

const paused = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

const connected = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    addEventListener('online', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const isLost = (error: unknown): boolean => error instanceof TransportError
/** A piece may also be damaged on the way. */
const isLostOrDamaged = (error: unknown): boolean =>
  isLost(error) || (error instanceof CallError && error.code === codes.validation)

/** One file on its way. */
class Upload {
  readonly #client: Client
  readonly #file: File
  readonly #o: Options
  readonly #hasher: Hasher
  readonly #sha256: string

  constructor(client: Client, file: File, o: Options, hasher: Hasher, sha256: string) {
    this.#client = client
    this.#file = file
    this.#o = o
    this.#hasher = hasher
    this.#sha256 = sha256
  }

  /** The same call until it is answered; while there is no connection it waits for one. */
  async #again<T>(call: () => Promise<T>, o: { sent: number; passing: (error: unknown) => boolean }): Promise<T> {
    const { signal, onProgress } = this.#o
    for (let round = 0; ; ) {
      try {
        return await call()
      } catch (error) {
        if (signal.aborted || !o.passing(error)) throw error
        if (!navigator.onLine) {
          onProgress({ step: 'offline', sent: o.sent })
          await connected(signal)
          continue
        }
        const pause = pauses[round++]
        if (pause === undefined) throw error
        await paused(pause, signal)
      }
    }
  }

  announce = (): Promise<Ticket> => {
    const { name: fileName, size } = this.#file
    const input = { purpose: this.#o.purpose, fileName, size, sha256: this.#sha256 }
    return this.#client.call(upload.token, input, { background: true, signal: this.#o.signal })
  }

  /** Sends the pieces that are not there yet. */
  async pieces(first: Ticket): Promise<void> {
    const { signal, onProgress } = this.#o
    let ticket = first
    let askedAt = performance.now()
    const { uploadNo, chunkBytes, chunkCount } = ticket
    const numbers = Array.from({ length: chunkCount }, (_, no) => no).filter(no => !ticket.chunks.includes(no))
    let sent = Math.min(this.#file.size, ticket.chunks.length * chunkBytes)
    for (const chunkNo of numbers) {
      const slice = this.#file.slice(chunkNo * chunkBytes, (chunkNo + 1) * chunkBytes)
      const sha256 = chunkCount === 1 ? this.#sha256 : await this.#hasher.hash(slice)
      const put = async () => {
        if (performance.now() - askedAt > tokenMs) {
          ticket = await this.announce()
          askedAt = performance.now()
        }
        const headers = { [chunkHeaders.token]: ticket.token, [chunkHeaders.sha256]: sha256 }
        const tell = (loaded: number) => onProgress({ step: 'sending', sent: sent + Math.min(loaded, slice.size) })
        const send = sendBytes(slice, headers, tell)
        await this.#client.call(upload.chunk, { uploadNo, chunkNo }, { background: true, signal, send })
      }
      await this.#again(put, { sent, passing: isLostOrDamaged })
      sent += slice.size
      onProgress({ step: 'sending', sent })
    }
  }

  /** Completes the upload: the server inspects the file. A retry under the same key gets the same answer. */
  complete({ uploadNo }: Ticket): Promise<Ready> {
    const key = newKey()
    const { signal, onProgress } = this.#o
    const sent = this.#file.size
    onProgress({ step: 'checking', sent })
    const ask = () => this.#client.call(upload.complete, { uploadNo }, { background: true, signal, key })
    return this.#again(ask, { sent, passing: isLost })
  }
}

/**
 * Sends a file in pieces and answers what the server keeps of it. Of the same file only what is missing is sent: after a lost
 * connection, a reload or another try.
 * @throws {CallError} the server refused · {TransportError} no answer after several tries · the reason of an aborted `signal`
 */
export const sendFile = async (client: Client, file: File, o: Options): Promise<Ready> => {
  o.onProgress({ step: 'reading', sent: 0 })
  const hasher = await startHasher()
  try {
    const sha256 = await hasher.hash(file)
    o.signal.throwIfAborted()
    const sending = new Upload(client, file, o, hasher, sha256)
    const ticket = await sending.announce()
    await sending.pieces(ticket)
    return await sending.complete(ticket)
  } finally {
    hasher.end()
  }
}

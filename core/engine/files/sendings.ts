import { CallError } from '../../client/errors.ts'
import { type Sending, sendFile } from '../../client/files/upload.ts'
import type { Client } from '../../client/providers.tsx'
import { codes } from '../../contract/codes.ts'
import type { Key } from '../../i18n/index.ts'
import type { PurposeName } from '../../rules/upload.ts'

/** Words for a person: a text of the console, or what the server said. */
export type Said = { key: Key; params?: Record<string, string | number> } | string

/** A chosen file with the state of its upload. */
export type Chosen = {
  id: number
  file: File
  /** Shows an image while it is chosen. */
  preview?: string
} & (
  | { is: 'sending'; sending: Sending }
  | { is: 'ready'; uploadNo: string }
  | { is: 'failed' }
  | { is: 'refused'; said: Said }
)

let last = 0

/** The files of one field: they are sent one after the other, each may be taken back. */
export class Sendings {
  #all: readonly Chosen[] = []
  readonly #listeners = new Set<() => void>()
  readonly #running = new Map<number, AbortController>()
  #queue: Promise<unknown> = Promise.resolve()
  readonly #client: Client
  readonly #purpose: PurposeName

  constructor(client: Client, purpose: PurposeName) {
    this.#client = client
    this.#purpose = purpose
  }

  read = (): readonly Chosen[] => this.#all
  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #set(all: readonly Chosen[]) {
    this.#all = all
    for (const listener of [...this.#listeners]) listener()
  }

  #put(
    id: number,
    state:
      | { is: 'sending'; sending: Sending }
      | { is: 'ready'; uploadNo: string }
      | { is: 'failed' }
      | { is: 'refused'; said: Said },
  ) {
    this.#set(
      this.#all.map(({ id: own, file, preview }, at) =>
        own === id ? { id: own, file, ...(preview ? { preview } : {}), ...state } : (this.#all[at] as Chosen),
      ),
    )
  }

  /** Says of a file why it is not sent. */
  refuse(file: File, said: Said) {
    this.#set([...this.#all, { id: ++last, file, is: 'refused', said }])
  }

  add(file: File) {
    const id = ++last
    const preview = file.type.startsWith('image/') ? { preview: URL.createObjectURL(file) } : {}
    this.#set([...this.#all, { id, file, ...preview, is: 'sending', sending: { step: 'reading', sent: 0 } }])
    this.send(id)
  }

  /** Sends a file, or goes on with one that stopped. */
  send(id: number) {
    const { file } = this.#all.find(one => one.id === id) as Chosen
    const stop = new AbortController()
    this.#running.set(id, stop)
    const onProgress = (sending: Sending) => !stop.signal.aborted && this.#put(id, { is: 'sending', sending })
    onProgress({ step: 'reading', sent: 0 })
    const run = async () => {
      if (stop.signal.aborted) return
      try {
        const { uploadNo } = await sendFile(this.#client, file, {
          purpose: this.#purpose,
          signal: stop.signal,
          onProgress,
        })
        this.#put(id, { is: 'ready', uploadNo })
      } catch (error) {
        if (stop.signal.aborted) return
        const isRefused = error instanceof CallError && error.code !== codes.internal
        this.#put(id, isRefused ? { is: 'refused', said: error.message } : { is: 'failed' })
      } finally {
        this.#running.delete(id)
      }
    }
    this.#queue = this.#queue.then(run)
  }

  remove(id: number) {
    this.#running.get(id)?.abort()
    const gone = this.#all.find(one => one.id === id)
    if (gone?.preview) URL.revokeObjectURL(gone.preview)
    this.#set(this.#all.filter(one => one !== gone))
  }

  removeAll = () => {
    for (const { id } of this.#all) this.remove(id)
  }
}

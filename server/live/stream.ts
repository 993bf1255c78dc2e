import type { LiveEvent } from '../../core/contract/common/live.ts'
import type { Session } from '../session/session.ts'
import { idOf, type Mark } from './event-log.ts'

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}
/** Messages that a reader may be behind before its stream is closed. */
const patience = 200

/** One open console: what it has received, and the way to send it more. */
export class Stream {
  session: Session
  mark: Mark
  readonly response: Response
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #closed = false
  readonly #gone: (stream: Stream) => void

  constructor(session: Session, mark: Mark, gone: (stream: Stream) => void) {
    this.session = session
    this.mark = mark
    this.#gone = gone
    const body = new ReadableStream<Uint8Array>(
      {
        start: controller => void (this.#controller = controller),
        cancel: () => this.close(),
      },
      { highWaterMark: patience },
    )
    this.response = new Response(body, { headers })
  }

  tell({ event, ...data }: LiveEvent) {
    this.#write(`id: ${idOf(this.mark)}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** Heartbeat with the mark of the last event. */
  beat() {
    this.#write(`id: ${idOf(this.mark)}\n: beat\n\n`)
  }

  close() {
    if (this.#closed) return
    this.#closed = true
    this.#gone(this)
    try {
      this.#controller.close()
    } catch {
      // The reader has cancelled: there is nothing left to close.
    }
  }

  #write(text: string) {
    if (this.#closed) return
    if ((this.#controller.desiredSize ?? 0) <= 0) return this.close()
    this.#controller.enqueue(new TextEncoder().encode(text))
  }
}

import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { databaseTypes } from './types.ts'

type EngineOptions = { dataDir?: string; durable?: boolean; template?: Uint8Array }
type Engine = {
  handle(id: number, bytes: Uint8Array): Promise<{ bytes: Uint8Array; end: boolean }>
  dump(): Promise<Uint8Array>
  close(): Promise<void>
}
type Reply = { id: number; bytes: Uint8Array; end: boolean }
type Streams = Map<number, EngineStream>

/** Access to an engine; a lost engine is reopened by the next `ready`. */
type Link = {
  ready(): Promise<void>
  send(id: number, bytes: Uint8Array): void
  close(): Promise<void>
}

/** A `pg` pool whose connections lead to PGlite in a worker thread. */
export type EmbeddedPool = { pool: pg.Pool; close(): Promise<void> }
/** An embedded database in memory; `dump` gives its files, from which another one starts faster. */
export type MemoryPool = EmbeddedPool & { dump(): Promise<Uint8Array> }

const engineUrl = new URL('./pglite-worker.mjs', import.meta.url)

/** One connection as `pg` wants it: a socket whose other end is the engine. */
class EngineStream extends Duplex {
  readonly #id: number
  readonly #link: Link
  readonly #streams: Streams

  constructor(id: number, link: Link, streams: Streams) {
    super()
    this.#id = id
    this.#link = link
    this.#streams = streams
  }

  connect(): this {
    this.#streams.set(this.#id, this)
    this.#link.ready().then(
      () => this.emit('connect'),
      error => this.destroy(error),
    )
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  receive({ bytes, end }: Reply): void {
    if (bytes.length) this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (!end) return
    this.push(null)
    this.destroy()
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.#link.send(this.#id, Uint8Array.from(chunk))
    done()
  }

  override _writev(chunks: { chunk: Uint8Array }[], done: () => void): void {
    this.#link.send(this.#id, new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk))))
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#streams.delete(this.#id)
    done(error)
  }
}

const poolOver = (link: Link, streams: Streams, connectionTimeoutMillis: number): pg.Pool => {
  let last = 0
  return new pg.Pool({
    user: 'postgres',
    database: 'postgres',
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis,
    types: databaseTypes,
    pipeline: true,
    stream: () => new EngineStream(++last, link, streams),
  })
}

const dropAll = (streams: Streams, reason: Error): void => {
  for (const stream of [...streams.values()]) stream.destroy(reason)
}

const openInProcess = async (options: EngineOptions, connectionTimeoutMillis: number): Promise<MemoryPool> => {
  const { openEngine } = (await import(/* @vite-ignore */ engineUrl.href)) as {
    openEngine(options: EngineOptions): Promise<Engine>
  }
  const engine = await openEngine(options)
  const streams: Streams = new Map()
  let queue = Promise.resolve()
  let turn = performance.now()
  const link: Link = {
    ready: () => Promise.resolve(),
    send(id, bytes) {
      queue = queue.then(async () => {
        try {
          // Answers come without I/O, so timers and sockets would starve.
          if (performance.now() - turn > 10) {
            await setImmediate()
            turn = performance.now()
          }
          streams.get(id)?.receive({ id, ...(await engine.handle(id, bytes)) })
        } catch (error) {
          dropAll(streams, error instanceof Error ? error : new Error(String(error)))
        }
      })
    },
    close: () => engine.close(),
  }
  const pool = poolOver(link, streams, connectionTimeoutMillis)
  return {
    pool,
    dump: () => engine.dump(),
    close: () =>
      pool
        .end()
        .then(() => queue)
        .then(link.close),
  }
}

/** Until a worker says that it is ready; one that ends before did not start. */
const readiness = (worker: Worker, gone: Promise<void>, faultOf: () => Error | undefined): Promise<void> => {
  const ready = new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    void gone.then(() => reject(faultOf() ?? new Error('the embedded database did not start')))
  })
  ready.catch(() => {})
  return ready
}

/** An engine in a worker thread. One that died or overran its time is ended and opened again from what it committed. */
const workerLink = (options: EngineOptions, streams: Streams, statementTimeoutMs: number): Link => {
  let current: { worker: Worker; ready: Promise<void>; gone: Promise<void> } | undefined
  let waiting = 0
  let watchdog: NodeJS.Timeout | undefined
  let overran = false

  const watch = (): void => {
    clearTimeout(watchdog)
    if (waiting === 0) return
    watchdog = setTimeout(() => {
      overran = true
      void current?.worker.terminate()
    }, statementTimeoutMs)
    watchdog.unref()
  }

  const start = () => {
    const worker = new Worker(engineUrl, { workerData: { engine: options } })
    waiting = 0
    overran = false
    let fault: Error | undefined
    worker.on('error', error => {
      fault = error as Error
    })
    worker.on('message', (message: Reply | 'ready') => {
      if (message === 'ready') return
      waiting--
      watch()
      streams.get(message.id)?.receive(message)
    })
    const gone = new Promise<void>(resolve => {
      worker.once('exit', () => {
        current = undefined
        clearTimeout(watchdog)
        const why = overran ? `a statement took longer than ${statementTimeoutMs} ms` : (fault?.message ?? 'it ended')
        dropAll(streams, new Error(`the embedded database was stopped: ${why}`))
        resolve()
      })
    })
    const ready = readiness(worker, gone, () => fault)
    current = { worker, ready, gone }
    return current
  }

  return {
    ready: () => (current ?? start()).ready,
    send(id, bytes) {
      if (!current) return dropAll(streams, new Error('the embedded database was stopped'))
      waiting++
      if (waiting === 1) watch()
      current.worker.postMessage({ id, bytes }, [bytes.buffer as ArrayBuffer])
    },
    async close() {
      const open = current
      open?.worker.postMessage('close')
      await open?.gone
    },
  }
}

const openInWorker = async (options: EngineOptions, connectionTimeoutMillis: number, statementTimeoutMs: number) => {
  const streams: Streams = new Map()
  const link = workerLink(options, streams, statementTimeoutMs)
  await link.ready()
  const pool = poolOver(link, streams, connectionTimeoutMillis)
  return { pool, close: () => pool.end().then(link.close) }
}

/** A database in memory of this process: for tests and generators. `template` is a dump of another one. */
export const openMemoryPool = (template?: Uint8Array, connectionTimeoutMillis = 10_000): Promise<MemoryPool> =>
  openInProcess({ template }, connectionTimeoutMillis)

/** A directory written without waiting for the disk, in this thread: fast, and safe only once all of it has been synced. */
export const openFastPool = (
  dataDir: string,
  connectionTimeoutMillis: number,
  template?: Uint8Array,
): Promise<EmbeddedPool> => openInProcess({ dataDir, durable: false, template }, connectionTimeoutMillis)

/** A directory in which a commit has reached the disk when it answers; the engine runs in its own thread. */
export const openDurablePool = (
  dataDir: string,
  connectionTimeoutMillis: number,
  statementTimeoutMs: number,
): Promise<EmbeddedPool> => openInWorker({ dataDir, durable: true }, connectionTimeoutMillis, statementTimeoutMs)

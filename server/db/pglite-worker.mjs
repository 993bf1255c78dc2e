// The embedded PostgreSQL: PGlite with real fsync, spoken to in PostgreSQL's own wire messages.
// One plain file, so that it can be started as a worker from the sources, from tests and beside a bundle.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

const authenticationOkAndReady = Uint8Array.of(82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73)
const terminate = 88
const ioError = 29

/** A file system whose fsync reaches the disk; Emscripten's own does nothing and says that it did. */
class DurableNodeFS extends NodeFS {
  syncs = 0

  async init(pg, options) {
    const result = await super.init(pg, options)
    const install = ({ NODEFS }) => {
      NODEFS.stream_ops.fsync = stream => {
        try {
          if (stream.nfd === undefined || stream.nfd === null) syncPath(NODEFS.realPath(stream.node))
          else fs.fsyncSync(stream.nfd)
          this.syncs++
          return 0
        } catch {
          return ioError
        }
      }
    }
    result.emscriptenOpts.preRun = [...(result.emscriptenOpts.preRun ?? []), install]
    return result
  }
}

const syncPath = path => {
  const file = fs.openSync(path, 'r')
  try {
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

const settings = [['timezone', 'UTC']]
const durableSettings = [
  ['shared_buffers', '32MB'],
  ['fsync', 'on'],
  ['wal_sync_method', 'fsync'],
]
/** What lives in memory anyway needs little room beside it, and that is cleared at every start; its tables are small, and one plan does. */
const fastSettings = [
  ['shared_buffers', '16MB'],
  ['fsync', 'off'],
  ['synchronous_commit', 'off'],
  ['full_page_writes', 'off'],
  ['max_wal_size', '4GB'],
  ['plan_cache_mode', 'force_generic_plan'],
]

const startParams = durable => {
  const own = [...settings, ...(durable ? durableSettings : fastSettings)]
  return [
    ...PGlite.defaultStartParams.filter(param => !durable || param !== '-F'),
    ...own.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

const concat = parts => {
  if (parts.length === 1) return parts[0]
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The engine's code and files, read and compiled once for all databases in memory of a process. */
let parts
const sharedParts = () => {
  const dist = path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const read = name => fs.promises.readFile(path.join(dist, name))
  parts ??= Promise.all([read('pglite.wasm').then(code => WebAssembly.compile(code)), read('pglite.data')])
  return parts
}

/** Bytes as the engine takes them, which copies what it keeps; a Blob would hand them over piece by piece. */
const whole = ({ buffer, byteOffset, byteLength }) => ({
  size: byteLength,
  type: 'application/x-tar',
  arrayBuffer: async () =>
    byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength),
})

/** A commit must have called fsync; an engine that renames the hook would lose data silently. */
const checkSyncs = async (db, files) => {
  const before = files.syncs
  await db.exec(`select pg_logical_emit_message(true, 'mkopo', 'start')`)
  if (files.syncs === before) {
    await db.close()
    throw new Error(
      'the embedded database does not write to disk on commit (fsync is never called): it is not safe to use',
    )
  }
}

const inMemory = async () => {
  const [pgliteWasmModule, data] = await sharedParts()
  return { pgliteWasmModule, fsBundle: whole(data) }
}

/**
 * Takes bytes of one connection, answers the bytes of the reply; `end` says that the client has left.
 * @param {PGlite} db
 */
const handling = db => {
  const connections = new Map()

  const reset = async () => {
    await db.exec('rollback').catch(() => {})
    await db.exec('discard all').catch(() => {})
  }

  /** Runs messages together; the stream spares the engine's own reading of every answer. */
  const raw = (messages, replies) =>
    db.execProtocolRawStream(messages, { syncToFs: false, onRawData: data => replies.push(data.slice()) })

  return async (id, chunk) => {
    const connection = connections.get(id) ?? { rest: new Uint8Array(0), started: false }
    connections.set(id, connection)
    const input = connection.rest.length ? concat([connection.rest, chunk]) : chunk
    const view = new DataView(input.buffer, input.byteOffset, input.byteLength)
    const replies = []
    let ran = 0
    let at = 0
    let end = false
    const run = async () => {
      if (at > ran) await raw(input.slice(ran, at), replies)
      ran = at
    }
    while (!end) {
      const tag = connection.started ? 1 : 0
      if (input.length - at < tag + 4) break
      const length = view.getUint32(at + tag) + tag
      if (input.length - at < length) break
      if (!connection.started) {
        connection.started = true
        await reset()
        replies.push(authenticationOkAndReady.slice())
        ran = at + length
      } else if (input[at] === terminate) {
        await run()
        end = true
        connections.delete(id)
        await reset()
      }
      at += length
    }
    if (!end) await run()
    connection.rest = input.slice(at)
    return { bytes: concat(replies), end }
  }
}

/**
 * Opens the engine.
 * @param {{ dataDir?: string, durable?: boolean, template?: Uint8Array }} options without `dataDir` it lives in memory
 */
export const openEngine = async ({ dataDir, durable = true, template }) => {
  const onDisk = dataDir !== undefined
  const files = onDisk && durable ? new DurableNodeFS(dataDir) : undefined
  const db = await PGlite.create({
    startParams: startParams(files !== undefined),
    ...(files ? { fs: files } : onDisk ? { dataDir } : {}),
    ...(template ? { loadDataDir: whole(template) } : {}),
    ...(onDisk ? {} : await inMemory()),
  })
  if (files) await checkSyncs(db, files)
  return {
    handle: handling(db),
    /** The whole data directory as a tar, to open other engines from. */
    async dump() {
      await db.exec('checkpoint')
      return new Uint8Array(await (await db.dumpDataDir('none')).arrayBuffer())
    },
    async close() {
      await db.exec('checkpoint')
      await db.close()
    },
  }
}

const serve = async port => {
  const engine = await openEngine(workerData.engine)
  let queue = Promise.resolve()
  const answer = async message => {
    if (message === 'close') {
      await engine.close()
      port.close()
      return
    }
    const { bytes, end } = await engine.handle(message.id, message.bytes)
    port.postMessage({ id: message.id, bytes, end }, bytes.length ? [bytes.buffer] : [])
  }
  port.on('message', message => {
    queue = queue.then(() => answer(message))
    queue.catch(error => {
      setImmediate(() => {
        throw error
      })
    })
  })
  port.postMessage('ready')
}

if (parentPort && workerData?.engine) await serve(parentPort)

import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { refusingInTransaction } from '../../db/in-transaction.ts'

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** Where files of people lie below the data directory. */
export const uploadDirectory = 'file-upload'

/** What arrived is not what was announced. */
export class WrongBytes extends Error {
  override name = 'WrongBytes'
}
/** There is no room for it. */
export class DiskFull extends Error {
  override name = 'DiskFull'
}

/** Bytes in pieces. */
export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>
/** A stored file: its size in bytes, its SHA-256 as hex. */
export type Stored = { size: number; sha256: string }
/** The directory of uploads. */
export type UploadFiles = ReturnType<typeof uploadFiles>

/** A name for a file that nobody can guess; what a person called it is never part of it. */
export const newFileId = (): string => randomBytes(24).toString('hex')

type Places = {
  dir: string
  pathOf: (id: string) => string
  chunkOf: (id: string, no: number, sha256: string) => string
}

const writeAll = async (file: FileHandle, pieces: Bytes, most: number): Promise<Stored> => {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > most) throw new WrongBytes(`more than ${most} bytes`)
    hash.update(piece)
    for (let at = 0; at < piece.length; ) at += (await file.write(piece, at, piece.length - at)).bytesWritten
  }
  await file.sync()
  return { size, sha256: hash.digest('hex') }
}

/** All pieces of a file, one after the other. */
async function* piecesOf({ chunkOf }: Places, id: string, hashes: readonly string[]) {
  for (const [no, sha256] of hashes.entries()) yield* createReadStream(chunkOf(id, no, sha256)) as AsyncIterable<Buffer>
}

const writing = (places: Places) => {
  const { dir, pathOf, chunkOf } = places

  const syncDirectory = async () => {
    const directory = await open(dir, 'r')
    await directory.sync().finally(() => directory.close())
  }

  /** Writes a file under a name of the moment, then gives it its own. */
  const keep = async (
    pieces: Bytes,
    o: { most: number; name: (stored: Stored) => string; check?: (stored: Stored) => void },
  ): Promise<Stored> => {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const draft = path.join(dir, `${newFileId()}.draft`)
    try {
      const file = await open(draft, 'wx', 0o600)
      const stored = await writeAll(file, pieces, o.most).finally(() => file.close())
      o.check?.(stored)
      await rename(draft, o.name(stored))
      await syncDirectory()
      return stored
    } catch (error) {
      await rm(draft, { force: true })
      throw codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT' ? new DiskFull('no room', { cause: error }) : error
    }
  }

  /** Stores one piece. @throws {WrongBytes} it has another size or hash · {DiskFull} */
  const keepChunk = async (id: string, no: number, announced: Stored, pieces: Bytes): Promise<void> => {
    await keep(pieces, {
      most: announced.size,
      name: ({ sha256 }) => chunkOf(id, no, sha256),
      check: ({ size, sha256 }) => {
        if (size !== announced.size || sha256 !== announced.sha256) throw new WrongBytes('another size or hash')
      },
    })
  }

  /** Stores a whole file. @throws {DiskFull} */
  const keepWhole = (id: string, pieces: Bytes): Promise<Stored> =>
    keep(pieces, { most: Number.MAX_SAFE_INTEGER, name: () => pathOf(id) })

  /** Puts the pieces of a file together without holding it in memory. @throws {DiskFull} */
  const join = (id: string, hashes: readonly string[]): Promise<Stored> => keepWhole(id, piecesOf(places, id, hashes))

  return { keepChunk, keepWhole, join }
}

const reading = (places: Places) => {
  const { pathOf, chunkOf } = places
  /** All pieces of a file, one after the other. */
  const read = async (id: string, hashes: readonly string[]): Promise<Buffer> => {
    const [only] = hashes
    if (only !== undefined && hashes.length === 1) return readFile(chunkOf(id, 0, only))
    const pieces: Buffer[] = []
    for await (const piece of piecesOf(places, id, hashes)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  /** What lies under a name, or null. */
  const measure = async (id: string): Promise<Stored | null> => {
    const hash = createHash('sha256')
    let size = 0
    try {
      for await (const piece of createReadStream(pathOf(id)) as AsyncIterable<Buffer>) {
        hash.update(piece)
        size += piece.length
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null
      throw error
    }
    return { size, sha256: hash.digest('hex') }
  }

  return { read, measure }
}

const removing = ({ dir }: Places) => {
  const names = async (): Promise<string[]> =>
    readdir(dir).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    })

  /** Removes the pieces of a file, and with `whole` the file. */
  const remove = async (id: string, whole: boolean): Promise<void> => {
    const own = (await names()).filter(name => name.startsWith(`${id}.`) || (whole && name === id))
    await Promise.all(own.map(name => rm(path.join(dir, name), { force: true })))
  }

  /** Files that belong to none of these ids and are older than an instant. */
  const orphans = async (kept: ReadonlySet<string>, before: number): Promise<string[]> => {
    const found: string[] = []
    for (const name of await names()) {
      if (kept.has(name.split('.')[0] as string)) continue
      const about = await stat(path.join(dir, name)).catch(() => undefined)
      if (about && about.mtimeMs < before) found.push(name)
    }
    return found
  }

  const sweep = async (kept: ReadonlySet<string>, before: number): Promise<number> => {
    const old = await orphans(kept, before)
    for (const name of old) await rm(path.join(dir, name), { force: true })
    return old.length
  }

  return { remove, orphans, sweep }
}

/** The files that people sent, in one directory. Whatever has its name there is whole and safely on disk. */
export const uploadFiles = (dir: string) => {
  const places: Places = {
    dir,
    pathOf: id => path.join(dir, id),
    chunkOf: (id, no, sha256) => path.join(dir, `${id}.${no}.${sha256}`),
  }
  const touching = { ...writing(places), ...reading(places), ...removing(places) }
  return { pathOf: places.pathOf, ...refusingInTransaction(touching, 'a file of an upload is touched') }
}

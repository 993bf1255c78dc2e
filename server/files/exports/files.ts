import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { refusingInTransaction } from '../../db/in-transaction.ts'

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** A file is shorter than what is known to have been written: it has to be rebuilt. */
export class FileLost extends Error {
  override name = 'FileLost'
}

/** The directory of files for staff: opened for writing, resumed, served, deleted. */
export type ExportFiles = ReturnType<typeof exportFiles>

/** The files of exports in one directory. While a file is being written it has another name, under which nobody is given it. */
export const exportFiles = (dir: string) => {
  const pathOf = (id: string) => path.join(dir, id)
  const partOf = (id: string) => path.join(dir, `${id}.part`)
  /** Where the rows of a file that was read are kept. */
  const rowsOf = (id: string) => path.join(dir, `${id}.rows`)

  /** Writes behind the given byte; what a crash left beyond it is cut off. @throws {FileLost} when less is there */
  const append = async (id: string, offset: number, bytes: Buffer): Promise<void> => {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const file = await open(partOf(id), constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      if ((await file.stat()).size < offset) throw new FileLost(`less than ${offset} bytes are there`)
      await file.truncate(offset)
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, at, bytes.length - at, offset + at)
        at += bytesWritten
      }
    } finally {
      await file.close()
    }
  }

  /** Gives a whole file its name, safely on disk. */
  const seal = async (id: string): Promise<void> => {
    const file = await open(partOf(id), 'r+')
    await file.sync().finally(() => file.close())
    await rename(partOf(id), pathOf(id))
  }

  const remove = async (id: string): Promise<void> => {
    await Promise.all([pathOf, partOf, rowsOf].map(of => rm(of(id), { force: true })))
  }

  /** Removes old files that belong to nothing any more. */
  const sweep = async (kept: ReadonlySet<string>, before: number): Promise<number> => {
    const names = await readdir(dir).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    })
    let removed = 0
    for (const name of names.filter(one => !kept.has(one.replace(/\.(part|rows)$/, '')))) {
      const found = await stat(path.join(dir, name)).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return null
        throw error
      })
      if (!found || found.mtimeMs >= before) continue
      await rm(path.join(dir, name), { force: true })
      removed++
    }
    return removed
  }

  const dropRows = (id: string): Promise<void> => rm(rowsOf(id), { force: true })

  const touching = { dropRows, append, seal, remove, sweep }
  return { pathOf, rowsOf, ...refusingInTransaction(touching, 'a file is touched') }
}

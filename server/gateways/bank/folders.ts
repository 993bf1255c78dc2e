import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { refusingInTransaction } from '../../db/in-transaction.ts'
import { statementBounds } from './camt-053.ts'
import { answerBounds } from './pain-002.ts'

/** `missing`: nothing was laid down. `unclear`: it may be there. */
export type Laid = { kind: 'laid' } | { kind: 'missing' | 'unclear'; why: string }

/** An answer that lies in a folder. */
export type Found = { fundAccountNo: string; fileName: string; bytes: Buffer }

/** The folders that are shared with banks, one per account. */
export type BankFolders = ReturnType<typeof bankFolders>

const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.name : 'unknown')

/** Writes a file to the disk, whole. */
const writeWhole = async (file: string, text: string) => {
  const handle = await open(file, 'w', 0o640)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

type Folder = (fundAccountNo: string, ...names: string[]) => string

const laying = (folder: Folder) => {
  /** Lays a file down under a name that was never used before. */
  const lay = async (fundAccountNo: string, name: string, text: string): Promise<Laid> => {
    const target = folder(fundAccountNo, 'out', name)
    const draft = `${target}.part`
    try {
      await mkdir(path.dirname(target), { recursive: true })
      if (await isThere(target)) return { kind: 'unclear', why: 'FILE_EXISTS' }
      await writeWhole(draft, text)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined)
      return { kind: 'missing', why: codeOf(error) }
    }
    try {
      await rename(draft, target)
      return { kind: 'laid' }
    } catch (error) {
      return { kind: 'unclear', why: codeOf(error) }
    }
  }

  /** Puts an answer that was taken in out of the way; it is no matter when it is gone already. */
  const putAway = async (fundAccountNo: string, fileName: string): Promise<void> => {
    const from = folder(fundAccountNo, 'in', path.basename(fileName))
    await mkdir(folder(fundAccountNo, 'in', 'read'), { recursive: true })
    await rename(from, folder(fundAccountNo, 'in', 'read', path.basename(fileName))).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
    })
  }

  return { lay, putAway }
}

/** What lies in a folder; a file that was written to within `quietMs` may not be whole yet. */
const listing = (folder: Folder, quietMs: number) => {
  const namesIn = async (fundAccountNo: string, place: 'in' | 'statements'): Promise<string[]> => {
    const names = await readdir(folder(fundAccountNo, place)).catch(() => [])
    return names.filter(name => /\.xml$/i.test(name) && name.length <= 200).sort()
  }

  /** A whole file, empty where it is larger than such a one can be; null for anything else. */
  const bytesOf = async (file: string, most: number): Promise<Buffer | null> => {
    const found = await stat(file).catch(() => null)
    if (!found?.isFile() || Date.now() - Math.floor(found.mtimeMs) < quietMs) return null
    return found.size > most ? Buffer.alloc(0) : readFile(file)
  }

  return { namesIn, bytesOf }
}

const finding = (folder: Folder, quietMs: number) => {
  const { namesIn, bytesOf } = listing(folder, quietMs)

  /** The answers waiting there for some accounts, up to a limit. */
  const answers = async (accounts: readonly string[], atMost = 50): Promise<Found[]> => {
    const found: Found[] = []
    for (const fundAccountNo of accounts)
      for (const fileName of await namesIn(fundAccountNo, 'in')) {
        if (found.length >= atMost) return found
        const bytes = await bytesOf(folder(fundAccountNo, 'in', fileName), answerBounds.bytes).catch(() => null)
        if (bytes) found.push({ fundAccountNo, fileName, bytes })
      }
    return found
  }

  /** The statements that lie there for an account, the newest first, one after the other. */
  async function* statements(fundAccountNo: string): AsyncGenerator<Found> {
    const dated: { fileName: string; time: number }[] = []
    for (const fileName of await namesIn(fundAccountNo, 'statements')) {
      const found = await stat(folder(fundAccountNo, 'statements', fileName)).catch(() => null)
      if (found) dated.push({ fileName, time: found.mtimeMs })
    }
    for (const { fileName } of dated.sort((a, b) => b.time - a.time || (a.fileName < b.fileName ? 1 : -1))) {
      const bytes = await bytesOf(folder(fundAccountNo, 'statements', fileName), statementBounds.bytes).catch(
        () => null,
      )
      if (bytes) yield { fundAccountNo, fileName, bytes }
    }
  }

  return { answers, statements }
}

/**
 * The folders that we share with banks, host to host: below `root` one for each account, in it `out` for our files, `in`
 * for answers and `statements`. A file gets its name when it is whole. What was read is moved to `in/read`; statements
 * stay where they are.
 */
export const bankFolders = (root: string, o: { quietMs?: number } = {}) => {
  const { quietMs = 5_000 } = o
  const folder: Folder = (fundAccountNo, ...names) => {
    if (!/^[\w-]+$/.test(fundAccountNo)) throw new Error(`${fundAccountNo} is no name of a folder`)
    return path.join(root, fundAccountNo, ...names)
  }

  /** Whether there is a place for statements of an account: a bank that gives none has none. */
  const tellsStatements = (fundAccountNo: string): boolean => existsSync(folder(fundAccountNo, 'statements'))

  const touching = { ...laying(folder), ...finding(folder, quietMs) }
  return { tellsStatements, ...refusingInTransaction(touching, 'a folder of a bank is touched') }
}

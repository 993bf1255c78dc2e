import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The file with the digests, below the elements. */
export const integrityFile = 'integrity.json'

/** What a browser compares a script with: the digest as `integrity` takes it. */
export const digestOf = (bytes: Buffer): string => `sha384-${createHash('sha384').update(bytes).digest('base64')}`

/** Publishes the digest of every script of a build with its version: a page that wants this build and no other names them. */
export const writeIntegrity = async (dir: string, version: string): Promise<void> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const scripts = entries.filter(entry => entry.isFile() && entry.name.endsWith('.js'))
  const files = await Promise.all(
    scripts.map(async entry => {
      const file = path.join(entry.parentPath, entry.name)
      return [path.relative(dir, file).replaceAll(path.sep, '/'), digestOf(await readFile(file))] as const
    }),
  )
  const integrity = Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)))
  await writeFile(path.join(dir, integrityFile), `${JSON.stringify({ version, integrity }, null, 2)}\n`)
}

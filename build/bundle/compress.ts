import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const worthBytes = 1024
const kinds = /\.(js|json|html|css|svg)$/

const packed = {
  '.br': (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  '.gz': (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

/** Lays beside each file that a browser asks for what the server sends of it: as small as it gets, packed once and not at each request. */
export const compressBelow = async (dir: string): Promise<void> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile() && kinds.test(entry.name))
  await Promise.all(
    files.map(async entry => {
      const file = path.join(entry.parentPath, entry.name)
      const bytes = await readFile(file)
      if (bytes.length < worthBytes) return
      for (const [ending, pack] of Object.entries(packed)) await writeFile(file + ending, await pack(bytes))
    }),
  )
}

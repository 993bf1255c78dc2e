import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ts': 'text/plain; charset=utf-8',
}
const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

/** A name that a build gives to one content only: shared chunks and assets end in a digest. */
const isHashed = (file: string): boolean =>
  /[\\/](chunks|assets)[\\/][^\\/]+-[\w-]{8}\.\w+(\.map)?(\.br|\.gz)?$/.test(file)

type Found = { body: Buffer; etag: string; encoding: string | null }

const isFile = async (file: string): Promise<boolean> =>
  stat(file).then(
    found => found.isFile(),
    () => false,
  )

/** Contents under hashed names, which never change, by file; as many as were ever asked for of those a build has. */
const kept = new Map<string, Found>()

const load = async (file: string, encoding: string | null): Promise<Found | null> => {
  const known = kept.get(file)
  if (known) return known
  if (!(await isFile(file))) return null
  const body = await readFile(file)
  const found = {
    body,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    encoding,
  }
  if (isHashed(file)) kept.set(file, found)
  return found
}

const read = async (file: string, accepted: string): Promise<Found | null> => {
  const offered = accepted.split(',').map(one => one.trim().split(';')[0])
  for (const { name, ending } of encodings) {
    const found = offered.includes(name) ? await load(file + ending, name) : null
    if (found) return found
  }
  return load(file, null)
}

/** The file of a directory that a path names; null for what is not there or lies outside. */
const inside = (root: string, name: string): string | null => {
  const file = path.join(root, path.normalize(`/${name}`))
  return file.startsWith(root + path.sep) &&
    !name.includes('\0') &&
    !path.basename(file).startsWith('.') &&
    path.extname(file) in types
    ? file
    : null
}

/** The page of the portal that fetches a screen at once, among the portal's files. */
export const pageOf = (tag: string): string => `pages/${tag}.html`

/** Answers with a file of a build: hashed names are cached forever, the others are revalidated. */
export const serveFile = async (
  root: string,
  name: string,
  request: Request,
  headers: Record<string, string> = {},
): Promise<Response | null> => {
  const file = inside(root, name)
  const found = file && (await read(file, request.headers.get('accept-encoding') ?? ''))
  if (!found) return null
  const { body, etag, encoding } = found
  const all = {
    ...headers,
    'content-type': types[path.extname(file)] ?? 'application/octet-stream',
    'cache-control': isHashed(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    vary: 'accept-encoding',
    ...(encoding ? { 'content-encoding': encoding } : {}),
  }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: all })
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), {
    headers: { ...all, 'content-length': String(body.length) },
  })
}

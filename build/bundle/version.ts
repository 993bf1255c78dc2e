import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ours = ['core', 'portal', 'widgets', 'package-lock.json']

const filesBelow = (name: string): string[] =>
  readdirSync(name, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
    .sort()

/** Names what a build was made from: the release and a digest of everything that the browser part is built of. */
export const buildVersion = (root: string) => {
  const digest = createHash('sha256')
  for (const name of ours) {
    const at = path.join(root, name)
    for (const file of path.extname(name) ? [at] : filesBelow(at))
      digest.update(path.relative(root, file)).update(readFileSync(file))
  }
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  return `${version}-${digest.digest('hex').slice(0, 10)}`
}

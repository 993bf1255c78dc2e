import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Uses nothing but Node: it runs before anything is installed. */
export const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
  console.error(`Mkopo needs Node 20.19 or later, or 22.12 or later; this is ${process.version}.`)
  process.exit(1)
}

export const run = (command, args, options = {}) =>
  spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32', ...options })

const must = (what, command, args) => {
  const started = Date.now()
  console.log(`${what} …`)
  const { status } = run(command, args)
  if (status !== 0) {
    console.error(`${what} failed.`)
    process.exit(status ?? 1)
  }
  console.log(`${what}: ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

const isWhat = (file, wanted) => existsSync(file) && readFileSync(file, 'utf8') === wanted
const hashOf = files => {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

/** Installs what package-lock.json names, once per change of it. */
export const installed = () => {
  const mark = 'node_modules/.mkopo-installed'
  const wanted = hashOf(['package-lock.json'])
  if (isWhat(mark, wanted)) return
  must('Installing', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(mark, wanted)
}

const sources = ['build', 'core', 'portal', 'server', 'widgets']
const filesBelow = dir =>
  readdirSync(dir, { recursive: true, withFileTypes: true }).flatMap(entry =>
    entry.isFile() ? [`${entry.parentPath ?? entry.path}/${entry.name}`] : [],
  )

/** Builds dist, once per change of what it is built from. */
export const built = () => {
  const mark = 'dist/.built'
  const files = [...sources.flatMap(filesBelow), 'package.json', 'package-lock.json', 'rollup.config.ts']
    .filter(file => !/\.(test|facts)\./.test(file))
    .sort()
  const wanted = hashOf(files)
  if (isWhat(mark, wanted)) return
  must('Building', process.execPath, ['node_modules/tsx/dist/cli.mjs', 'build/build.ts'])
  mkdirSync('dist', { recursive: true })
  writeFileSync(mark, wanted)
}

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type OutputChunk, type RollupOutput, rollup } from 'rollup'
import config from '../rollup.config.ts'
import { pageOf } from '../server/http/static.ts'
import { filesOf } from '../stories/generate.ts'
import { widgets } from '../widgets/registry.ts'
import { compressBelow } from './bundle/compress.ts'
import { writeIntegrity } from './bundle/integrity.ts'
import { portalHtml } from './bundle/portal-html.ts'
import { buildVersion } from './bundle/version.ts'
import { describeLibrary } from './docs/describe.ts'
import { chunksBy, root, usedBy } from './graph.ts'
import { buildServer } from './server.ts'

const dist = path.join(root, 'dist')
const lib = path.join(dist, 'lib')

/** Everything that some chunks import before they run, they themselves first. */
const closureOf = (chunks: readonly OutputChunk[], first: readonly (OutputChunk | undefined)[]): string[] => {
  const found = new Set<string>()
  const add = (chunk: OutputChunk | undefined) => {
    if (!chunk || found.has(chunk.fileName)) return
    found.add(chunk.fileName)
    for (const file of chunk.imports) add(chunks.find(one => one.fileName === file))
  }
  for (const chunk of first) add(chunk)
  return [...found]
}

const chunksOf = ({ output }: RollupOutput) => output.filter((one): one is OutputChunk => one.type === 'chunk')

/** Rollup's graph, and from it the portal's page: one for the sign-in, and one for each screen that fetches it at once. */
const browserPart = async () => {
  const { output, ...input } = config
  const bundle = await rollup(input)
  // What is needed together is known once Rollup has looked at what is used; then it is written in as few files.
  const used = usedBy(chunksOf(await bundle.generate({ ...output, plugins: [] })))
  const written = await bundle.write({ ...output, manualChunks: chunksBy(used) })
  await bundle.close()
  const chunks = chunksOf(written)
  const entry = chunks.find(chunk => chunk.name === 'portal' && chunk.isEntry)
  if (!entry) throw new Error('the portal has no entry')
  const holding = (file: string) => chunks.find(chunk => chunk.moduleIds.includes(path.join(root, file)))
  const frame = [holding('portal/portal.tsx'), holding('portal/shell/shell.tsx')]
  const portal = path.join(dist, 'portal')
  await mkdir(path.join(portal, 'pages'), { recursive: true })
  const write = async (name: string, first: readonly (OutputChunk | undefined)[]) => {
    const [script, ...preload] = closureOf(chunks, [entry, ...first]).map(file => `/lib/${file}`)
    await writeFile(path.join(portal, name), portalHtml(script as string, preload))
  }
  await write('index.html', [])
  const files = filesOf(await readFile(path.join(root, 'widgets/registry.ts'), 'utf8'))
  for (const [tag, file] of Object.entries(files))
    await write(pageOf(tag), [...frame, holding(path.join('widgets', file))])
  await writeFile(path.join(portal, 'version.json'), `${JSON.stringify({ version: buildVersion(root) })}\n`)
}

await rm(dist, { recursive: true, force: true })
/** The elements and the console as a server sends them. */
const served = async () => {
  await Promise.all([browserPart(), describeLibrary(lib, widgets)])
  await writeIntegrity(lib, buildVersion(root))
  await Promise.all([compressBelow(lib), compressBelow(path.join(dist, 'portal'))])
}

await Promise.all([served(), buildServer(root, path.join(dist, 'server'))])

import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type OutputChunk, rollup } from 'rollup'
import config from '../rollup.config.ts'
import { widgets } from '../widgets/registry.ts'
import { compressBelow } from './bundle/compress.ts'
import { portalHtml } from './bundle/portal-html.ts'
import { buildVersion } from './bundle/version.ts'
import { describeLibrary } from './docs/describe.ts'
import { root } from './graph.ts'
import { buildServer } from './server.ts'

const dist = path.join(root, 'dist')
const lib = path.join(dist, 'lib')

/** Rollup's graph, and from it the portal's page. */
const browserPart = async () => {
  const { output, ...input } = config
  const bundle = await rollup(input)
  const written = await bundle.write(output)
  await bundle.close()
  const entry = written.output.find(
    (chunk): chunk is OutputChunk => chunk.type === 'chunk' && chunk.name === 'portal' && chunk.isEntry,
  )
  if (!entry) throw new Error('the portal has no entry')
  const portal = path.join(dist, 'portal')
  await mkdir(portal, { recursive: true })
  const preload = entry.imports.map(file => `/lib/${file}`)
  await writeFile(path.join(portal, 'index.html'), portalHtml(`/lib/${entry.fileName}`, preload))
  await writeFile(path.join(portal, 'version.json'), `${JSON.stringify({ version: buildVersion(root) })}\n`)
}

await rm(dist, { recursive: true, force: true })
/** The elements and the console as a server sends them. */
const served = async () => {
  await Promise.all([browserPart(), describeLibrary(lib, widgets)])
  await Promise.all([compressBelow(lib), compressBelow(path.join(dist, 'portal'))])
}

await Promise.all([served(), buildServer(root, path.join(dist, 'server'))])

import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { type OutputChunk, rollup } from 'rollup'
import { isKey, text } from '../core/i18n/server.ts'
import config from '../rollup.config.ts'
import { widgets } from '../widgets/registry.ts'
import { root } from './graph.ts'
import { customElements, domTypes, type Listed, reactTypes } from './manifest.ts'
import { portalHtml } from './portal-html.ts'
import { buildServer } from './server.ts'
import { buildVersion } from './version.ts'

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

const titled = ({ tag }: { tag: string }): Listed => {
  const key = `screens.${tag}`
  return { tag, summary: isKey(key) ? text('en', key) : undefined }
}

/** What partners' editors and compilers read. */
const descriptions = async () => {
  await mkdir(lib, { recursive: true })
  const all = widgets.map(titled)
  await writeFile(path.join(lib, 'custom-elements.json'), `${JSON.stringify(customElements(all), null, 1)}\n`)
  await writeFile(path.join(lib, 'mkopo.d.ts'), domTypes(all))
  await writeFile(path.join(lib, 'mkopo-react.d.ts'), reactTypes())
  const options = [
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--target',
    'es2022',
    '--module',
    'esnext',
    '--outDir',
    lib,
  ]
  await promisify(execFile)(path.join(root, 'node_modules/.bin/tsc'), ['core/element/events.ts', ...options], {
    cwd: root,
  })
}

await rm(dist, { recursive: true, force: true })
await Promise.all([browserPart(), descriptions(), buildServer(root, path.join(dist, 'server'))])

import { fileURLToPath } from 'node:url'
import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'
import resolve from '@rollup/plugin-node-resolve'
import replace from '@rollup/plugin-replace'
import type { GetManualChunk, OutputOptions, Plugin, RollupOptions } from 'rollup'
import esbuild from 'rollup-plugin-esbuild'
import { small } from './bundle/minify.ts'
import {
  cssSheets,
  importAgain,
  noJsonSchemas,
  radixShadow,
  radixThemes,
  useClient,
  virtual,
} from './bundle/plugins.ts'
import { buildVersion } from './bundle/version.ts'
import { work } from './texts/i18n-index.ts'

/** The repository. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Small elements without React. */
export const leaves = ['mkopo-toast', 'mkopo-loading', 'mkopo-copy', 'mkopo-phone'] as const

/** Its own resolver would forget which modules have no side effects, and with them bundle all of Radix. */
const compile = (): Plugin => {
  const plugin = esbuild({ target: 'es2022', jsx: 'automatic', tsconfig: false })
  delete plugin.resolveId
  return plugin
}

/** What changes at its own pace, or is wanted by itself, gets a chunk of its own; the rest Rollup decides. */
const chunks: readonly (readonly [name: string, modules: RegExp])[] = [
  ['react', /commonjsHelpers|[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/],
  ['version', /[\\/]core[\\/]element[\\/](one-)?version\.ts$/],
  ['theme', /virtual:radix-themes/],
  [
    'base',
    /[\\/]core[\\/](i18n[\\/](boot|language)\.ts|i18n[\\/]\w+[\\/]boot\.json|element[\\/](copy|defaults|events|properties|toast|leaves[\\/]icon-paths)\.ts)$/,
  ],
]
const texts = /[\\/]core[\\/]i18n[\\/](\w+)[\\/](?:(index|work)\.gen\.ts|(\w+)\.json|([\w-]+)[\\/]([\w-]+)\.json)$/
/** The words of a language: one chunk for what everybody may read, one for what signed-in people work with, one for the portal, one a noun and one for what the nouns of a system share. */
const wordsOf = (id: string) => {
  const [, language, index, shared, system, noun] = texts.exec(id) ?? []
  if (index === 'work' || work.includes(shared ?? '')) return `${language}-work`
  if (!language || !system) return language
  if (system === 'portal') return `${language}-portal`
  return `${language}-${system}-${noun === 'titles' ? 'system' : noun}`
}
const namedChunk = (id: string) => chunks.find(([, modules]) => modules.test(id))?.[0] ?? wordsOf(id)

/**
 * What arrives at the same time: a widget's host, the sign-in, the frame of the portal, a list. Modules that the same ones of these
 * need share a chunk, so that a first page is a few files and none holds anything that it does not use.
 */
const together: readonly (readonly [name: string, files: readonly string[]])[] = [
  ['host', ['core/widget/define-widget.tsx', 'core/client/providers.tsx', 'core/widget/host.tsx']],
  ['sign-in', ['portal/portal.tsx', 'widgets/portal/login.tsx']],
  ['frame', ['portal/shell/shell.tsx', 'core/ui/overlay/modal-dialog.tsx']],
  ['list', ['core/engine/list/list-screen.ts']],
]

type Modules = Parameters<GetManualChunk>[1]

/** Everything that some files import before they run. */
const closureOf = (files: readonly string[], { getModuleInfo }: Modules): ReadonlySet<string> => {
  const found = new Set<string>()
  const add = (id: string) => {
    const info = found.has(id) ? null : getModuleInfo(id)
    if (!info || info.isExternal) return
    found.add(id)
    for (const imported of info.importedIds) add(imported)
  }
  for (const file of files) add(`${root}${file}`)
  return found
}

/** Names the chunk of a module; Rollup decides for those of which nothing is said here. */
const chunkOf = (): GetManualChunk => {
  let closures: readonly (readonly [string, ReadonlySet<string>])[] | undefined
  return (id, modules) => {
    const named = namedChunk(id)
    if (named) return named
    if (!id.startsWith(root) || id.includes('node_modules')) return null
    closures ??= together.map(([name, files]) => [name, closureOf(files, modules)])
    return closures.flatMap(([name, ids]) => (ids.has(id) ? [name] : [])).join('-') || null
  }
}

const q = JSON.stringify

/** The module of a widget's entry: it registers the tag; its screen comes when an element is drawn, the other screens when a link leads to one. */
const widgetEntry = (widget: string, registry: string, providers: string | undefined) => `
import ${q(`${root}core/client/no-eval.ts`)}
import { defineWidget } from ${q(`${root}core/widget/define-widget.tsx`)}
${providers ? `import { ClientProviders } from ${q(providers)}` : 'const ClientProviders = undefined'}
${widget}
defineWidget(widget, ClientProviders, async () => (await import(${q(registry)})).widgets)
`

const loaderEntry = (tags: readonly string[]) => `
import { start } from ${q(`${root}core/element/loader.ts`)}
export const watch = start(${q(tags)}, import.meta.url)
`

/** How run-time style sheets get past a strict policy of the page; the lock of its scrolling asks for it by webpack's name. */
const nonce = `(document.querySelector('meta[property="csp-nonce"]')?.nonce || undefined)`

type Parts = {
  /** Tags of the registry, in its order. */
  tags: readonly string[]
  /** File that exports `widgets`. */
  registry: string
  /** Code that names the widget of a tag `widget`. */
  widget: (tag: string) => string
  dir: string
  /** File that exports `ClientProviders`, put around every screen. */
  providers?: string
  /** The portal's entry, if it is part of this build. */
  portal?: string
}

/** One graph for everything that runs in a browser: each widget its own entry, the portal one more, chunks shared. */
export const graph = ({
  tags,
  registry,
  widget,
  dir,
  providers,
  portal,
}: Parts): RollupOptions & { output: OutputOptions } => {
  const modules: Record<string, string> = { mkopo: loaderEntry([...tags, ...leaves]) }
  for (const tag of tags) modules[tag] = widgetEntry(widget(tag), registry, providers)
  const input: Record<string, string> = Object.fromEntries(Object.keys(modules).map(name => [name, `virtual:${name}`]))
  for (const leaf of leaves) input[leaf] = `${root}core/element/leaves/${leaf}.ts`
  if (portal) input.portal = portal
  return {
    input,
    output: {
      dir,
      format: 'es',
      entryFileNames: chunk => (chunk.name === 'portal' ? 'portal-[hash].js' : '[name].js'),
      chunkFileNames: 'chunks/[name]-[hash].js',
      manualChunks: chunkOf(),
      onlyExplicitManualChunks: true,
    },
    plugins: [
      replace({
        preventAssignment: true,
        values: {
          'process.env.NODE_ENV': q('production'),
          'process.env.MKOPO_VERSION': q(buildVersion(root)),
          __webpack_nonce__: nonce,
        },
      }),
      virtual(modules),
      useClient(),
      importAgain(),
      radixShadow(),
      radixThemes(),
      noJsonSchemas(),
      cssSheets(),
      resolve({ browser: true, extensions: ['.mjs', '.js', '.ts', '.tsx'], exportConditions: ['production'] }),
      commonjs(),
      json({ compact: true, namedExports: false, preferConst: true }),
      compile(),
      small(),
    ],
    logLevel: 'warn',
    onwarn: warning => {
      const files = warning.ids ?? [warning.id ?? warning.loc?.file ?? '']
      if (!files.every(file => file.includes('node_modules'))) throw new Error(warning.message)
    },
  }
}

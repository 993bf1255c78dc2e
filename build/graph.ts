import { fileURLToPath } from 'node:url'
import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'
import resolve from '@rollup/plugin-node-resolve'
import replace from '@rollup/plugin-replace'
import type { OutputOptions, Plugin, RollupOptions } from 'rollup'
import esbuild from 'rollup-plugin-esbuild'
import { leaveOut, leaveOutUncalled } from './bundle/leave-out.ts'
import { small } from './bundle/minify.ts'
import { cssSheets, importAgain, radixShadow, radixThemes, useClient, virtual } from './bundle/plugins.ts'
import { buildVersion } from './bundle/version.ts'

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
  ['react', /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/],
  ['version', /[\\/]core[\\/]element[\\/](one-)?version\.ts$/],
  ['theme', /virtual:radix-themes/],
  [
    'base',
    /[\\/]core[\\/](i18n[\\/](boot|language)\.ts|i18n[\\/]\w+[\\/]boot\.json|element[\\/](copy|defaults|events|toast)\.ts|ui[\\/]icon-paths\.ts)$/,
  ],
]
const texts = /[\\/]core[\\/]i18n[\\/](\w+)[\\/](?:index\.gen\.ts|\w+\.json|([\w-]+)[\\/]([\w-]+)\.json)$/
/** The words of a language: one chunk for what every screen says, one for the portal, one a noun and one for what the nouns of a system share. */
const wordsOf = (id: string) => {
  const [, language, system, noun] = texts.exec(id) ?? []
  if (!language || !system) return language
  if (system === 'portal') return `${language}-portal`
  return `${language}-${system}-${noun === 'titles' ? 'system' : noun}`
}
const chunkOf = (id: string) => chunks.find(([, modules]) => modules.test(id))?.[0] ?? wordsOf(id)

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
      manualChunks: chunkOf,
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
      leaveOut(),
      leaveOutUncalled(),
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

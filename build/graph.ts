import { fileURLToPath } from 'node:url'
import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'
import resolve from '@rollup/plugin-node-resolve'
import replace from '@rollup/plugin-replace'
import type { GetManualChunk, OutputChunk, OutputOptions, Plugin, RollupOptions } from 'rollup'
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

/** What changes at its own pace, or is wanted without the rest by the loader and the small elements, gets a chunk of its own. */
const chunks: readonly (readonly [name: string, modules: RegExp])[] = [
  ['react', /commonjsHelpers|[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/],
  ['version', /[\\/]core[\\/]element[\\/](one-)?version\.ts$/],
  ['theme', /virtual:radix-themes/],
  [
    'small',
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
const namedChunk = (id: string): string | undefined =>
  chunks.find(([, modules]) => modules.test(id))?.[0] ?? wordsOf(id)

/** What arrives at the same time: a widget's host, the portal, its sign-in, its frame, a list; of several files, what all of them need. */
const together = {
  host: ['virtual:mkopo-audit-my-audit', 'virtual:mkopo-audit-order-management'],
  portal: ['portal/portal.tsx'],
  signIn: ['widgets/portal/login.tsx'],
  frame: ['portal/shell/shell.tsx'],
  list: ['widgets/audit/order-management.tsx', 'widgets/after-loan/loan-management.tsx'],
} as const
type Arriving = keyof typeof together

/** The modules of each part, as far as anything of them is used, and of whatever is no part of the portal: {@link usedBy} finds them. */
export type Used = Readonly<Record<Arriving | 'others', ReadonlySet<string>>>

/**
 * The chunk of a module by what needs it, so that a first page is a few files. Every element loads `base`, every list `list`, the
 * sign-in and the frame of the portal `console`, which nothing else loads: what an element needs besides lies apart from it. A module
 * never lies in a chunk that what it imports does not know of.
 */
const chunkFor = (by: ReadonlySet<keyof Used>): string | null => {
  const shows = by.has('portal') || by.has('signIn')
  if (by.has('host') || (by.has('list') && shows)) return 'base'
  if (by.has('list')) return 'list'
  if (by.has('others')) return null
  if (by.has('portal') || (by.has('signIn') && by.has('frame'))) return 'console'
  if (by.has('signIn')) return 'sign-in'
  return by.has('frame') ? 'frame' : null
}

/** What a page starts with is a file of its own: what imports from it would start it. */
const isEntry = (id: string) => id.startsWith('\0virtual:mkopo') || id === `${root}portal/main.tsx`

/**
 * What each part needs before it runs, by the chunks that Rollup makes when nothing is named: only these know which exports of a
 * module are used, and by whom.
 */
export const usedBy = (chunks: readonly OutputChunk[]): Used => {
  const byName = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
  const closure = (first: readonly (OutputChunk | undefined)[]): ReadonlySet<string> => {
    const seen = new Set<OutputChunk>()
    const add = (chunk: OutputChunk | undefined) => {
      if (!chunk || seen.has(chunk)) return
      seen.add(chunk)
      for (const imported of chunk.imports) add(byName.get(imported))
    }
    for (const chunk of first) add(chunk)
    return new Set([...seen].flatMap(chunk => chunk.moduleIds).filter(id => !isEntry(id)))
  }
  const holding = (file: string) =>
    chunks.find(chunk => chunk.moduleIds.some(id => id === `\0${file}` || id === `${root}${file}`))
  const modulesOf = (file: string) => closure([holding(file)])
  const common = ([first, ...others]: readonly ReadonlySet<string>[]) =>
    new Set([...(first ?? [])].filter(id => others.every(other => other.has(id))))
  const entries = Object.entries(together).map(([name, files]) => [name, common(files.map(modulesOf))])
  const others = chunks.filter(
    ({ facadeModuleId: id }) => id && !id.startsWith(`${root}portal/`) && id !== `${root}${together.signIn[0]}`,
  )
  return { ...Object.fromEntries(entries), others: closure(others) } as Used
}

/** Names the chunk of a module; Rollup decides for those of which nothing is said here. */
export const chunksBy =
  (used: Used): GetManualChunk =>
  id => {
    const named = namedChunk(id)
    if (named) return named
    if (isEntry(id)) return null
    const by = (Object.keys(used) as (keyof Used)[]).filter(name => used[name].has(id))
    return chunkFor(new Set(by))
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
      manualChunks: namedChunk,
      onlyExplicitManualChunks: true,
      plugins: [small()],
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
    ],
    logLevel: 'warn',
    onwarn: warning => {
      const files = warning.ids ?? [warning.id ?? warning.loc?.file ?? '']
      if (!files.every(file => file.includes('node_modules'))) throw new Error(warning.message)
    },
  }
}

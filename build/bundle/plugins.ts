import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { Plugin } from 'rollup'
import { minifyCss, type RadixSheets, radixSheets } from './radix-css.ts'

const sheetModule = (css: string) =>
  `const sheet = new CSSStyleSheet()\nsheet.replaceSync(${JSON.stringify(css)})\nexport default sheet\n`

const themesModule = ({ first, layout }: RadixSheets) => `
const [first, more, layout] = [new CSSStyleSheet(), new CSSStyleSheet(), new CSSStyleSheet()]
first.replaceSync(${JSON.stringify(first)})
layout.replaceSync(${JSON.stringify(layout)})
export default [first, more, layout]
`
const moreModule = ({ more }: RadixSheets) =>
  `import sheets from 'virtual:radix-themes'\nsheets[1].replaceSync(${JSON.stringify(more)})\n`

/**
 * `virtual:radix-themes`: constructable style sheets, the same for every shadow root. What not every list draws is in `virtual:radix-more`, which
 * fills the second of them for all roots at once.
 */
export const radixThemes = (): Plugin => {
  const modules: Record<string, (sheets: RadixSheets) => string> = {
    '\0virtual:radix-themes': themesModule,
    '\0virtual:radix-more': moreModule,
  }
  let sheets: RadixSheets | undefined
  return {
    name: 'radix-themes',
    resolveId: source => (`\0${source}` in modules ? `\0${source}` : null),
    load(asked) {
      const module = modules[asked]
      if (!module) return null
      sheets ??= radixSheets()
      return { code: module(sheets), moduleSideEffects: asked.endsWith('more') }
    },
  }
}

/** A style sheet with those that it imports in their places, and the files it was read from. */
const wholeSheet = (file: string): { css: string; files: string[] } => {
  const files = [file]
  const css = readFileSync(file, 'utf8').replace(/^@import "(\.[^"]+)";$/gm, (_, name: string) => {
    const part = wholeSheet(resolve(dirname(file), name))
    files.push(...part.files)
    return part.css
  })
  return { css, files }
}

/** `import sheet from './some.css?sheet'`: a style sheet of our own, minified, as a `CSSStyleSheet`. */
export const cssSheets = (): Plugin => {
  const prefix = '\0sheet:'
  return {
    name: 'css-sheets',
    resolveId: (source, importer) =>
      source.endsWith('.css?sheet') && importer
        ? `${prefix}${resolve(dirname(importer), source.slice(0, -'.css?sheet'.length))}`
        : null,
    load(id) {
      if (!id.startsWith(prefix)) return null
      const file = `${id.slice(prefix.length)}.css`
      const { css, files } = wholeSheet(file)
      for (const one of files) this.addWatchFile(one)
      return { code: sheetModule(minifyCss(css, file)), moduleSideEffects: false }
    },
  }
}

const patched =
  /[\\/]@radix-ui[\\/]react-(focus-scope|roving-focus|menu|select|dialog|popover|toast|navigation-menu|one-time-password-field|password-toggle-field)[\\/]dist[\\/]index\.m?js$/

const helpers = `const __deepActive = d => { let a = d.activeElement; while (a?.shadowRoot?.activeElement) a = a.shadowRoot.activeElement; return a }
const __kept = new WeakMap()
const __roots = n => { if (!n) return [document]; if (!n.isConnected && __kept.has(n)) return __kept.get(n); const all = []; for (let r = n.getRootNode(); r; r = r.host?.getRootNode()) all.push(r); __kept.set(n, all); return all }
const __hide = (hide, n) => { const undo = __shown(n); for (let r = n.getRootNode(); ; n = r.host, r = n.getRootNode()) { undo.push(r.host ? hide(n, r) : hide(n)); if (!r.host) break } return () => undo.forEach(f => f()) }
const __shown = n => { const all = []; for (let e = n; e; e = e.parentElement ?? e.getRootNode().host) if (e.dataset.ariaHidden) { e.removeAttribute('aria-hidden'); all.push(() => e.dataset.ariaHidden && e.setAttribute('aria-hidden', 'true')) } return all }
`

/**
 * Radix asks `document.activeElement` and `event.target`; inside a shadow root both are the host, so arrow keys, focus traps and `aria-hidden` fail.
 * A trap that ends is taken off the roots that it was put on: by then what it held is in none of them.
 * An overlay above one in another root is shown to assistive technology although that one has hidden whatever is around it.
 * @throws when a module that needs the change no longer matches: look at the new Radix release before pinning it.
 */
export const patchRadix = (code: string, file: string) => {
  let out = code
    .replace(
      /\b(document\d?|ownerDocument|element\d?\.ownerDocument|input\.ownerDocument)\.activeElement\b/g,
      '__deepActive($1)',
    )
    .replace(/return hideOthers\(content\)/g, 'return __hide(hideOthers, content)')
  if (file.includes('react-focus-scope')) {
    out = out
      .replace(/const target = event\.target;/g, 'const target = event.composedPath()[0] ?? event.target;')
      .replace(
        /document\.(add|remove)EventListener\("(focusin|focusout)", (\w+)\)/g,
        '__roots(container).forEach(r => r.$1EventListener("$2", $3))',
      )
  }
  if (out === code) throw new Error(`${file} changed: the shadow root patch no longer applies`)
  return helpers + out
}

export const radixShadow = (): Plugin => ({
  name: 'radix-shadow',
  transform(code, id) {
    const file = id.split('?')[0]!
    return patched.test(file) ? { code: patchRadix(code, file), map: null } : null
  },
})

/** Drops `"use client"`, about which Rollup warns once per module. */
export const useClient = (): Plugin => ({
  name: 'use-client',
  transform: code =>
    /^["']use client["'];?/.test(code) ? { code: code.replace(/^["']use client["'];?/, ''), map: null } : null,
})

/** Modules that exist only in the build: `virtual:<name>` gives the code of that name. */
export const virtual = (modules: Record<string, string>): Plugin => ({
  name: 'virtual',
  resolveId: source => (source.startsWith('virtual:') && source.slice(8) in modules ? `\0${source}` : null),
  load: id => (id.startsWith('\0virtual:') ? (modules[id.slice(9)] ?? null) : null),
})

/** Browsers remember that a module could not be fetched: the next try asks for it by an address of its own. */
export const importAgain = (): Plugin => ({
  name: 'import-again',
  renderDynamicImport: ({ targetModuleId }) =>
    targetModuleId === null
      ? null
      : { left: '(file=>import(file).catch(()=>import(`${file}?again=${Date.now()}`)))(', right: ')' },
})

const zodCore = join(dirname(createRequire(import.meta.url).resolve('zod/package.json')), 'v4/core')
const neverAsked: Readonly<Record<string, string>> = {
  // The limits of a schema, such as its `maxLength`, are read by this one function.
  '../core/json-schema-processors.js': `export { aggregateChecks } from ${JSON.stringify(join(zodCore, 'json-schema-processors.js'))}`,
  '../core/to-json-schema.js':
    'export const createToJSONSchemaMethod = () => undefined\nexport const createStandardJSONSchemaMethod = () => undefined',
  '../locales/en.js': 'export default () => ({})',
}

/**
 * zod makes JSON schemas and says its errors in English; no browser asks for either: our messages are keys of texts. Modules of that name
 * stand in for them, 9 kB compressed.
 */
export const noJsonSchemas = (): Plugin => {
  const prefix = '\0never-asked:'
  return {
    name: 'no-json-schemas',
    resolveId: (source, importer) =>
      source in neverAsked && importer && /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/.test(importer)
        ? prefix + source
        : null,
    load: id =>
      id.startsWith(prefix) ? { code: neverAsked[id.slice(prefix.length)] ?? '', moduleSideEffects: false } : null,
  }
}

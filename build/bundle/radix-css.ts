import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { transform } from 'lightningcss'
import postcss, { type AtRule, type Root, type Rule } from 'postcss'
import { deepen } from './contrast.ts'

/** The colour scales in use; the accent is teal, the neutral slate. */
export const colors = ['gray', 'slate', 'teal', 'blue', 'green', 'amber', 'red', 'orange'] as const

const themes = path.dirname(createRequire(import.meta.url).resolve('@radix-ui/themes/package.json'))
const shipped = (name: string) => path.join(themes, name)

/** A sheet with what it imports of its neighbours, each file once. */
const withImports = (file: string, seen: Set<string>): string => {
  if (seen.has(file)) return ''
  seen.add(file)
  const css = readFileSync(file, 'utf8')
  return css.replace(/@import '(\.[^']+)';/g, (_, next: string) =>
    withImports(path.resolve(path.dirname(file), next), seen),
  )
}

const keep = (rule: Rule, wanted: (selector: string) => boolean) => {
  const left = rule.selectors.filter(wanted)
  if (!left.length) rule.remove()
  else if (left.length < rule.selectors.length) rule.selectors = left
}

/** `:root` never matches inside a shadow tree. */
const rootless = (root: Root) =>
  root.walkRules(rule => {
    if (!rule.selector.includes(':root')) return
    const left = rule.selectors.flatMap(s => {
      if (s.startsWith(':root:where(:has(')) return []
      if (s !== ':root') return [s]
      return rule.selectors.length > 1 ? [] : ['.radix-themes']
    })
    if (left.length) rule.selectors = left
    else rule.remove()
  })

/** What stands for one of many: a colour of the theme by its name, a size by the width of the window. Other colours are not ours, nor are such sizes. */
const smaller = (root: Root) => {
  root.walkAtRules('breakpoints', rule => void rule.replaceWith(rule.nodes ?? []))
  root.walkAtRules('font-face', rule => void rule.remove())
  root.walkAtRules('supports', (rule: AtRule) => void (/display-p3/.test(rule.params) && rule.remove()))
  root.walkAtRules('media', (rule: AtRule) => void (/^\(min-width/.test(rule.params) && rule.remove()))
  const other = new RegExp(`data-(accent|gray)-color=['"]?(?!(${colors.join('|')})\\b)\\w`)
  root.walkRules(rule => keep(rule, s => !other.test(s) || s.includes(':not(')))
}

/** A partner page or the portal may set any font size on `html`. */
const pixels = (root: Root) =>
  root.walkDecls(decl => {
    decl.value = decl.value.replace(/(\d*\.?\d+)rem\b/g, (_, n: string) => `${Number(n) * 16}px`)
  })

/** WCAG AA for soft badges and buttons (text 11 on 3 and 4) and for white text on solid ones (9 and 10). */
const readable = (root: Root) =>
  root.walkRules(rule => {
    const light = rule.selectors.includes('.light')
    if (!light && !rule.selectors.includes('.dark')) return
    const values = new Map<string, string>()
    rule.walkDecls(decl => void values.set(decl.prop, decl.value))
    const put = (prop: string, value: string) => rule.walkDecls(prop, decl => void (decl.value = value))
    for (const color of colors.filter(c => c !== 'gray' && c !== 'slate')) {
      const [four, nine, eleven] = [4, 9, 11].map(n => values.get(`--${color}-${n}`))
      if (!four || !nine || !eleven) continue
      if (light) {
        const text = deepen(eleven, four, 4.6)
        put(`--${color}-11`, text)
        if (text !== eleven) put(`--${color}-a11`, text)
      }
      if (color === 'amber') continue
      const solid = deepen(nine, '#ffffff', 4.6)
      put(`--${color}-9`, solid)
      put(`--${color}-a9`, solid)
      put(`--${color}-10`, deepen(solid, '#ffffff', 5.4))
      put(`--${color}-a10`, deepen(solid, '#ffffff', 5.4))
    }
  })

export const minifyCss = (css: string, filename: string) =>
  transform({
    filename,
    code: Buffer.from(css),
    minify: true,
    targets: { chrome: 120 << 16, safari: 17 << 16, firefox: 121 << 16 },
  }).code.toString()

/** Sheets of Radix Themes as they stand in a shadow root: our colours only, in px, with readable contrast. */
const part = (name: string, css: string) => {
  const root = postcss.parse(css)
  rootless(root)
  smaller(root)
  pixels(root)
  readable(root)
  return minifyCss(root.toString(), `radix-themes-${name}.css`)
}

export type RadixSheets = {
  /** Colours, sizes, and what every list draws. */
  first: string
  /** What dialogs, menus and forms draw. */
  more: string
  /** Spaces and sizes that a source gives a component: they follow the components. */
  layout: string
}

/** The sheets that Radix ships, in its own order: a component that the sources import for the first time joins one of the two. */
const parts = {
  first: 'reset animations layout skeleton spinner scroll-area text badge button callout icon-button select text-field',
  more: 'card checkbox checkbox-group code dialog dropdown-menu heading kbd popover progress radio radio-group segmented-control switch tab-nav table tabs text-area tooltip',
}
const fileOf = (component: string) => shipped(`src/components/${component}.css`)
const filesOf = (components: string) => components.split(' ').map(fileOf)
const tokens = ['tokens/base.css', ...colors.map(color => `tokens/colors/${color}.css`)].map(shipped)
/** The sheet of all components also says how a theme itself is drawn. */
const theme = () => readFileSync(fileOf('index'), 'utf8').replace(/@import [^;]+;/g, '')

/** The style sheet in the three parts that are put over each other in this order. */
export const radixSheets = (): RadixSheets => {
  const seen = new Set<string>()
  const read = (files: readonly string[]) => files.map(file => withImports(file, seen)).join('\n')
  return {
    first: part('first', read([...tokens, ...filesOf(parts.first)]) + theme()),
    more: part('more', read(filesOf(parts.more))),
    layout: part('layout', readFileSync(shipped('utilities.css'), 'utf8')),
  }
}

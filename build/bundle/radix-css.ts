import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { transform } from 'lightningcss'
import postcss, { type AtRule, type Root, type Rule } from 'postcss'
import { deepen } from './contrast.ts'
import { radixUse } from './radix-use.ts'

/** The colour scales in use; the accent is teal, the neutral slate. */
export const colors = ['gray', 'slate', 'teal', 'blue', 'green', 'amber', 'red', 'orange'] as const

const scales = (
  'gray mauve slate sage olive sand amber blue bronze brown crimson cyan gold grass green indigo iris jade lime mint ' +
  'orange pink plum purple red ruby sky teal tomato violet yellow'
).split(' ')
const unused = scales.filter(c => !(colors as readonly string[]).includes(c)).join('|')

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

const smaller = (root: Root) => {
  root.walkAtRules('font-face', rule => void rule.remove())
  root.walkAtRules('supports', (rule: AtRule) => void (/display-p3/.test(rule.params) && rule.remove()))
  root.walkAtRules('media', (rule: AtRule) => void (/^\(min-width/.test(rule.params) && rule.remove()))
  root.walkDecls(new RegExp(`^--(${unused})-`), decl => void decl.remove())
  const other = new RegExp(`data-(accent|gray)-color='?"?(${unused})['"\\]]`)
  root.walkRules(rule => keep(rule, s => !other.test(s) || s.includes(':not(')))
}

const inKeyframes = (rule: Rule) => rule.parent?.type === 'atrule' && (rule.parent as AtRule).name.endsWith('keyframes')

const withoutUnplayed = (root: Root) => {
  const played: string[] = []
  root.walkDecls(/^animation(-name)?$/, decl => void played.push(decl.value))
  root.walkAtRules(/keyframes$/, rule => void (played.join().includes(rule.params) || rule.remove()))
}

/** Rules that match nothing that the sources draw; then the animations and values, our scales apart, that nobody asks for any more. */
const unasked = (root: Root) => {
  const { matches, names } = radixUse()
  root.walkRules(rule => void (inKeyframes(rule) || keep(rule, matches)))
  const ours = new RegExp(`^--(${colors.join('|')})-`)
  for (let before = ''; before !== root.toString(); ) {
    before = root.toString()
    const read = new Set([...before.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))
    root.walkDecls(/^--/, decl => {
      if (!read.has(decl.prop) && !ours.test(decl.prop) && !names(decl.prop)) decl.remove()
    })
    withoutUnplayed(root)
  }
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

const withoutEmpty = (root: Root) => {
  for (let depth = 0; depth < 3; depth++) {
    root.walk(
      node => void ((node.type === 'rule' || node.type === 'atrule') && node.nodes?.length === 0 && node.remove()),
    )
  }
}

export const minifyCss = (css: string, filename: string) =>
  transform({
    filename,
    code: Buffer.from(css),
    minify: true,
    targets: { chrome: 120 << 16, safari: 17 << 16, firefox: 121 << 16 },
  }).code.toString()

/** Radix Themes' style sheet for shadow roots: our colours only, in px, with readable contrast. */
const radixRoot = () => {
  const root = postcss.parse(
    readFileSync(createRequire(import.meta.url).resolve('@radix-ui/themes/styles.css'), 'utf8'),
  )
  rootless(root)
  smaller(root)
  unasked(root)
  pixels(root)
  readable(root)
  withoutEmpty(root)
  return root
}

export type RadixSheets = {
  /** Colours, sizes, and what every list draws. */
  first: string
  /** What dialogs, menus and forms draw. */
  more: string
  /** Spaces and sizes that a source gives a component: they follow the components. */
  layout: string
}

/** The style sheet in the three parts that are put over each other in this order. */
export const radixSheets = (): RadixSheets => {
  const { isMore } = radixUse()
  const root = radixRoot()
  const partOf = (selector: string): keyof RadixSheets => {
    if (/\.-?rt-r-/.test(selector) && !/\.rt-[A-Z]/.test(selector)) return 'layout'
    return isMore(selector) ? 'more' : 'first'
  }
  const part = (name: keyof RadixSheets) => {
    const own = root.clone()
    own.walkRules(rule => void (inKeyframes(rule) || keep(rule, selector => partOf(selector) === name)))
    withoutUnplayed(own)
    withoutEmpty(own)
    return minifyCss(own.toString(), `radix-themes-${name}.css`)
  }
  return { first: part('first'), more: part('more'), layout: part('layout') }
}

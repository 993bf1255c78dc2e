import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { contrast } from './contrast.ts'
import { colors, radixSheets } from './radix-css.ts'

const { first, more, layout } = radixSheets()
const css = first + more + layout
const full = (hex: string) => (hex.length === 4 ? `#${[...hex.slice(1)].map(c => c + c).join('')}` : hex)
/** The first definition is the light theme's, the last the dark one's. */
const token = (name: string, theme: 'light' | 'dark') => {
  const all = [...css.matchAll(new RegExp(`--${name}:(#[0-9a-f]{3,6})[;}]`, 'g'))].map(m => full(m[1]!))
  expect(all.length, name).toBe(2)
  return all[theme === 'light' ? 0 : 1]!
}

it.each(colors.flatMap(color => [['light', color] as const, ['dark', color] as const]))(
  '%s %s: soft text is readable',
  (theme, color) => {
    for (const step of [3, 4])
      expect(contrast(token(`${color}-11`, theme), token(`${color}-${step}`, theme))).toBeGreaterThan(4.5)
  },
)

it.each(['teal', 'blue', 'green', 'red', 'orange'])('white on solid %s is readable, hovered too', color => {
  for (const theme of ['light', 'dark'] as const) {
    for (const step of [9, 10]) expect(contrast(token(`${color}-${step}`, theme), '#ffffff')).toBeGreaterThan(4.5)
  }
})

it('has nothing that a shadow tree or a host page could spoil', () => {
  expect(css).not.toMatch(/:root|@font-face|[0-9]rem\b|display-p3|min-width:(520|768|1024|1280|1640)px/)
  expect(css).toContain('.dark')
})

it('brings dialogs, menus and forms only when they are drawn', () => {
  expect(first).toContain('.rt-Button')
  for (const late of ['.rt-SwitchRoot', '.rt-BaseDialogContent', '.rt-PopoverContent', '.rt-BaseTabList']) {
    expect(first).not.toContain(late)
    expect(more).toContain(late)
  }
  expect(more).not.toMatch(/(^|[,}])\.rt-Button/)
  expect(first + more).not.toMatch(/\.rt-r-m[btlrxy]?-/)
  expect(layout).toContain('.rt-r-mb-')
})

const ui = fileURLToPath(new URL('../../core/ui/', import.meta.url))
const imported = (text: string) =>
  [...text.matchAll(/\{([^{}]*)\} from '@radix-ui\/themes'/g)].flatMap(
    ([, names = '']) => names.match(/\b[A-Z]\w+/g) ?? [],
  )
/** They draw nothing of their own, or what every theme brings. */
const unstyled = ['Radix', 'Slot', 'ThemeContext', 'VisuallyHidden']
const styled = (text: string) => imported(text).filter(name => !unstyled.includes(name))

it('has the sheet of every component that the sources import, in the part that comes with it', () => {
  const files = readdirSync(ui, { recursive: true, encoding: 'utf8' }).filter(file => /\.tsx?$/.test(file))
  const all = files.flatMap(file => styled(readFileSync(ui + file, 'utf8')))
  expect(all.length).toBeGreaterThan(20)
  const drawn = (sheet: string, name: string) => new RegExp(`\\.rt-(Base)?${name}`).test(sheet)
  expect(all.filter(name => !drawn(css, name))).toEqual([])
  expect(styled(readFileSync(`${ui}basics.ts`, 'utf8')).filter(name => !drawn(first, name))).toEqual([])
})

it('keeps each step of the accent and of the neutral', () => {
  for (let step = 1; step <= 12; step += 1)
    for (const scale of ['accent', 'accent-a', 'gray', 'gray-a'])
      expect(first).toContain(`--${scale.replace(/([a-z])$/, scale.endsWith('-a') ? '$1' : '$1-')}${step}:`)
})

it('stays small', () => {
  expect(gzipSync(first + layout, { level: 9 }).length).toBeLessThan(20 * 1024)
  expect(gzipSync(css, { level: 9 }).length).toBeLessThan(30 * 1024)
})

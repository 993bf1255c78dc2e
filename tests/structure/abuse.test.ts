import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../build/graph.ts'

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map(file => path.join(folder, file))
const sources = ['core', 'widgets', 'portal'].flatMap(filesIn)
const having = (pattern: RegExp, left: readonly string[] = []) =>
  sources.filter(file => !left.includes(file) && pattern.test(readFileSync(path.join(root, file), 'utf8')))

it('C8: nothing listens to messages of other windows, or sends them any', () => {
  expect(having(/(window|globalThis|self|parent|opener|top)\.(postMessage|addEventListener\('message')/)).toEqual([])
  // A thread of our own, which no page can address.
  expect(having(/postMessage\(|addEventListener\('message'/, ['core/client/files/file-hash.ts'])).toEqual([])
})

it('C16: no global is read by a name that an id of the page could take', () => {
  expect(having(/\b(window|document|globalThis)\.mkopo\b|\bwindow\['mkopo/i)).toEqual([])
})

it('J2, J5, J7: no text is set as markup, and none is written into a page', () => {
  expect(having(/dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write/)).toEqual([])
})

it('J6: no style is made of what people type', () => {
  expect(having(/style=\{\{[^}]*(value|text|label|name)\.(zh|en|sw|content)/)).toEqual([])
})

it('J8: charts are drawn by ourselves, by no library that takes labels as markup', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const names = Object.keys({ ...dependencies, ...devDependencies })
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter(name => /chart|plot|vega|highcharts|d3$|apex|recharts|visx|nivo/i.test(name))).toEqual([])
})

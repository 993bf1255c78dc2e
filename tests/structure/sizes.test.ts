import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, it } from 'vitest'
import { root } from '../../build/graph.ts'

const parts = ['core', 'widgets', 'portal', 'server', 'build', 'bench', 'stories', 'tests', 'examples']
const inFolder = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : inFolder(name)
    return [name]
  })
const all = parts.flatMap(inFolder)
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Tests, their facts and kits, and the processes that play the other side: a suite is one function by nature. */
const ofTests =
  /\.(test|facts|stories)\.|-fixture\.ts$|^(stories|tests|examples)\/|^server\/(testing|simulators|gateways\/cases)\//
const isCode = (file: string) => /\.(tsx?|mts|mjs)$/.test(file) && !/\.gen\./.test(file)
const product = all.filter(file => isCode(file) && !ofTests.test(file))

/** Functions that are nothing but a table: of cases, of modules. */
const tables = ['bench/million-cases.ts cases', 'server/systems/systems.ts modules']
/** Files that are nothing but a table of data: one entry for each screen. */
const data = ['core/contract/routes.ts']
const most = { functionLines: 60, fileLines: 400, folderFiles: 25 }

type Node = {
  type?: string
  start: number
  end: number
  id?: { name?: string }
  key?: { name?: string }
  body?: unknown
}
const isFunction = (node: Node) =>
  /^(Arrow)?Function(Expression|Declaration)?$|^ArrowFunctionExpression$/.test(node.type ?? '')
const lineCount = (text: string, { start, end }: Node) => text.slice(start, end).split('\n').length

/** Functions of a file with more lines than one may have, by the name next to them. */
const longIn = (file: string): string[] => {
  const text = textOf(file)
  const found: string[] = []
  const walk = (node: unknown, near: string) => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const one of node) walk(one, near)
      return
    }
    const own = node as Node
    const name = own.id?.name ?? own.key?.name ?? near
    if (isFunction(own) && own.body && lineCount(text, own) > most.functionLines) found.push(`${file} ${name}`)
    for (const [key, part] of Object.entries(node)) if (key !== 'type') walk(part, name)
  }
  walk(parseSync(file, text).program, '')
  return found
}

it('no function is longer than 60 lines', () => {
  expect(product.length).toBeGreaterThan(900)
  expect(product.flatMap(longIn).filter(name => !tables.includes(name))).toEqual([])
})

it('no file is longer than 400 lines, and no folder holds more than 25', () => {
  const sheets = all.filter(file => file.endsWith('.css'))
  const measured = [...product, ...sheets].filter(file => !data.includes(file))
  expect(measured.filter(file => textOf(file).trimEnd().split('\n').length > most.fileLines)).toEqual([])
  const counts = new Map<string, number>()
  for (const file of all) counts.set(path.posix.dirname(file), (counts.get(path.posix.dirname(file)) ?? 0) + 1)
  counts.delete('server/db/migrations')
  expect([...counts].filter(([, count]) => count > most.folderFiles)).toEqual([])
})

import { readdirSync } from 'node:fs'
import type { ReactElement } from 'react'
import { expect, it, vi } from 'vitest'
import { sample } from '../core/contract/sample.ts'
import type { CallAction, Listed, ListScreen, Screen } from '../core/engine/screen.ts'
import type { Row } from '../core/engine/table/columns.ts'
import { isKey, text } from '../core/i18n/server.ts'

type Drawn = ReactElement<{
  screen?: ListScreen<Listed>
  /** Of a tree: its rows as those of a list. */
  list?: Listed
  actions?: Record<string, readonly CallAction<never>[]>
}>

// Style sheets are made where a component's file is loaded; here nothing is drawn.
vi.stubGlobal(
  'CSSStyleSheet',
  class {
    replaceSync() {}
  },
)
const { inputOf } = await import('../core/engine/form/ask/asked.ts')
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(file =>
  file.endsWith('.tsx'),
)
const loaded: { default?: Screen }[] = await Promise.all(
  files.map(file => import(/* @vite-ignore */ `${import.meta.dirname}/${file}`)),
)
const screens = loaded.flatMap(file => file.default ?? [])
const lists = screens
  .map(one => (one.render() as Drawn).props)
  .flatMap(({ screen, list, actions }) =>
    screen && actions ? [{ screen: list ? { ...screen, list } : screen, actions }] : [],
  )

const asked = lists.flatMap(({ screen, actions }) =>
  Object.values(actions)
    .flat()
    .flatMap(({ confirm }) => (typeof confirm === 'string' ? [{ confirm, row: screen.list.row.shape }] : [])),
)

const commands = lists.flatMap(({ screen, actions }) =>
  Object.entries(actions).flatMap(([place, some]) =>
    some.flatMap(action =>
      'run' in action ? [{ place, path: action.run.path as string, action: action as CallAction<Row>, screen }] : [],
    ),
  ),
)

it('finds the commands of the lists', () => {
  expect(commands.length).toBeGreaterThan(20)
})

it.each(commands)('$path is given what it takes by what was pressed in $place', ({ place, action, screen }) => {
  const rows = place === 'toolbar' ? [] : [sample(screen.list.row) as Row]
  const issues = action.run.input.safeParse(inputOf(action, rows, screen.rowKey)).error?.issues ?? []
  const asked: readonly unknown[] = action.ask ?? []
  expect(issues.filter(({ path }) => !asked.includes(path[0]))).toEqual([])
})

it('asks on every list that acts', () => {
  expect(lists.length).toBeGreaterThan(5)
  expect(asked.length).toBeGreaterThan(10)
})

it.each(asked)('$confirm names only what its rows hold', ({ confirm, row }) => {
  expect(isKey(confirm)).toBe(true)
  const named = [...text('zh', confirm).matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  expect(['n', ...Object.keys(row)]).toEqual(expect.arrayContaining(named))
})

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { routes } from '../core/contract/routes.ts'
import { filesOf, generated, purposeOf, storyFile, writeStories } from './generate.ts'
import { states } from './states.ts'

const root = new URL('..', import.meta.url).pathname
const registry = readFileSync(path.join(root, 'widgets/registry.ts'), 'utf8')

it('finds the file of every tag in the registry', () => {
  expect(Object.keys(filesOf(registry)).sort()).toEqual(routes.map(route => route.tag).sort())
})

it('takes the sentence above a screen as its purpose, and every screen has one', () => {
  expect(purposeOf('/** Other. */\nconst a = 1\n\n/**\n * Two\n * lines.\n */\nexport default a')).toBe('Two lines.')
  expect(purposeOf('/** First. */\nconst a = 1\n/** Second. */\nconst b = 2\nexport default a')).toBe('First.')
  expect(purposeOf('export default a')).toBe('')
  for (const [tag, file] of Object.entries(filesOf(registry)))
    expect(purposeOf(readFileSync(path.join(root, 'widgets', file), 'utf8')), tag).toMatch(/^[A-Z].+\.$/)
})

it('spells out the stories of a screen', () => {
  const file = storyFile({ tag: 'mkopo-a', title: 'A/B', purpose: "The auditor’s and Ann's." })
  for (const state of states) expect(file).toContain(`export const ${state} = screenStory('mkopo-a', '${state}')`)
  expect(file).toContain(`title: 'A/B'`)
  expect(file).toContain(`Ann\\'s`)
})

it('writes one file per screen and nothing else', () => {
  writeStories()
  expect(readdirSync(generated).sort()).toEqual(
    [...routes.map(route => `${route.tag}.stories.ts`), 'purposes.json'].sort(),
  )
})

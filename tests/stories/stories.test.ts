import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Language, languages } from '../../core/i18n/language.ts'
import { filesOf } from '../../stories/generate.ts'
import { browserOfProcess } from '../browser.ts'
import { changedFiles, sayLeftOut, shuffled } from '../sampling.ts'
import { isFull } from '../sizes.ts'
import { type Lane, lane } from './lane.ts'
import { look } from './look.ts'
import { built } from './site.ts'

type Entry = { id: string; type: string; title: string; name: string; importPath: string }
const { entries } = JSON.parse(readFileSync(path.join(built, 'index.json'), 'utf8')) as {
  entries: Record<string, Entry>
}
const stories = Object.values(entries).filter(entry => entry.type === 'story')
const screens = stories.filter(story => story.name === 'Default' && story.importPath.includes('.cache/stories'))
const tagOf = ({ importPath }: Entry) => /\.cache\/stories\/(.+)\.stories\.ts$/.exec(importPath)?.[1]

const files = filesOf(readFileSync('widgets/registry.ts', 'utf8'))
/** What draws a list is tested on parts and on a few lists; the others are drawn once. */
const isList = (tag: string) =>
  /export default (listScreen|tabbed|configScreen)\b/.test(readFileSync(path.join('widgets', files[tag]!), 'utf8'))
const isChanged = (tag: string) => changedFiles().includes(path.posix.join('widgets', files[tag]!))

const whole = 3
const lists = shuffled('stories', Object.keys(files).filter(isList), tag => tag)
const once = new Set(isFull ? [] : lists.slice(whole).filter(tag => !isChanged(tag)))
if (once.size) sayLeftOut('stories', `states and languages of ${once.size} of ${lists.length} lists, drawn once each`)
const isWhole = (story: Entry) => !once.has(tagOf(story) ?? '')
/** Each of the others in one of the languages. */
const inTurn = (language: Language) => (story: Entry) =>
  isWhole(story) || languages[[...once].indexOf(tagOf(story)!) % languages.length] === language

const shown: [Language, readonly Entry[]][] = [
  ['zh', [...stories.filter(isWhole), ...screens.filter(story => !isWhole(story) && inTurn('zh')(story))]],
  ['en', screens.filter(inTurn('en'))],
  ['sw', screens.filter(inTurn('sw'))],
]

const site = inject('site')
const shots = process.env.SHOTS
const idle: Promise<Lane>[] = []
/** A story that ran out of time still holds its lane: the next one gets another. */
const another = async () => lane(await browserOfProcess(), site)

beforeAll(async () => {
  const browser = await browserOfProcess()
  for (let n = 0; n < 3; n++) idle.push(lane(browser, site))
})
afterAll(async () => {
  for (const one of idle) await (await one).close()
})

/** Where the server fails or refuses, the widget says so, and the browser adds a line of its own. */
const expected = (story: Entry) => (line: string) =>
  /--(failing|offline|forbidden|signed-out)$/.test(story.id) &&
  /Failed to load resource|mkopo-error (server|network|forbidden|session)/.test(line)

it('has a story of every screen', () => {
  expect(screens.length).toBeGreaterThan(0)
})

for (const [language, some] of shown) {
  describe.concurrent(language, () => {
    it.each(some)('$title: $name', async story => {
      const mine = idle.shift() ?? another()
      try {
        const { page, trouble } = await (await mine).open(story.id, language)
        const seen = await look(page)
        if (shots) await page.screenshot({ path: `${shots}/${story.id}.${language}.png`, fullPage: true })
        expect([...trouble.filter(line => !expected(story)(line)), ...seen]).toEqual([])
      } finally {
        idle.push(mine)
      }
    })
  })
}

import { existsSync, statSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { routes } from '../../core/contract/routes.ts'
import { purposes } from '../../stories/docs/words.ts'
import { browserOfProcess } from '../browser.ts'
import { lane } from './lane.ts'

const fileOf = (tag: string) => `docs/screens/${tag}.jpg`
type Entry = { id: string; name: string; importPath: string }

/** Takes pictures of the screens' docs from their first stories. */
const take = async (tags: readonly string[]) => {
  const { entries } = (await (await fetch(`${inject('site')}/index.json`)).json()) as { entries: Record<string, Entry> }
  const pictures = await lane(await browserOfProcess(), inject('site'), 0.7)
  for (const tag of tags) {
    const isFirst = (one: Entry) => one.importPath.endsWith(`/${tag}.stories.ts`) && one.name === 'Default'
    const story = Object.values(entries).find(isFirst)
    const { page } = await pictures.open(story?.id ?? tag, 'en')
    await page.screenshot({ path: fileOf(tag), type: 'jpeg', quality: 62 })
  }
  await pictures.close()
}

test('every screen has a purpose in each language and a small picture; `PICTURES=1` takes them again, `PICTURES=new` those that there are not', async () => {
  const { PICTURES } = process.env
  const tags = routes.map(({ tag }) => tag)
  if (PICTURES) await take(PICTURES === 'new' ? tags.filter(tag => !existsSync(fileOf(tag))) : tags)
  for (const { tag } of routes) {
    for (const language of ['zh', 'sw'] as const) expect(purposes[language][tag], `${language} ${tag}`).toMatch(/\S/)
    expect(statSync(fileOf(tag)).size, tag).toBeLessThan(60_000)
  }
}, 300_000)

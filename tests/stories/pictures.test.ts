import { statSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { routes } from '../../core/contract/routes.ts'
import { purposes } from '../../stories/docs/words.ts'
import { browserOfProcess } from '../browser.ts'
import { lane } from './lane.ts'

const fileOf = (tag: string) => `docs/screens/${tag}.jpg`
type Entry = { id: string; name: string; importPath: string }

/** Takes the pictures of the screens' docs from their first stories. */
const take = async () => {
  const { entries } = (await (await fetch(`${inject('site')}/index.json`)).json()) as { entries: Record<string, Entry> }
  const pictures = await lane(await browserOfProcess(), inject('site'), 0.7)
  for (const { tag } of routes) {
    const isFirst = (one: Entry) => one.importPath.endsWith(`/${tag}.stories.ts`) && one.name === 'Default'
    const story = Object.values(entries).find(isFirst)
    const { page } = await pictures.open(story?.id ?? tag, 'en')
    await page.screenshot({ path: fileOf(tag), type: 'jpeg', quality: 62 })
  }
  await pictures.close()
}

test('every screen has a purpose in each language and a small picture; `PICTURES=1` takes them again', async () => {
  if (process.env.PICTURES) await take()
  for (const { tag } of routes) {
    for (const language of ['zh', 'sw'] as const) expect(purposes[language][tag], `${language} ${tag}`).toMatch(/\S/)
    expect(statSync(fileOf(tag)).size, tag).toBeLessThan(60_000)
  }
}, 300_000)

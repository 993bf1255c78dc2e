import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { commonFields } from '../../build/bundle/manifest.ts'
import { codes } from '../../core/contract/codes.ts'
import { routes } from '../../core/contract/routes.ts'
import { aboutEvents } from '../../core/element/about.ts'
import { kebab } from '../../core/element/properties.ts'
import { browserOfProcess } from '../browser.ts'

const site = inject('site')
type Entry = { id: string; type: string; title: string }

type Said = { text: string; trouble: string[] }

let page: Page
let guides: Entry[]
let trouble: string[]
beforeAll(async () => {
  page = await (await browserOfProcess()).newPage()
  page.on('pageerror', error => trouble.push(error.message))
  const { entries } = (await (await fetch(`${site}/index.json`)).json()) as { entries: Record<string, Entry> }
  guides = Object.values(entries).filter(({ title }) => title.startsWith('Embedding/'))
})
afterAll(() => page?.context().close())

const known = new Map<string, Said>()
/** What stands on a page of the docs, and what went wrong meanwhile; each is opened once. */
const read = async (id: string): Promise<Said> => {
  const before = known.get(id)
  if (before) return before
  trouble = []
  await page.goto(`${site}/iframe.html?viewMode=docs&id=${id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const folded = page.locator('details')
  for (const one of await folded.all()) {
    expect(await one.evaluate(details => (details as HTMLDetailsElement).open)).toBe(false)
    await one.locator('summary').click()
  }
  const said = { text: await page.locator('#storybook-docs').innerText(), trouble }
  known.set(id, said)
  return said
}
const guide = async (name: string) => {
  const found = guides.find(({ title }) => title.endsWith(name))
  if (!found) throw new Error(`no guide ${name}`)
  return (await read(found.id)).text
}

test('every guide is drawn without an error', async () => {
  expect(guides.map(({ title }) => title.replace(/^\D+\d+ /, ''))).toEqual([
    'A plain page',
    'React',
    'Vue',
    'A CRM page',
    'A call centre',
    'Tokens and origins',
    'Content security policy',
    'The look',
    'Events',
    'Errors',
  ])
  for (const { id } of guides) expect((await read(id)).trouble, id).toEqual([])
})

test('guides name every attribute, property, event, code and element', async () => {
  const plain = await guide('A plain page')
  for (const { name, attribute } of commonFields) expect(plain).toContain(attribute ? kebab(name) : name)
  expect(plain).toContain('url-state="audits"')
  const events = await guide('Events')
  for (const name of Object.keys(aboutEvents)) expect(events).toContain(name)
  const errors = await guide('Errors')
  for (const code of Object.values(codes)) expect(errors).toContain(String(code))
  const tokens = await guide('Tokens and origins')
  for (const { tag } of routes.filter(route => route.system !== 'Index')) expect(tokens).toContain(tag)
  expect(tokens).not.toContain('mkopo-portal-login')
})

test('the docs of an element name its purpose, attributes, properties, events, calls and permissions', async () => {
  const { text, trouble } = await read('credit-review-my-audit--docs')
  expect(trouble).toEqual([])
  expect(text.indexOf('own queue, oldest first')).toBeLessThan(text.indexOf('base-url'))
  for (const word of ['audit:self:page', '/api/hc/web/', 'base-url', 'fetchToken', 'mkopo-token-expired'])
    expect(text).toContain(word)
})

const inLanguage = (id: string, language: string) =>
  page.goto(`${site}/iframe.html?viewMode=docs&id=${id}&globals=language:${language}`)

test.each([
  ['zh', '从这里开始', '审核员自己的队列'],
  ['en', 'Start here', 'own queue, oldest first'],
  ['sw', 'Anzia hapa', 'Foleni ya mkaguzi mwenyewe'],
])('the first page leads to every screen, in %s', async (language, title, purpose) => {
  trouble = []
  await inLanguage('start-here--docs', language)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  expect(trouble).toEqual([])
  const links = page.getByRole('table').getByRole('link')
  expect(await links.count()).toBe(routes.length)
  await page.getByRole('row').filter({ hasText: purpose }).waitFor()
  const { entries } = (await (await fetch(`${site}/index.json`)).json()) as { entries: Record<string, Entry> }
  const targets = await links.evaluateAll(all => all.map(link => new URL((link as HTMLAnchorElement).href).search))
  for (const target of targets) expect(entries).toHaveProperty([target.replace('?path=/docs/', '')])
})

test('the docs of a screen begin with its purpose and picture, in the language of the toolbar', async () => {
  await inLanguage('credit-review-my-audit--docs', 'sw')
  await page.getByRole('heading', { level: 1, name: 'Tathmini zangu' }).waitFor()
  await page.getByText('Foleni ya mkaguzi mwenyewe').first().waitFor()
  const picture = page.getByRole('img', { name: 'Picha ya ukurasa “Tathmini zangu”' })
  await expect.poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(400)
  await page.getByRole('heading', { name: 'Hakuna ruhusa' }).waitFor()
})

test('controls change the properties of a part', async () => {
  await page.goto(`${site}/iframe.html?viewMode=story&id=parts-button--with-controls&args=label:Settle;disabled:!true`)
  await expect.poll(() => page.getByRole('button', { name: 'Settle' }).isDisabled()).toBe(true)
})

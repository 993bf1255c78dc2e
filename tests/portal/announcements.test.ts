import { expect, test } from 'vitest'
import { system } from '../../server/rights/actor.ts'
import {
  type Announcement,
  draftAnnouncement,
  lockAnnouncement,
  publishAnnouncement,
} from '../../server/systems/operation/announcement/store.ts'
import { violations } from './axe.ts'
import { consoleForTests } from './console.ts'

const at = consoleForTests()

/** An announcement to the department of the reader, from now on. */
const say = (title: string, o: { needRead?: boolean } = {}) =>
  at.fixture.db.withTx(async tx => {
    const contents = { en: `<p>${title}: <b>read</b> <a href="https://mkopo.example/x">the page</a></p>` }
    const startTime = new Date(tx.now.getTime() - 1000)
    const no = await draftAnnouncement(tx, { titles: { en: title }, contents, startTime, ...o }, system('test'))
    await publishAnnouncement(tx, (await lockAnnouncement(tx, no)) as Announcement, system('test'))
  })

test('an announcement shows at Home and in the message center, and is read when it is opened', async () => {
  const page = await at.home(await at.staff(['MyAudit']))
  await say('New rates')
  const list = page.getByRole('region', { name: 'Announcements' })
  const entry = list.getByRole('listitem').filter({ hasText: 'New rates' })
  await entry.getByText('unread').waitFor()
  await page.getByRole('button', { name: 'Message centre, 1 unread' }).waitFor()
  await entry.getByRole('button').click()
  const drawer = page.getByRole('dialog', { name: 'New rates' })
  const link = drawer.getByRole('link', { name: 'the page' })
  expect(await link.getAttribute('href')).toBe('https://mkopo.example/x')
  expect(await link.getAttribute('rel')).toContain('noopener')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => entry.getByText('unread').count()).toBe(0)
  await page.getByRole('button', { name: /^Message centre$/ }).click()
  const center = page.getByRole('dialog', { name: 'Message centre' })
  await center.getByRole('tab', { name: 'Announcements' }).click()
  await center.getByRole('button', { name: /New rates/ }).click()
  await center.getByRole('region', { name: 'New rates' }).getByRole('link', { name: 'the page' }).waitFor()
  expect(await violations(page)).toEqual([])
})

test('one that must be read opens by itself when it comes and after the sign-in, and ends only by being read', async () => {
  const person = await at.staff(['MyAudit'])
  const page = await at.home(person)
  await say('Fire drill', { needRead: true })
  const dialog = page.getByRole('dialog', { name: 'Fire drill' })
  await dialog.waitFor({ timeout: 60_000 })
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['I have read this'])
  expect(await violations(page)).toEqual([])
  const later = await at.open(person)
  await later.goto(`${at.url}/AdminContent/Home`)
  await later.getByRole('dialog', { name: 'Fire drill' }).waitFor()
  await dialog.getByRole('button', { name: 'I have read this' }).click()
  await expect.poll(() => dialog.count()).toBe(0)
  await page.reload()
  await page.getByRole('region', { name: 'Announcements' }).getByText('Fire drill').waitFor()
  expect(await dialog.count()).toBe(0)
})

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { loan } from '../../../core/contract/after-loan/loan.ts'
import { eatDateTime } from '../../../core/rules/time.ts'
import type { Person } from '../../../server/testing/kit.ts'
import { violations } from '../axe.ts'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()

const opened = async (person: Person) => {
  const page = await at.open(person)
  await page.goto(`${at.url}/AdminContent/AfterLoanSystem/LoanManagement`)
  await page.getByRole('button', { name: 'My imports' }).waitFor()
  return page
}

/** Payouts that nobody has known the end of for half an hour, as rows of a file. */
const unclear = async (n: number) => {
  const { fixture } = at
  const made = []
  for (let one = 0; one < n; one++) made.push(await fixture.sent())
  await fixture.pass(31)
  const time = eatDateTime(fixture.clock.now())
  return made.map(({ loanCode, orderNo }) => ({
    loanCode,
    row: `${loanCode},${orderNo},success,SN-${loanCode},${time}`,
  }))
}
const header = 'Loan code,Order no.,Result,Serial no.,Payout time,Branch'
const file = (...rows: string[]) => ({
  name: 'statement.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from([header, ...rows].join('\r\n')),
})
const chosen = async (page: Page, given: ReturnType<typeof file>) => {
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Import: Released orders' })
  await dialog.getByText('Step 1 of 4').waitFor()
  await page.locator('input[type=file]').setInputFiles(given)
  await dialog
    .getByText(/Uploaded/)
    .first()
    .waitFor()
  return dialog
}

test('a file is brought in four steps, by keyboard too, and its result is fetched', async () => {
  const { fixture } = at
  const [one, two] = await unclear(2)
  const page = await opened(await at.staff(['LoanManagement']))
  const dialog = await chosen(page, file(one!.row, two!.row, 'LC-none,LO-none,success,S1,2026-03-02 10:00', one!.row))
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Check' }).press('Enter')
  await dialog.getByText('Reading the file').waitFor()
  await fixture.worker.drain()
  await dialog.getByText('4 rows: 2 valid · 1 wrong · 1 duplicate').waitFor()
  await dialog.getByText('Step 3 of 4 · statement.csv').waitFor()
  await dialog.getByText('Unrecognised columns ignored: Branch').waitFor()
  const rows = dialog.getByRole('region', { name: 'Rows that will not be imported' }).getByRole('row')
  expect(await rows.nth(1).innerText()).toMatch(/^4\s+LC-none\s+Wrong\s+Record not found$/)
  expect(await rows.nth(2).innerText()).toContain('Loan code: Duplicate of row 2')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Import 2 rows' }).press('Enter')
  await dialog.getByText('0 of 2 rows imported').waitFor()
  await fixture.worker.drain()
  await dialog.getByText('Import success 2, failed 2').waitFor()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download result' }).click()
  expect((await download).suggestedFilename()).toBe('statement result.csv')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Message centre/ }).click()
  const again = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download: Import finished: statement.csv' }).click()
  expect((await again).suggestedFilename()).toBe('statement result.csv')
  expect(await violations(page)).toEqual([])
})

test('the approver of a file sees the outcome of its rows, and opens it', async () => {
  const { fixture } = at
  const [one] = await unclear(1)
  const page = await opened(await at.staff(['LoanManagement']))
  const dialog = await chosen(page, file(one!.row, 'LC-none,LO-none,success,S1,2026-03-02 10:00'))
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByText('Reading the file').waitFor()
  await fixture.worker.drain()
  await dialog.getByRole('button', { name: 'Import 1 row' }).click()
  await dialog.getByText('0 of 1 row imported').waitFor()
  await fixture.worker.drain()
  await dialog.getByText('Import success 1, failed 1').waitFor()

  const other = await at.open(await at.staff(['LoanManagement']))
  await other.goto(`${at.url}/AdminContent/Home?messages=approvals`)
  const center = other.getByRole('dialog', { name: 'Message centre' })
  const request = center.getByRole('region', { name: /^IM/ }).filter({ hasText: 'Import success 1, failed 1' })
  await request.getByRole('row').filter({ hasText: 'LC-none' }).getByText('Record not found').waitFor()
  expect(await violations(other)).toEqual([])
  const download = other.waitForEvent('download')
  await request.getByRole('button', { name: 'Download result: statement.csv' }).click()
  expect((await download).suggestedFilename()).toBe('statement result.csv')
})

test('an import goes on while its page is reloaded, and is found again among the imports', async () => {
  const { fixture } = at
  const [one] = await unclear(1)
  const page = await opened(await at.staff(['LoanManagement']))
  const dialog = await chosen(page, file(one!.row))
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByText('Reading the file').waitFor()
  await page.reload()
  await fixture.worker.drain()
  await page.getByRole('button', { name: 'My imports' }).click()
  const mine = page.getByRole('dialog', { name: 'My imports' })
  await mine.getByText('1 row: 1 valid · 0 wrong · 0 duplicate').waitFor()
  expect(await violations(page)).toEqual([])
  await mine.getByRole('button', { name: 'Continue: statement.csv' }).click()
  await dialog.getByRole('button', { name: 'Import 1 row' }).click()
  await dialog.getByText('0 of 1 row imported').waitFor()
  await page.reload()
  await fixture.worker.drain()
  await page.getByRole('button', { name: 'My imports' }).click()
  await mine.getByText('Import success 1, failed 0').waitFor()
})

test('the same file again is asked about, a wrong one refused with words, and a preview can be given up', async () => {
  const { fixture } = at
  const [one] = await unclear(1)
  const page = await opened(await at.staff(['LoanManagement']))
  const dialog = await chosen(page, file(one!.row))
  await dialog.getByRole('button', { name: 'Check' }).click()
  await fixture.worker.drain()
  await dialog.getByRole('button', { name: 'Import 1 row' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  await chosen(page, file(one!.row))
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'The same file was imported by' }).waitFor()
  await dialog.getByRole('button', { name: 'Import again' }).click()
  await fixture.worker.drain()
  await dialog.getByRole('button', { name: 'Cancel import' }).click()
  await dialog.getByText('The import was cancelled; nothing was changed').waitFor()
  await dialog.getByRole('button', { name: 'Import another file' }).click()
  await page.locator('input[type=file]').setInputFiles({ ...file(), buffer: Buffer.from('a,b\n1,2') })
  await dialog
    .getByText(/Uploaded/)
    .first()
    .waitFor()
  await dialog.getByRole('button', { name: 'Check' }).click()
  await fixture.worker.drain()
  await dialog.getByText('The header lacks: Loan code, Order no., Result').waitFor()
})

test('who may not import has no button, and a template comes in the language of the console', async () => {
  const { fixture } = at
  const person = await at.staff(['LoanManagement'])
  const page = await opened(person)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Import: Released orders' })
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Text table (CSV)' }).click()
  expect((await download).suggestedFilename()).toBe('Released orders.csv')
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'Choose a file' }).waitFor()
  await fixture.without(person, [loan.page.importing!.perm], async () => {
    await page.reload()
    await page.getByRole('button', { name: 'My exports' }).waitFor()
    expect(await page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0)
  })
})

test('J9: what a file says is shown as text in its preview', async () => {
  const { fixture } = at
  const script = '<img src=x onerror=window.hacked=1>'
  const [one] = await unclear(1)
  const page = await opened(await at.staff(['LoanManagement']))
  const given = file(one!.row, `LC-none,LO-none,${script},S9,2026-03-02 10:00,${script}`)
  given.buffer = Buffer.from(given.buffer.toString().replace('Branch', script))
  const dialog = await chosen(page, given)
  await dialog.getByRole('button', { name: 'Check' }).press('Enter')
  await dialog.getByText('Reading the file').waitFor()
  await fixture.worker.drain()
  await dialog.getByRole('region', { name: 'Rows that will not be imported' }).waitFor()
  await dialog.getByText(`Unrecognised columns ignored: ${script}`).waitFor()
  expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
})

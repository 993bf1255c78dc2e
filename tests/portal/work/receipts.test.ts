import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { common } from '../../../core/contract/common/common.ts'
import { text } from '../../../core/i18n/server.ts'
import { eatDateTime } from '../../../core/rules/time.ts'
import { pdfOf } from '../../../server/files/uploads/content/made-files.ts'
import type { Person } from '../../../server/testing/kit.ts'
import { received } from '../../../server/testing/received.ts'
import { violations } from '../axe.ts'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()
const paper = { name: 'statement.pdf', mimeType: 'application/pdf', buffer: Buffer.concat([pdfOf('a statement')]) }
const desk = () => `${at.url}/AdminContent/AfterLoanSystem/RepaymentManagement`

let officer: Person
let orderNo: string
beforeAll(async () => {
  officer = await at.staff(['RepaymentManagement'])
  orderNo = (await at.fixture.disbursed()).orderNo
})

const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
const inMenu = async (page: Page, key: string, action: string) => {
  const row = page.getByRole('row').filter({ hasText: key })
  await row.first().waitFor()
  const direct = row.getByRole('button', { name: action, exact: true })
  if ((await direct.count()) > 0) return direct.first().click()
  await row
    .getByRole('button', { name: /more|actions/i })
    .first()
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}
const flowOf = (serialNo: string) =>
  at.fixture.one<{ flowNo: string; flowStatus: string; proof: string | null }>(
    sql`select flow_no, flow_status, proof from repay_flow where serial_no = ${serialNo}`,
  )

test('a typed receipt is entered from the write-off form, marked where it is incomplete, and confirmed by evidence', async () => {
  const page = await at.open(officer)
  await page.goto(desk())
  const dialog = () => page.getByRole('dialog')
  await inMenu(page, orderNo, 'Write off')
  await dialog().getByRole('button', { name: 'Type a receipt' }).click()
  const code = dialog().getByRole('textbox', { name: /Payment code|Pay code/ })
  await code.fill('')
  await dialog().getByRole('textbox', { name: 'Serial no. 1' }).fill('PAPER1')
  await dialog()
    .getByRole('button', { name: /^Write off/ })
    .click()
  await dialog().getByText(text('en', 'validation.writeOffIncomplete')).waitFor()
  expect(await code.getAttribute('aria-invalid')).toBe('true')
  await shot(page, 'incomplete')

  const { payCode } = (await at.fixture.rowOf('order', orderNo)) as unknown as { payCode: string }
  await code.fill(payCode)
  await dialog().getByRole('textbox', { name: 'Entry time 1' }).fill(eatDateTime(at.fixture.clock.now()).slice(0, 16))
  await dialog().getByText('This trial uses unproven receipts (PAPER1)').waitFor()
  expect(await violations(page)).toEqual([])
  await shot(page, 'unproven')
  await dialog().getByRole('button', { name: 'Enter 1 receipt to be proven' }).click()
  await expect.poll(async () => (await flowOf('PAPER1')).flowStatus).toBe('unproven')
  await dialog().getByRole('button', { name: 'Cancel' }).click()

  await page.goto(`${desk()}?tab=flows`)
  await page.getByRole('button', { name: 'Waiting for proof' }).first().click()
  await inMenu(page, 'PAPER1', 'Ask for confirmation')
  const asked = page.waitForEvent('filechooser')
  await dialog().getByRole('button', { name: 'Choose file' }).click()
  await (await asked).setFiles(paper)
  await dialog().getByRole('status').filter({ hasText: 'Uploaded' }).waitFor()
  await shot(page, 'ask-confirm')
  await dialog().getByRole('button').last().click()
  await dialog().waitFor({ state: 'detached' })
  const { approvalNo } = await at.fixture.one<{ approvalNo: string }>(
    sql`select approval_no from approval where approval_action = 'flow.confirm'`,
  )
  await at.fixture.call(common.approve, { approvalNo, version: 0 }, { as: at.fixture.second })
  expect(await flowOf('PAPER1')).toMatchObject({ flowStatus: 'available', proof: 'person' })
})

test('a receipt without an order is matched from the Receipts tab, and a trial stands by itself', async () => {
  const entryTime = at.fixture.clock.now().toISOString()
  await received(at.fixture.db, { serialNo: 'STRAY1', amount: '15000.00', entryTime, merchantNo: 'M1' })
  const page = await at.open(officer)
  await page.goto(desk())
  const dialog = () => page.getByRole('dialog')
  await inMenu(page, orderNo, 'Trial')
  await dialog()
    .getByText(/Settle.* UGX/)
    .first()
    .waitFor()
  await shot(page, 'trial')
  await dialog().getByRole('button', { name: 'Cancel' }).click()

  await page.goto(`${desk()}?tab=flows`)
  await inMenu(page, 'STRAY1', 'Write off')
  await dialog().getByRole('textbox').fill(orderNo)
  await dialog().getByRole('button', { name: 'Search' }).click()
  await dialog().getByRole('row').filter({ hasText: orderNo }).getByRole('button', { name: 'Write off' }).click()
  await dialog().getByRole('textbox', { name: 'Serial no. 1' }).waitFor()
  expect(await dialog().getByRole('textbox', { name: 'Serial no. 1' }).inputValue()).toBe('STRAY1')
  await dialog().getByRole('radio', { name: 'Partial repayment' }).click()
  await dialog().getByRole('button', { name: 'Write off UGX 15,000' }).click()
  await dialog().waitFor({ state: 'detached' })
  await expect.poll(async () => (await flowOf('STRAY1')).flowStatus).toBe('exhausted')
})

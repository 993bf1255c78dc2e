import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { common } from '../../../core/contract/common/common.ts'
import { pdfOf } from '../../../server/files/uploads/content/made-files.ts'
import { violations } from '../axe.ts'
import { consoleForTests, heldBack, pieces } from '../console.ts'

const at = consoleForTests()
const letter = { name: 'bank-letter.pdf', mimeType: 'application/pdf', buffer: Buffer.concat([pdfOf('a letter')]) }

test('the account of a bank is good to pay once the auditor has shown why and a second person has agreed', async () => {
  const auditor = await at.staff(['OrderAudit', 'MyAudit'])
  const orderNo = await at.fixture.allotted('M1', auditor)
  const page = await at.open(auditor)
  await page.goto(`${at.url}/AdminContent/OrderDetailAudit/OrderAudit?orderNo=${orderNo}`)
  const mark = () => page.getByRole('button', { name: 'Mark as checked' })
  const dialog = () => page.getByRole('dialog')
  const send = 'Send for approval'

  await page.getByRole('button', { name: 'Change payout account' }).click()
  expect(await mark().count()).toBe(0)
  await dialog().getByRole('radio', { name: 'Bank card' }).click()
  await dialog().getByRole('textbox', { name: 'Bank', exact: true }).fill('Stanbic Bank')
  await dialog().getByRole('textbox', { name: 'Bank card no.' }).fill('9030001234567')
  await dialog().getByRole('textbox', { name: 'Payee name' }).fill('Sarah Nakato')
  await dialog().getByRole('button').last().click()
  await dialog().waitFor({ state: 'detached' })

  await mark().click()
  await dialog().getByRole('button', { name: send }).click()
  await dialog().getByText('Please provide complete information').waitFor()
  const arrive = await heldBack(page, pieces)
  const asked = page.waitForEvent('filechooser')
  await dialog().getByRole('button', { name: 'Choose file' }).click()
  await (await asked).setFiles(letter)
  await dialog().getByText(letter.name).waitFor()
  await dialog().getByRole('button', { name: send }).click()
  await dialog().getByText('The file has not been uploaded yet').waitFor()
  arrive()
  await dialog().getByRole('status').filter({ hasText: 'Uploaded' }).waitFor()
  expect(await dialog().getByText('The file has not been uploaded yet').count()).toBe(0)
  expect(await violations(page)).toEqual([])
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/checked.png` })
  await dialog().getByRole('button', { name: send }).click()
  await dialog().waitFor({ state: 'detached' })
  await page.getByText('Accept payout account').waitFor()
  expect(await violations(page)).toEqual([])
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/waiting.png` })
  expect(await mark().isDisabled()).toBe(true)
  const result = () =>
    at.fixture.rows(sql<{ payoutVerify: string }>`select payout_verify from loan_order where order_no = ${orderNo}`)
  expect(await result()).toEqual([{ payoutVerify: 'unavailable' }])

  const { approvalNo } = await at.fixture.one(
    sql<{ approvalNo: string }>`select approval_no from approval where order_no = ${orderNo}`,
  )
  const agreed = await at.fixture.call(common.approve, { approvalNo, version: 0 }, { as: at.fixture.second })
  expect(agreed.code).toBe(0)
  expect(await result()).toEqual([{ payoutVerify: 'accepted' }])
  await page.reload()
  await page.getByText('Accepted by two persons').first().waitFor()
  expect(await mark().count()).toBe(0)
})

test.each([
  ['zh', '展开审核工作区'],
  ['en', 'Open review panel'],
  ['sw', 'Fungua paneli ya tathmini'],
])('in a small window the review panel waits behind a button whose words stand on it (%s)', async (language, name) => {
  const auditor = await at.staff(['OrderAudit', 'MyAudit'])
  const orderNo = await at.fixture.allotted('M1', auditor)
  const page = await at.open(auditor, { viewport: { width: 1259, height: 800 } })
  await page.addInitScript(spoken => localStorage.setItem('language', spoken), language)
  await page.goto(`${at.url}/AdminContent/OrderDetailAudit/OrderAudit?orderNo=${orderNo}`)
  const button = page.getByRole('button', { name })
  const around = await button.boundingBox()
  const words = await button.locator('span').boundingBox()
  if (!around || !words) throw new Error('it is not in sight')
  expect(words.height).toBeGreaterThan(name.length * 5)
  expect(words.y).toBeGreaterThan(around.y)
  expect(words.y + words.height).toBeLessThan(around.y + around.height)
})

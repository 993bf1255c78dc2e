import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { common } from '../../../core/contract/common/common.ts'
import { contract } from '../../../core/contract/contract.ts'
import { text } from '../../../core/i18n/server.ts'
import { pdfOf } from '../../../server/files/uploads/content/made-files.ts'
import { refused } from '../../../server/systems/after-loan/payout/payout-fixture.ts'
import { readyFile } from '../../../server/testing/ready-file.ts'
import { violations } from '../axe.ts'
import { consoleForTests } from '../console.ts'

const { loan } = contract
const at = consoleForTests()
const letter = { name: 'bank-letter.pdf', mimeType: 'application/pdf', buffer: Buffer.concat([pdfOf('a letter')]) }
const desk = '/AdminContent/AfterLoanSystem/LoanManagement'
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
const languages = ['zh', 'en', 'sw'] as const

test.each(languages)('finance asks for an account at a bank in place of a wallet (%s)', async language => {
  const clerk = await at.staff(['LoanManagement'])
  const { loanCode, orderNo } = await at.fixture.sent('M1', refused('payee_invalid'))
  const page = await at.open(clerk, { viewport: { width: 1260, height: 800 } })
  await page.addInitScript(spoken => localStorage.setItem('language', spoken), language)
  const say = (key: Parameters<typeof text>[1]) => text(language, key)
  await page.goto(`${at.url}${desk}?keyword=${loanCode}`)
  await page.getByRole('row').filter({ hasText: loanCode }).waitFor()
  await page
    .getByRole('button', { name: say('common.moreActions') })
    .first()
    .click()
  await page.getByRole('menuitem', { name: say('actions.correctPayee') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: say('dict.PAYOUT_TYPE.bank') }).click()
  const send = dialog.getByRole('button', { name: say('afterLoan.sendForApproval') })
  await send.click()
  await dialog.getByText(say('validation.infoComplete')).first().waitFor()
  await dialog.getByRole('textbox', { name: say('fields.bankName'), exact: true }).fill('Stanbic Bank')
  await dialog.getByRole('textbox', { name: say('fields.bankCardNo') }).fill('9030001234567')
  await dialog.getByRole('textbox', { name: say('fields.cardholderName') }).fill('Sarah Nakato')
  const asked = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: say('file.choose') }).click()
  await (await asked).setFiles(letter)
  await dialog.getByText(letter.name).waitFor()
  await dialog
    .getByRole('status')
    .filter({ hasText: say('file.ready') })
    .waitFor()
  expect(await violations(page)).toEqual([])
  await shot(page, `correct-${language}`)
  await send.click()
  await dialog.waitFor({ state: 'detached' })
  const waits = () =>
    at.fixture.rows(sql<{ approvalAction: string }>`
      select approval_action from approval where object_no = ${loanCode} and approval_status = 'pending'`)
  await expect.poll(waits).toEqual([{ approvalAction: 'payout.correctPayee' }])
  expect(await at.fixture.rows(sql`select payout_type from loan_order where order_no = ${orderNo}`)).toEqual([
    { payoutType: 'wallet' },
  ])
})

test.each(languages)('a second account of one person reads why it does not agree to a payee (%s)', async language => {
  const [clerk, alias] = [await at.staff(['LoanManagement']), await at.staff(['LoanManagement'])]
  for (const { userNo } of [clerk, alias])
    await at.fixture.exec(
      sql`update app_user set phone = ${`25670000${alias.userNo}`.slice(0, 12).padEnd(12, '7')} where user_no = ${userNo}`,
    )
  const { loanCode } = await at.fixture.sent('M1', refused('payee_invalid'))
  const asked = await at.fixture.call(
    loan.userInfo,
    {
      loanCode,
      version: await at.fixture.versionOf('loanCode', loanCode),
      payoutType: 'wallet',
      payoutSubtype: 'mtn',
      walletAccount: '256772888777',
      cardholderName: 'Grace Nakato',
      evidence: await readyFile(at.fixture.db, clerk.userNo),
    },
    { as: clerk },
  )
  expect(asked.code).toBe(0)
  const page = await at.open(alias, { viewport: { width: 1600, height: 900 } })
  await page.addInitScript(spoken => localStorage.setItem('language', spoken), language)
  await page.goto(`${at.url}${desk}?keyword=${loanCode}`)
  await page.getByRole('row').filter({ hasText: loanCode }).getByText(loanCode).click()
  await page.getByText(text(language, 'errors.samePerson.phone')).first().waitFor()
  expect(await page.getByRole('button', { name: text(language, 'actions.approve') }).isDisabled()).toBe(true)
  await shot(page, `same-person-${language}`)
  const { approvalNo } = asked.data
  const third = await at.fixture.call(common.approve, { approvalNo, version: 0 }, { as: at.fixture.second })
  expect(third.data).toMatchObject({ approvalStatus: 'executed' })
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { contract } from '../../../core/contract/contract.ts'
import { pngOf } from '../../../server/files/uploads/content/made-files.ts'
import { writeDictionaries } from '../../../server/systems/user/dictionary/seed.ts'
import { violations } from '../axe.ts'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()
const { maturity } = contract

test('a version is previewed and sent with its numbers, which the second person sees again', async () => {
  const path = `${at.url}/AdminContent/MerchantSystem/MaturityConfigManagement`
  const [maker, checker] = [await at.staff(['MaturityConfigManagement']), await at.staff(['MaturityConfigManagement'])]
  const terms = { dueShift: 'none', reminderPlan: [], extensionFromDay: -1, extensionToDay: 2, merchantNo: 'M1' }
  const { key } = at.fixture.must(await at.fixture.call(maturity.save, terms as never, { as: maker }))
  const page = await at.open(maker)
  await page.goto(`${path}?open=${key}`)
  const drawer = page.getByRole('dialog', { name: String(key) })
  await drawer.getByRole('tab', { name: 'Preview' }).click()
  await drawer.getByText(/Draft · MV/).waitFor()
  await drawer.getByRole('tab', { name: 'Versions' }).click()
  await drawer.getByText(/^Open instalments: 0/).waitFor()
  expect(await violations(page)).toEqual([])
  await drawer.getByRole('button', { name: 'Submit for approval' }).click()
  const asked = page.getByRole('dialog', { name: 'Submit for approval' })
  await asked.getByText(/Open instalments: 0.*as soon as it is approved/s).waitFor()
  await asked.getByRole('textbox', { name: 'Reason' }).fill('As agreed')
  await asked.getByRole('button', { name: 'Submit for approval' }).click()
  await asked.waitFor({ state: 'detached' })

  const second = await at.open(checker)
  await second.goto(`${path}?open=${key}`)
  const change = second.getByRole('dialog', { name: String(key) })
  await change.getByText(/^Open instalments: 0/).waitFor()
  await change.getByText('Due-date shift: No shift').waitFor()
  const waiting = second.locator('.mk-counter')
  await expect.poll(() => waiting.allTextContents()).toEqual(['1'])
  await change.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect
    .poll(() =>
      at.fixture.rows(
        sql`select 1 from maturity_config_version where maturity_no = ${key} and version_status = 'effective'`,
      ),
    )
    .toHaveLength(1)
  await expect.poll(() => waiting.count()).toBe(0)
})

test('labels are changed in their column, with Tab from row to row', async () => {
  await at.fixture.db.withTx(writeDictionaries)
  const page = await at.open(await at.staff(['DataDictionary']))
  await page.goto(`${at.url}/AdminContent/UserSystem/DataDictionary?dictType=GENDER`)
  const edit = page.getByRole('button', { name: /^Edit: .*Swahili.* / })
  await edit.first().click()
  const box = page.getByRole('textbox', { name: /Swahili/ })
  await box.fill('Bwana')
  await page.keyboard.press('Tab')
  await expect.poll(() => box.inputValue()).not.toBe('Bwana')
  await box.fill('Bibi')
  await page.keyboard.press('Enter')
  await expect
    .poll(() =>
      at.fixture.rows(sql`select label_sw from dict_item where dict_type = 'GENDER' and label_sw in ('Bwana', 'Bibi')`),
    )
    .toHaveLength(2)
  await page
    .getByRole('button', { name: /^Edit: .*Swahili/ })
    .filter({ hasText: 'Bibi' })
    .waitFor()
})

test('a picture is pasted into an announcement, and a word that is blocked keeps it from being published', async () => {
  await at.fixture.exec(sql`
    insert into sensitive_word (word_no, word, normal_word, word_language, category, scopes, word_action, enabled, created_time, updated_by, updated_time)
    values ('SW-1', 'scoundrel', 'scoundrel', 'en', 'insult', array['announcement'], 'block', 'enabled', now(), 'system', now())`)
  const page = await at.open(await at.staff(['AnnouncementManagement'], { limit: 'all' }))
  await page.goto(`${at.url}/AdminContent/OperationSystem/AnnouncementManagement`)
  await page.getByRole('button', { name: 'New announcement' }).click()
  const form = page.getByRole('dialog', { name: 'New announcement' })
  await form.getByRole('textbox', { name: 'Title' }).fill('You scoundrel')
  const text = form.locator('[role=textbox][aria-multiline=true]')
  await text.click()
  await page.keyboard.type('Look at this:')
  const bytes = [...pngOf({ width: 300, height: 200 })]
  await text.evaluate((element, given) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(given)], 'office.png', { type: 'image/png' }))
    element.dispatchEvent(
      new ClipboardEvent('paste', { bubbles: true, composed: true, cancelable: true, clipboardData: data }),
    )
  }, bytes)
  const picture = text.getByRole('img', { name: 'office' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300)
  expect(await violations(page)).toEqual([])
  await form.getByRole('button', { name: 'Save draft' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Publish', exact: true }).first().click()
  const asked = page.getByRole('dialog', { name: 'Publish' })
  await asked.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('Contains a sensitive word: scoundrel').first().waitFor()
  const kept = await at.fixture.rows(sql`select content_en from announcement where announcement_status = 'draft'`)
  expect(JSON.stringify(kept)).toContain('data-upload')
})

test('a branch of the tree shows its merchants, keeps its place over a reload, and says what was changed of it', async () => {
  const { fixture } = at
  const { merchant } = contract
  const [found] = await fixture.rows(sql<{ version: number }>`select version from org where org_no = 'O1'`)
  const renamed = { orgNo: 'O1', version: found?.version ?? 0, orgName: 'Kampala Central', orgType: 'lender' as const }
  fixture.must(await fixture.call(merchant.organizationUpdate, renamed, { as: fixture.boss }))
  const page = await at.open(await at.staff(['OrganizationMerchantManagement']))
  await page.goto(`${at.url}/AdminContent/OperationSystem/OrganizationMerchantManagement`)
  const rows = page.getByRole('main').getByRole('row')
  await rows.filter({ hasText: 'Market Loan' }).waitFor()
  await page.getByRole('button', { name: /^Kampala Central/ }).click()
  const stays = async () => {
    await page.getByRole('button', { name: 'Edit organisation' }).waitFor()
    await rows.filter({ hasText: 'Boda Cash' }).waitFor()
    expect(await rows.filter({ hasText: 'Market Loan' }).count()).toBe(0)
  }
  await stays()
  expect(new URL(page.url()).searchParams.get('place')).toBe('O1')
  await page.reload()
  await stays()
  await page
    .getByRole('button', { name: 'Sort by Merchant' })
    .or(page.getByRole('button', { name: /^Merchant$/ }))
    .first()
    .click()
  await stays()
  await page.getByRole('button', { name: 'Changes' }).click()
  await page.getByRole('dialog', { name: 'Changes' }).getByText('+ Organisation: Kampala Central').waitFor()
})

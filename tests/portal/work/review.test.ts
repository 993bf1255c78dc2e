import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { attach } from '../../../core/contract/common/attachment.ts'
import { order } from '../../../core/contract/order/order.ts'
import type { Key } from '../../../core/i18n/index.ts'
import type { Language } from '../../../core/i18n/language.ts'
import { text } from '../../../core/i18n/server.ts'
import { pngOf } from '../../../server/files/uploads/content/made-files.ts'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()

beforeAll(async () => {
  await at.fixture.exec(sql`
    insert into audit_question (question_no, question_zh, question_local, question_type, options, sort) values
      ('Q1', '住址是否核实？', 'Was the address confirmed?', 'single', '[{"optionNo":"1","optionZh":"是","optionLocal":"Yes"},{"optionNo":"2","optionZh":"否","optionLocal":"No"}]', 1),
      ('Q2', '收入来源？', 'Where does the income come from?', 'text', '[]', 2)`)
  await at.fixture.exec(sql`
    insert into refuse_code (refuse_code, level, parent_code, name_zh, name_en, name_sw, customer_text) values
      ('ZA', 1, null, '收入', 'Income', 'Kipato', null), ('ZA1', 2, 'ZA', '收入不足', 'Income too low', 'Kipato kidogo', 'We cannot lend to you now')
    on conflict do nothing`)
}, 240_000)

const reasons = { zh: ['收入', '收入不足'], en: ['Income', 'Income too low'], sw: ['Kipato', 'Kipato kidogo'] } as const
const saidIn = (language: Language) => {
  const [category, reason] = reasons[language]
  const word = (key: Key) => text(language, key)
  return {
    ...{ category, reason, handle: word('actions.handle'), pass: word('audit.choose.pass') },
    ...{ refuse: word('audit.choose.refuse'), answer: word('audit.answerThis'), score: word('audit.faceNotCompared') },
  }
}

test.each(['zh', 'en', 'sw'] as const)(
  '%s: from the queue to a refusal, with what is missing shown on the way',
  async language => {
    const say = saidIn(language)
    const auditor = await at.staff(['MyAudit', 'OrderDetail', 'OrderAudit'], { sensitive: ['pii:reveal:face'] })
    const orderNo = await at.fixture.allotted('M1', auditor)
    const uploadNo = await at.fixture.uploaded(at.fixture.boss, {
      fileName: 'selfie.png',
      bytes: pngOf({ width: 80, height: 60 }),
      purpose: 'attachment',
    })
    await at.fixture.call(
      attach.save,
      { objectType: 'order', objectNo: orderNo, attachType: 'selfie', uploadNo },
      { as: at.fixture.boss },
    )
    const { checks } = (await at.fixture.call(order.basic, { orderNo }, { as: auditor })).data
    const unknown = checks.filter(check => check.checkResult === 'unknown').length
    expect(unknown).toBeGreaterThan(0)
    const page = await at.open(auditor, {
      viewport: { width: 1600, height: 900 },
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    page.setDefaultTimeout(60_000)
    await page.goto(`${at.url}/AdminContent/Home`)
    await page.evaluate(chosen => localStorage.setItem('language', chosen), language)
    await page.goto(`${at.url}/AdminContent/AuditSystem/MyAudit`)
    await page.locator(`tr[data-row="${orderNo}"]`).getByRole('button', { name: say.handle }).click()

    const panel = page.locator('.mk-work')
    const decide = (name: string) => panel.locator('[data-decision]').getByRole('button', { name })
    await decide(say.pass).waitFor()
    await panel.getByText(text(language, 'order.unknownChecks', { n: unknown })).waitFor()
    await panel.getByText(say.score, { exact: false }).waitFor()
    await panel
      .getByRole('button', { name: /selfie\.png/ })
      .first()
      .waitFor()

    await decide(say.refuse).click()
    await expect
      .poll(() =>
        panel.locator('[data-decision] ~ .mk-form').evaluate(form => {
          const box = form.closest('.mk-work-body')?.getBoundingClientRect()
          const top = form.getBoundingClientRect().top
          return box !== undefined && top >= box.top && top < box.bottom
        }),
      )
      .toBe(true)
    const submit = panel.locator('.mk-work-foot').getByRole('button', { name: say.refuse })
    expect(await submit.getAttribute('data-accent-color')).toBe('red')
    await submit.click()
    await expect.poll(() => panel.locator('[data-missing]').count()).toBe(2)
    expect(await panel.getByText(say.answer, { exact: true }).count()).toBe(2)

    await panel.locator('.mk-question').first().getByRole('radio').first().click()
    await expect.poll(() => panel.getByText(say.answer, { exact: true }).count()).toBeLessThan(2)
    await panel.locator('.mk-question').last().getByRole('textbox').fill('shop')
    const pick = async (nth: number, name: string) => {
      await panel.locator('[data-decision] ~ .mk-form').getByRole('combobox').nth(nth).click()
      await page.getByRole('option', { name, exact: true }).click()
    }
    await pick(0, say.category)
    await pick(1, say.reason)
    await submit.click()
    const dialog = page.getByRole('dialog')
    const last = dialog.getByRole('button', { name: say.refuse })
    expect(await last.getAttribute('data-accent-color')).toBe('red')
    await last.click()
    await expect.poll(() => at.fixture.statusOf('order', orderNo), { timeout: 60_000 }).toBe('approval_rejected')
    await page.goto(`${at.url}/AdminContent/OrderDetailAudit/OrderDetail?orderNo=${orderNo}&tab=steps`)
    await page.getByText(say.reason).first().waitFor()
    expect(await page.getByText('ZA1').count()).toBe(0)
  },
)

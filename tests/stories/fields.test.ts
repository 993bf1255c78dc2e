import type { Page } from 'playwright-core'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { pageInTurn } from '../browser.ts'

const site = inject('site')
const inTurn = pageInTurn({ viewport: { width: 900, height: 800 }, reducedMotion: 'reduce' })
let page: Page
afterEach(inTurn.leave)

const open = async (story: string) => {
  page = await inTurn.take()
  page.setDefaultTimeout(60_000)
  await page.goto(
    `${site}/iframe.html?viewMode=story&id=parts-field-kinds--${story}&globals=language:en;a11y.manual:!true`,
  )
}
const box = (name: string | RegExp) => page.getByRole('textbox', { name })
const caret = () => box('Approved amount').evaluate(input => (input as HTMLInputElement).selectionStart)

describe('an amount', () => {
  it('gets its separators while it is typed, and the caret stays behind its digit', async () => {
    await open('money')
    const amount = box('Approved amount')
    await expect.poll(() => amount.inputValue()).toBe('1,240,000')
    await amount.fill('')
    await amount.pressSequentially('1234567')
    expect(await amount.inputValue()).toBe('1,234,567')
    await amount.evaluate(input => (input as HTMLInputElement).setSelectionRange(1, 1))
    await page.keyboard.type('9')
    await expect.poll(() => amount.inputValue()).toBe('19,234,567')
    await expect.poll(caret).toBe(2)
    await page.keyboard.type('0')
    await expect.poll(() => amount.inputValue()).toBe('190,234,567')
    await expect.poll(caret).toBe(3)
    await page.keyboard.press('Backspace')
    await expect.poll(() => amount.inputValue()).toBe('19,234,567')
    await expect.poll(caret).toBe(2)
  })

  it('takes what is pasted, and nothing that is no amount', async () => {
    await open('money')
    const amount = box('Approved amount')
    await amount.fill('UGX 1 240 000.505')
    expect(await amount.inputValue()).toBe('1,240,000.50')
  })
})

describe('a day', () => {
  it('is typed, or chosen in the calendar behind its button', async () => {
    await open('day')
    const day = box('Due date')
    await day.fill('2026-04-05')
    await page.getByRole('button', { name: 'Due date: open the calendar' }).click()
    await page.getByRole('dialog').getByRole('button', { name: /14/ }).first().click()
    await expect.poll(() => day.inputValue()).toBe('2026-04-14')
  })
})

describe('JSON', () => {
  it('says where it is wrong, and is set neatly once it is right', async () => {
    await open('json')
    const text = page.getByRole('textbox').first()
    await page.getByText('Error in line 3, column 3').waitFor()
    expect(await text.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByRole('button', { name: 'Format' }).isDisabled()).toBe(true)
    await text.fill('{"limit":3,"days":[14]}')
    await expect.poll(() => text.getAttribute('aria-invalid')).toBe(null)
    await page.getByRole('button', { name: 'Format' }).click()
    expect(await text.inputValue()).toBe('{\n  "limit": 3,\n  "days": [\n    14\n  ]\n}')
  })
})

describe('words in each language', () => {
  it('say which language is missing, each at its own field; Vietnamese may be', async () => {
    await open('texts')
    await page.getByText('English is missing').waitFor()
    await page.getByText('Kiswahili is missing').waitFor()
    expect(await page.getByText(/中文 is missing|Việt is missing/).count()).toBe(0)
    await box('Title: English').fill('Repayment reminder')
    await expect.poll(() => page.getByText('English is missing').count()).toBe(0)
    await box('Title: 中文').fill('')
    await page.getByText('中文 is missing').waitFor()
  })
})

describe('every kind', () => {
  it('is named by its label, also what is chosen from a panel', async () => {
    await open('asked')
    await box('Approved amount').waitFor()
    for (const name of ['Approved amount', 'Phone', 'Due date', 'Remark (optional)'])
      expect(await box(new RegExp(`^${name.replace(/[()]/g, '.')}`)).count(), name).toBe(1)
    for (const name of ['Reason', 'Merchant', 'Auditor'])
      expect(await page.getByRole('combobox', { name: new RegExp(`^${name}`) }).count(), name).toBe(1)
    await expect.poll(() => box('Phone').getAttribute('aria-describedby')).toMatch(/-hint$/)
  })

  it('carries the mark of what is wrong', async () => {
    await open('refused')
    await page.getByRole('alert').first().waitFor()
    const unmarked = await page.locator('mkopo-story-part').evaluate(part =>
      [...(part.shadowRoot?.querySelectorAll('label[for]') ?? [])]
        .map(label => ({
          label: label.textContent,
          control: part.shadowRoot?.getElementById(label.getAttribute('for') ?? ''),
        }))
        .filter(({ control }) => !control?.closest('[aria-invalid=true], [role=group][data-invalid=true]'))
        .map(({ label }) => label),
    )
    expect(unmarked).toEqual([expect.stringMatching(/^Overdue/)])
  })
})

import { sql } from 'kysely'
import type { Page, Request } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refused } from '../../../server/systems/after-loan/payout/payout-fixture.ts'
import type { Person } from '../../../server/testing/kit.ts'
import { pressInMenu } from '../../browser.ts'
import { violations } from '../axe.ts'
import { consoleForTests, heldBack } from '../console.ts'

const at = consoleForTests()
let page: Page
let lead: Person
let orderNo: string
let sent: Request[]

beforeAll(async () => {
  lead = await at.staff(['OrderManagement', 'LoanManagement', 'OrderDetail'])
})
beforeEach(async () => {
  await at.fixture.pass(1)
  orderNo = await at.fixture.allotted()
})

const list = async (path: string, filters: Record<string, string>) => {
  page = await at.open(lead)
  sent = []
  page.on('request', request => void (request.headers()['idempotency-key'] && sent.push(request)))
  await page.goto(`${at.url}${path}?${new URLSearchParams(filters)}`)
}
const dialog = () => page.getByRole('dialog', { name: 'Cancel order' })
const discard = () => page.getByRole('alertdialog', { name: 'Discard what you entered?' })
const reason = () => dialog().getByRole('combobox', { name: 'Reason' })
const remark = () => dialog().getByRole('textbox', { name: /^Remark/ })
const submit = () => dialog().getByRole('button', { name: 'Cancel order' })
const cancels = () => sent.filter(request => request.url().endsWith('/cancel'))
const keys = () => cancels().map(request => request.headers()['idempotency-key'])

const choose = async () => {
  await reason().click()
  await page.getByRole('checkbox', { name: 'Duplicate' }).click()
}
const open = async () => {
  await list('/AdminContent/AuditSystem/OrderManagement', { orderNo })
  const row = page.getByRole('row').filter({ hasText: orderNo })
  await pressInMenu(row, 'Cancel order')
  await dialog().waitFor()
}
const typed = async () => {
  await open()
  await choose()
  await remark().fill('asked twice')
}
describe('the fields of a form', () => {
  test('are tied to their labels, and begin with the first', async () => {
    await open()
    expect(await violations(page)).toEqual([])
    await expect.poll(() => reason().evaluate(at => (at.getRootNode() as ShadowRoot).activeElement === at)).toBe(true)
    await dialog().getByText('Remark').click()
    await page.keyboard.type('by label')
    expect(await remark().inputValue()).toBe('by label')
  })

  test('say what is missing at the field, and the first one that is wrong takes the focus', async () => {
    await open()
    await remark().fill('x'.repeat(40))
    await submit().click()
    await dialog().getByRole('alert').first().waitFor()
    expect(await dialog().getByRole('alert').count()).toBe(2)
    expect(await reason().getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => reason().evaluate(at => (at.getRootNode() as ShadowRoot).activeElement === at)).toBe(true)
    expect(await violations(page)).toEqual([])
    expect(cancels()).toEqual([])
    await choose()
    await remark().fill('short')
    expect(await dialog().getByRole('alert').count()).toBe(0)
  })

  test('show what the server says of them', async () => {
    await typed()
    await page.route('**/cancel', route =>
      route.fulfill({
        json: { code: 40001, msg: 'no', data: { fields: [{ path: 'remark', msg: 'Names a customer' }] } },
      }),
    )
    await submit().click()
    await dialog().getByText('Names a customer').waitFor()
    await expect.poll(() => remark().evaluate(at => (at.getRootNode() as ShadowRoot).activeElement === at)).toBe(true)
    expect(await remark().getAttribute('aria-invalid')).toBe('true')
  })
})

describe('one press is one request', () => {
  test('also when it is pressed twice, and Enter as well, while the network is slow', async () => {
    await typed()
    const letGo = await heldBack(page, '**/cancel')
    await remark().focus()
    await submit().dblclick({ noWaitAfter: true })
    await page.keyboard.press('Enter')
    await remark().press('Enter')
    await remark().press('Control+Enter')
    letGo()
    await dialog().waitFor({ state: 'detached' })
    expect(cancels()).toHaveLength(1)
    expect(await at.fixture.statusOf('order', orderNo)).toBe('cancelled')
  })

  test('whose answer was lost keeps what was typed, and goes again under its key', async () => {
    await typed()
    let lost = 0
    await page.route('**/cancel', async route => {
      if (lost++) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await submit().click()
    await dialog()
      .getByText(/No answer from the server/)
      .waitFor()
    expect(await remark().inputValue()).toBe('asked twice')
    await submit().click()
    await dialog().waitFor({ state: 'detached' })
    expect(cancels()).toHaveLength(2)
    expect(new Set(keys()).size).toBe(1)
    expect(await at.fixture.statusOf('order', orderNo)).toBe('cancelled')
  })

  test('that the server could not bring to its end goes again under its key', async () => {
    await typed()
    let failed = 0
    await page.route('**/cancel', async route => {
      if (failed++) return route.continue()
      await route.fetch()
      await route.fulfill({ status: 500, json: { code: 50001, msg: 'Something went wrong, incident 1', data: null } })
    })
    await submit().click()
    await dialog()
      .getByText(/No answer from the server/)
      .waitFor()
    expect(await remark().inputValue()).toBe('asked twice')
    await submit().click()
    await dialog().waitFor({ state: 'detached' })
    expect(new Set(keys()).size).toBe(1)
    expect(await at.fixture.statusOf('order', orderNo)).toBe('cancelled')
  })
})

describe('what was typed', () => {
  test('is not lost by a slip: the cross and Cancel ask first', async () => {
    await typed()
    await dialog().getByRole('button', { name: 'Cancel', exact: true }).click()
    await discard().waitFor()
    expect(await violations(page)).toEqual([])
    await discard().getByRole('button', { name: 'Keep editing' }).click()
    await discard().waitFor({ state: 'detached' })
    expect(await remark().inputValue()).toBe('asked twice')
    await dialog().getByRole('button', { name: 'Close' }).click()
    await discard().getByRole('button', { name: 'Discard' }).click()
    await dialog().waitFor({ state: 'detached' })
    expect(await at.fixture.statusOf('order', orderNo)).not.toBe('cancelled')
  })

  test('is nothing to ask about while it is nothing', async () => {
    await open()
    await dialog().getByRole('button', { name: 'Cancel', exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
  })

  test('keeps the page, until it is sent', async () => {
    await typed()
    const asked = new Promise<string>(resolve =>
      page.once('dialog', question => {
        resolve(question.type())
        void question.dismiss()
      }),
    )
    await page.close({ runBeforeUnload: true })
    expect(await asked).toBe('beforeunload')
    await submit().click()
    await dialog().waitFor({ state: 'detached' })
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
  })

  test('stays when the record has moved on; the record is read again, and it can be sent', async () => {
    await typed()
    const { exec } = at.fixture
    await exec(sql`update loan_order set version = version + 1 where order_no = ${orderNo}`)
    await submit().click()
    await dialog()
      .getByText(/was reloaded/)
      .waitFor()
    expect(await remark().inputValue()).toBe('asked twice')
    await expect
      .poll(async () => {
        if (await dialog().count()) await submit().click()
        return at.fixture.statusOf('order', orderNo)
      })
      .toBe('cancelled')
  })

  test('stays when the record has come into another state, and the button says why it is off', async () => {
    await typed()
    await at.fixture.force('order', orderNo, 'cancelled')
    await submit().click()
    await dialog()
      .getByText(/was reloaded/)
      .waitFor()
    await expect.poll(() => submit().isDisabled()).toBe(true)
    expect(await remark().inputValue()).toBe('asked twice')
  })

  test('stays in another language', async () => {
    await typed()
    await page.locator('mkopo-audit-order-management').evaluate(list => list.setAttribute('language', 'sw'))
    await expect.poll(() => page.getByRole('textbox', { name: /^Remark/ }).count()).toBe(0)
    expect(await page.getByRole('dialog').getByRole('textbox').first().inputValue()).toBe('asked twice')
  })
})

describe('what the server wants confirmed', () => {
  test('is asked in its words, and going on sends the same again with a yes', async () => {
    const { loanCode } = await at.fixture.sent('M1', refused('payee_invalid'))
    await list('/AdminContent/AfterLoanSystem/LoanManagement', { keyword: loanCode })
    const row = page.getByRole('row').filter({ hasText: loanCode })
    await row.getByRole('button', { name: 'Retry payout' }).click()
    const form = page.getByRole('dialog').last()
    await form.getByRole('button', { name: 'Retry payout' }).click()
    const question = page
      .getByRole('dialog')
      .filter({ hasText: /account/i })
      .last()
    await question.getByRole('button', { name: 'Continue anyway' }).waitFor()
    expect(await violations(page)).toEqual([])
    await question.getByRole('button', { name: 'Continue anyway' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const bodies = sent.filter(one => one.url().endsWith('/retry')).map(one => one.postDataJSON())
    expect(bodies).toEqual([{ loanCodes: [loanCode] }, { loanCodes: [loanCode], accountChecked: true }])
    expect(await at.fixture.statusOf('loanCode', loanCode)).toBe('created')
  })
})

describe('a tree', () => {
  const tree = () => page.getByRole('tree', { name: 'Merchant' })
  const item = (name: string) => tree().getByRole('treeitem', { name, exact: true })
  const opened = async () => {
    await list('/AdminContent/AuditSystem/OrderManagement', {})
    await page.getByRole('button', { name: /^More \(/ }).click()
    await page.getByRole('button', { name: 'Merchant', exact: true }).click()
    await tree().waitFor()
  }

  test('shows merchants in their companies; a branch takes what lies in it, and says when it is only a part', async () => {
    await opened()
    expect((await violations(page)).filter(one => !one.includes('mk-head-button'))).toEqual([])
    await expect.poll(() => item('Nile Credit').getAttribute('aria-expanded')).toBe('true')
    await item('Kampala').click()
    await expect.poll(() => item('Kampala').getAttribute('aria-checked')).toBe('true')
    expect(await item('Nile Credit').getAttribute('aria-checked')).toBe('mixed')
    await expect.poll(() => new URL(page.url()).searchParams.get('merchantNo')).toBe('["M1"]')
    await item('Nile Credit').click()
    await expect.poll(() => item('Nile Credit').getAttribute('aria-checked')).toBe('true')
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => item('Kampala').getAttribute('aria-checked')).toBe('false')
  })

  test('is worked with keys alone', async () => {
    await opened()
    const active = () =>
      tree().evaluate(at => {
        const id = at.getAttribute('aria-activedescendant')
        return id && (at.getRootNode() as ShadowRoot).getElementById(id)?.textContent
      })
    await page.getByRole('textbox', { name: 'Search' }).last().press('ArrowDown')
    await expect.poll(active).toBe('Nile Credit')
    await page.keyboard.press('ArrowRight')
    await expect.poll(active).toBe('Gulu')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => item('Gulu').getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('ArrowRight')
    await expect.poll(active).toBe('Market Loan')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => item('Gulu').getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('End')
    await expect.poll(active).toBe('Kampala')
    await page.keyboard.press('Home')
    await page.keyboard.press('k')
    await expect.poll(active).toBe('Kampala')
    await page.keyboard.press(' ')
    await expect.poll(() => item('Kampala').getAttribute('aria-checked')).toBe('true')
  })

  test('finds by a part of the name, with what it lies in', async () => {
    await opened()
    await page.getByRole('textbox', { name: 'Search' }).last().fill('boda')
    await expect
      .poll(() => tree().getByRole('treeitem').allInnerTexts())
      .toEqual(['Nile Credit', 'Kampala', 'Boda Cash'])
    await page.getByRole('textbox', { name: 'Search' }).last().fill('nobody')
    await expect.poll(() => tree().count()).toBe(0)
  })
})

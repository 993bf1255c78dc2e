import type { Dialog, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/kit.ts'
import { consoleForTests } from './console.ts'

const at = consoleForTests()
const said = 'not the customer who asked'
let lead: Person
let page: Page
let made: { orderNo: string; loanCode: string; approvalNo: string }

beforeAll(async () => {
  lead = await at.staff(['LoanManagement', 'OrderDetail', 'OrderAudit', 'MyAudit'])
})
beforeEach(async () => {
  ;[page, made] = [await at.open(lead), await at.fixture.requested()]
})

const discard = () => page.getByRole('alertdialog', { name: 'Discard what you entered?' })
const keepTyping = async () => {
  await discard().getByRole('button', { name: 'Keep editing' }).click()
  await discard().waitFor({ state: 'detached' })
}
const loseIt = () => discard().getByRole('button', { name: 'Discard', exact: true }).click()
const reason = () => page.getByRole('textbox', { name: 'Reason' })
const go = (path: string) => page.goto(`${at.url}/AdminContent${path}`)

/** The order with a request for a second person, and the reason of a refusal half typed. */
const onPage = async () => {
  await go(`/OrderDetailAudit/OrderDetail?orderNo=${made.orderNo}`)
  await reason().fill(said)
}

describe('a drawer with typed text', () => {
  const drawer = () => page.getByRole('dialog', { name: made.loanCode })
  beforeEach(async () => {
    await go(`/AfterLoanSystem/LoanManagement?open=${made.loanCode}`)
    await drawer().waitFor()
  })

  test.each([
    ['Esc', () => page.keyboard.press('Escape')],
    ['its cross', () => drawer().getByRole('button', { name: 'Close' }).click()],
    ['a click beside it', () => page.mouse.click(20, 400)],
  ])('asks before %s closes it, and closes once that was said', async (_, close) => {
    await reason().fill(said)
    await close()
    await keepTyping()
    expect(await reason().inputValue()).toBe(said)
    await close()
    await loseIt()
    await drawer().waitFor({ state: 'detached' })
    expect(await at.fixture.statusOf('approval', made.approvalNo)).toBe('pending')
  })

  test('asks nothing once the text is gone again', async () => {
    await reason().fill(said)
    await reason().fill('')
    await page.keyboard.press('Escape')
    await drawer().waitFor({ state: 'detached' })
    expect(await discard().count()).toBe(0)
  })
})

describe('the command palette', () => {
  const leadAway = async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find a page or a record' }).fill('my audit')
    await page.getByRole('option', { name: /^My audit/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
  }
  const asks = async (field: () => ReturnType<typeof reason>) => {
    const before = page.url()
    await leadAway()
    await keepTyping()
    expect(page.url()).toBe(before)
    expect(await field().inputValue()).toBe(said)
    await leadAway()
    await loseIt()
    await page.getByRole('heading', { level: 1, name: 'My audit' }).waitFor()
  }

  test('asks before it leaves a half typed reason, and leads away once that was said', async () => {
    await onPage()
    await asks(reason)
    expect(await at.fixture.statusOf('approval', made.approvalNo)).toBe('pending')
  })

  test('asks before it leaves what came of a call', async () => {
    const orderNo = await at.fixture.allotted('M1', lead)
    await go(`/OrderDetailAudit/OrderAudit?orderNo=${orderNo}`)
    await page
      .getByRole('button', { name: /^Record result/ })
      .first()
      .click()
    const remark = () => page.getByRole('textbox', { name: 'Call remark' })
    await remark().fill(said)
    await asks(remark)
  })

  test('asks nothing where nothing was typed', async () => {
    await onPage()
    await reason().fill('')
    await leadAway()
    await page.getByRole('heading', { level: 1, name: 'My audit' }).waitFor()
    expect(await discard().count()).toBe(0)
  })
})

describe('the tab of the browser', () => {
  /** Closes the tab as people do: the browser asks where the page wants it to. */
  const closing = async (answer: 'accept' | 'dismiss') => {
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog: Dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog[answer]()
  }

  test('asks before it is closed over typed text, stays open, and closes once that was said', async () => {
    await onPage()
    await closing('dismiss')
    expect(await reason().inputValue()).toBe(said)
    const closed = page.waitForEvent('close')
    await closing('accept')
    await closed
  })

  test('asks nothing where nothing was typed, or no longer stands', async () => {
    await onPage()
    await reason().fill('')
    let asked = 0
    page.on('dialog', dialog => {
      asked++
      void dialog.accept()
    })
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
    expect(asked).toBe(0)
  })
})
